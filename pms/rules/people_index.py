"""The people who pay rent, indexed by what banks pass on: references, names, sounds, rooms."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import permutations
from typing import Final, NamedTuple

from pms.rules.name_sounds import sound_key
from pms.rules.payer_names import (
    PayerWords,
    company_key,
    fold_name,
    halves,
    halves_nearby,
    is_kana,
    is_one_letter_off,
    name_words,
    read_payer,
    reference_numbers,
    signed_codes,
    without_noise,
    without_voice,
)

_MOST_ORDERED: Final = 4
_WIDEST_RUN: Final = 5
_SHORTEST_NEAR: Final = 4
_SHORTEST_SOUND: Final = 5
# Records without a space between surname and given name have longer words than single names.
_LONG_WORD: Final = 6
_LEAST_KANA_OF_CUT: Final = 2
_LEAST_LATIN_OF_CUT: Final = 4


class RentPayer(NamedTuple):
    """A person who pays rent: names, room, references, remembered payers."""

    id: str
    names: tuple[str, ...]
    room: str = ""
    references: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


class NameForm(NamedTuple):
    """One spelling of a person's name, in its parts."""

    person_id: str
    parts: tuple[str, ...]

    @property
    def key(self) -> str:
        return "".join(self.parts)


class PeopleIndex:
    """The people of a workspace, indexed by what banks pass on."""

    def __init__(self, people: Iterable[RentPayer]) -> None:
        self.people = {person.id: person for person in people}
        self._forms = [
            NameForm(person.id, words)
            for person in self.people.values()
            for words in dict.fromkeys(map(name_words, person.names))
            if words
        ]
        self._by_reference: defaultdict[str, list[str]] = defaultdict(list)
        self._by_part: defaultdict[str, list[NameForm]] = defaultdict(list)
        self._by_order: defaultdict[str, list[NameForm]] = defaultdict(list)
        self._by_surname: defaultdict[str, list[str]] = defaultdict(list)
        self._by_alias: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        self._by_room: defaultdict[str, list[str]] = defaultdict(list)
        self._forms_of: defaultdict[str, list[NameForm]] = defaultdict(list)
        for form in self._forms:
            self._keep_form(form)
        for person in self.people.values():
            for reference in person.references:
                self._by_reference[plain_reference(reference)].append(person.id)
            for alias in person.aliases:
                remembered = read_payer(alias, self._by_part)
                self._by_alias[remembered.key].append((remembered.form, person.id))
            if person.room:
                self._by_room[_plain_room(person.room)].append(person.id)

    def _keep_form(self, form: NameForm) -> None:
        self._forms_of[form.person_id].append(form)
        for part in set(form.parts):
            self._by_part[part].append(form)
        for key in dict.fromkeys(_list_part_orders(form.parts)):
            self._by_order[key].append(form)
        self._by_surname[form.parts[0]].append(form.person_id)

    @cached_property
    def _by_half(self) -> dict[tuple[int, str, str], list[tuple[str, str]]]:
        """The names, surname first or last, and whose they are, by their halves."""
        found: defaultdict[tuple[int, str, str], list[tuple[str, str]]] = defaultdict(list)
        for form in self._forms:
            for name in {form.key, "".join(form.parts[::-1])}:
                for half in halves(name):
                    found[half].append((name, form.person_id))
        return dict(found)

    @cached_property
    def _by_voiceless(self) -> dict[str, list[NameForm]]:
        found: defaultdict[str, list[NameForm]] = defaultdict(list)
        for form in self._forms:
            found[without_voice(form.key)].append(form)
        return dict(found)

    @cached_property
    def _by_sound(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for form in self._forms:
            for key in {form.key, "".join(form.parts[::-1])}:
                found[sound_key(key)].append(form.person_id)
        return dict(found)

    def read(self, text: str, *, is_broken: bool = False) -> PayerWords:
        """Read a payer's name; words that the people's names contain are kept together."""
        return read_payer(text, self._by_part, is_broken=is_broken)

    def has_part(self, word: str) -> bool:
        """Whether a word is a part of someone's name."""
        return word in self._by_part

    def is_known_by(self, person_id: str, payer: PayerWords) -> bool:
        """Whether a payer has a word of a person's name or is remembered for the person."""
        known = {part for form in self._forms_of[person_id] for part in form.parts}
        aliases = {company_key(alias)[0] for alias in self.people[person_id].aliases}
        return payer.key in aliases or any(word in known for word in payer.words)

    def find_referred(self, text: str, message: str) -> list[str]:
        """The people whose reference number a payer or a message contains."""
        found = self.referred(text, message)
        return distinct(person for people in found.values() for person in people)

    def referred(self, text: str, message: str) -> dict[str, list[str]]:
        """The numbers of a payer or a message, with the people whose reference each is."""
        return {
            number: self._by_reference.get(number, [])
            for number in (*reference_numbers(text, message), *signed_codes(text, message))
        }

    def find_named(self, payer: PayerWords) -> dict[str, frozenset[int]]:
        """The people all of whose name parts are among the words, with the words that name them.

        A name that contains another one needs its own further words.
        """
        words = payer.words
        found: dict[NameForm, frozenset[int]] = {}
        there = Counter(words)
        for place, word in enumerate(words):
            for form in self._by_part.get(word, ()):
                if form.parts[0] != word or len(form.parts) > len(words):
                    continue
                if all(there.get(part, 0) >= form.parts.count(part) for part in form.parts):
                    wanted = Counter(form.parts)
                    places = {
                        at
                        for part, count in wanted.items()
                        for at in [i for i, word in enumerate(words) if word == part][:count]
                    }
                    found[form] = frozenset(places | {place})
        for start, end, key in _list_word_runs(words):
            for form in self._by_order.get(key, ()):
                found.setdefault(form, frozenset(range(start, end)))
        widest: dict[str, frozenset[int]] = {}
        for form, covered in found.items():
            before = widest.get(form.person_id)
            if before is None or len(covered) > len(before):
                widest[form.person_id] = covered
        # Of many namesakes all are named by the same words.
        covers = set(widest.values())
        meant = {cover for cover in covers if not any(cover < other for other in covers)}
        return {person: covered for person, covered in widest.items() if covered in meant}

    def find_remembered(self, payer: PayerWords) -> tuple[list[str], bool]:
        """The people for whom a payer is remembered, and whether that is unambiguous.

        Companies that differ only in legal form are two; a surname that several people have is not
        certain.
        """
        kept = self._by_alias.get(payer.key, [])
        if not kept:
            return [], False
        forms = {form for form, _ in kept}
        same = [person for form, person in kept if form == payer.form]
        if payer.form and same:
            return distinct(same), True
        everyone = distinct(person for _, person in kept)
        is_clear = len(forms) == 1 and (not payer.form or not any(forms))
        others = [
            person for person in self._by_surname.get(payer.key, ()) if person not in everyone
        ]
        return everyone, is_clear and not others

    def has_one_word(self, person: str) -> bool:
        """Whether a short name of one word is all that is known of a person."""
        forms = self._forms_of[person]
        return any(len(form.parts) == 1 and len(form.key) < _LONG_WORD for form in forms)

    def has_longer_namesake(self, person: str, payer: PayerWords) -> bool:
        """Whether another person's name contains all of a person's and more, or nearly matches."""
        for form in self._forms_of[person]:
            parts = set(form.parts)
            for other in self._by_part[form.parts[0]]:
                if other.person_id != person and parts < set(other.parts):
                    return True
        return any(other != person for other in self.one_letter_off(payer))

    def with_cut_name(self, payer: PayerWords) -> list[str]:
        """The people whose longer name begins with the name that a bank cut off.

        Those last whose name has a mark where the bank may have cut it off its kana.
        """
        if not (payer.is_cut or payer.is_short):
            return []
        return distinct([*self._beginning_with(payer.words), *self.with_lost_mark(payer)])

    def with_lost_mark(self, payer: PayerWords) -> list[str]:
        """The people whose name begins with a payer's and has a mark at its last kana."""
        return [
            person
            for end in payer.marked_ends
            for person in self._beginning_with((*payer.words[:-1], end), is_whole_too=True)
        ]

    def _beginning_with(self, words: Sequence[str], *, is_whole_too: bool = False) -> list[str]:
        found: list[str] = []
        for start in range(max(len(words) - _WIDEST_RUN, 0), len(words)):
            surname, rest = words[start], "".join(words[start + 1 :])
            least = _LEAST_KANA_OF_CUT if is_kana(rest) else _LEAST_LATIN_OF_CUT
            if len(rest) < least:
                continue
            for person in self._by_surname.get(surname, ()):
                for form in self._forms_of[person]:
                    given = "".join(form.parts[1:])
                    goes_on = given.startswith(rest) and (is_whole_too or given != rest)
                    if form.parts[0] == surname and goes_on:
                        found.append(person)
        return distinct(found)

    def with_continued_name(self, payer: PayerWords, person_id: str) -> list[str]:
        """The people whose names begin like a person's and go on, where the end may be cut off."""
        if not (payer.is_cut or payer.is_short):
            return []
        found = []
        for form in self._forms_of[person_id]:
            is_at_end = payer.key.endswith(form.key)
            marked = [form.key[:-1] + end[-1] for end in payer.marked_ends if is_at_end]
            found += [
                other.person_id
                for id_ in self._by_surname[form.parts[0]]
                for other in self._forms_of[id_]
                if other.key.startswith((form.key, *marked)) and other.key != form.key
            ]
        return found

    def of_rooms(self, payer: PayerWords) -> list[str]:
        """The people in the rooms that a payer names."""
        rooms = [*payer.numbers, *(part for number in payer.numbers for part in number.split("-"))]
        return distinct(person for room in rooms for person in self._by_room.get(room, ()))

    def in_rooms(self, payer: PayerWords, *, is_given: bool) -> list[str]:
        """The people in the rooms a payer names whose surname or given name is among the words."""
        found = []
        for person in self.of_rooms(payer):
            for form in self._forms_of[person]:
                wanted = form.parts[1:] if is_given else form.parts[:1]
                if any(word in wanted for word in payer.words):
                    found.append(person)
        return distinct(found)

    def one_letter_off(self, payer: PayerWords) -> list[str]:
        """The people whose name differs from a payer in one letter or in its voicing marks."""
        key = payer.key
        if len(key) < _SHORTEST_NEAR:
            return []
        found = [
            person
            for half in halves_nearby(key)
            for name, person in self._by_half.get(half, ())
            if is_one_letter_off(key, name)
        ]
        found += [form.person_id for form in self._by_voiceless.get(without_voice(key), ())]
        return distinct(sorted(found))

    def of_sound(self, payer: PayerWords) -> list[str]:
        """The people whose name sounds like a payer."""
        key = sound_key(payer.key)
        return distinct(self._by_sound.get(key, ())) if len(key) >= _SHORTEST_SOUND else []

    def one_digit_off(self, text: str, message: str) -> list[str]:
        """The people whose reference differs from a number in exactly one digit."""
        numbers = [
            number
            for number in reference_numbers(text, message)
            if number not in self._by_reference
        ]
        return distinct(
            person
            for number in numbers
            for place in range(len(number))
            for digit in "0123456789"
            for person in self._by_reference.get(
                f"{number[:place]}{digit}{number[place + 1 :]}", ()
            )
        )

    def first_and_last(self, payer: PayerWords) -> list[str]:
        """The people with a longer name of which a payer has the first and the last part."""
        if len(payer.words) != 2:
            return []
        return distinct(
            form.person_id
            for form in self._by_part.get(payer.words[0], ())
            if len(form.parts) > 2 and {form.parts[0], form.parts[-1]} == set(payer.words)
        )

    def of_surname(self, payer: PayerWords) -> list[str]:
        """The people with the surname at the beginning of a payer; a company has none."""
        if payer.form or not payer.words:
            return []
        first = payer.words[0]
        found = [person for word in payer.words for person in self._by_surname.get(word, ())]
        if not found and len(payer.words) == 1:
            # Without spaces: every beginning that is a surname.
            found = [
                person
                for end in range(len(first) - 1, 1, -1)
                for person in self._by_surname.get(first[:end], ())
            ]
        return distinct(found)

    def of_given_name(self, payer: PayerWords) -> list[str]:
        """The people with only their given name among the words of a payer."""
        if payer.form:
            return []
        return distinct(
            form.person_id
            for word in payer.words
            for form in self._by_part.get(word, ())
            if word in form.parts[1:] and form.parts[0] not in payer.words
        )

    def is_latin(self, person_id: str) -> bool:
        """Whether a person's name is known in Latin letters, so that its order is not."""
        return any(part.isascii() for form in self._forms_of[person_id] for part in form.parts)

    def same_surname(self, person_id: str) -> Sequence[str]:
        """The other people with a person's surname."""
        surnames = {form.parts[0] for form in self._forms_of[person_id]}
        found = (person for surname in surnames for person in self._by_surname[surname])
        return [person for person in distinct(found) if person != person_id]


def _list_part_orders(parts: tuple[str, ...]) -> Iterator[str]:
    """The parts of a name joined in every order; long names in the usual two."""
    if len(parts) <= _MOST_ORDERED:
        return ("".join(order) for order in permutations(parts))
    return ("".join(order) for order in (parts, parts[::-1], parts[1:] + parts[:1]))


def _list_word_runs(words: tuple[str, ...]) -> Iterator[tuple[int, int, str]]:
    """Adjacent words joined without a space.

    A hyphen at the end of a word may separate it from a number instead of lengthening its vowel,
    and words about the rent may be attached to a name.
    """
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1)[:_WIDEST_RUN]:
            key = "".join(words[start:end])
            yield start, end, key
            for plain in {key.rstrip("-"), without_noise(key)} - {key}:
                yield start, end, plain


def plain_reference(reference: str) -> str:
    """Return a reference as it is compared with the numbers of a transfer."""
    return "".join(letter for letter in fold_name(reference) if letter.isalnum())


def _plain_room(room: str) -> str:
    return fold_name(room).strip()


def distinct(ids: Iterable[str]) -> list[str]:
    """Return the ids without repeats, in their order."""
    return list(dict.fromkeys(ids))
