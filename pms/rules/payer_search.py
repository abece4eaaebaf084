"""Finds whose a transfer may be by reference, name, remembered payer or room, never by amount."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import permutations
from typing import Final, NamedTuple

from pms.rules.name_sounds import sound_key
from pms.rules.payer_names import (
    Payer,
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


class PayerReason(StrEnum):
    """How a payer was recognised, or why not."""

    REFERENCE = "reference"
    FULL_NAME = "full_name"
    REMEMBERED = "remembered"
    ROOM_AND_SURNAME = "room_and_surname"
    CUT_NAME = "cut_name"
    REFERENCE_OF_ANOTHER = "reference_of_another"
    TWO_REFERENCES = "two_references"
    SAME_NAME = "same_name"
    REMEMBERED_FOR_ANOTHER = "remembered_for_another"
    ONE_LETTER_OFF = "one_letter_off"
    SAME_SOUND = "same_sound"
    REFERENCE_ONE_DIGIT_OFF = "reference_one_digit_off"
    FIRST_AND_LAST = "first_and_last"
    ROOM_AND_GIVEN_NAME = "room_and_given_name"
    SURNAME = "surname"
    NOBODY = "nobody"


class Person(NamedTuple):
    """A person who pays rent: names, room, references, remembered payers."""

    id: str
    names: tuple[str, ...]
    room: str = ""
    references: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


class Found(NamedTuple):
    """The people a transfer may be from, likeliest first, and why.

    `is_certain`: it is surely one of them, or all of them together when a company pays.
    `needs_full_bill`: certain only if the amount matches to the yen. `longer_names`: the people
    meant if the end of the name was cut off, as some lists do.
    """

    reason: PayerReason
    person_ids: tuple[str, ...]
    is_certain: bool
    needs_full_bill: bool = False
    longer_names: tuple[str, ...] = ()


class _Form(NamedTuple):
    """One spelling of a person's name, in its parts."""

    person_id: str
    parts: tuple[str, ...]

    @property
    def key(self) -> str:
        return "".join(self.parts)


class PayerIndex:
    """The people of a workspace, indexed by what banks pass on."""

    def __init__(self, people: Iterable[Person]) -> None:
        self.people = {person.id: person for person in people}
        self._forms = [
            _Form(person.id, words)
            for person in self.people.values()
            for words in dict.fromkeys(map(name_words, person.names))
            if words
        ]
        self._by_reference: defaultdict[str, list[str]] = defaultdict(list)
        self._by_part: defaultdict[str, list[_Form]] = defaultdict(list)
        self._by_order: defaultdict[str, list[_Form]] = defaultdict(list)
        self._by_surname: defaultdict[str, list[str]] = defaultdict(list)
        self._by_alias: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        self._by_room: defaultdict[str, list[str]] = defaultdict(list)
        # Most payers of a statement have paid in the months before.
        self._found: dict[tuple[str, str, bool], Found] = {}
        self._forms_of: defaultdict[str, list[_Form]] = defaultdict(list)
        for form in self._forms:
            self._keep_form(form)
        for person in self.people.values():
            for reference in person.references:
                self._by_reference[_plain_reference(reference)].append(person.id)
            for alias in person.aliases:
                remembered = read_payer(alias, self._by_part)
                self._by_alias[remembered.key].append((remembered.form, person.id))
            if person.room:
                self._by_room[_plain_room(person.room)].append(person.id)

    def _keep_form(self, form: _Form) -> None:
        self._forms_of[form.person_id].append(form)
        for part in set(form.parts):
            self._by_part[part].append(form)
        for key in dict.fromkeys(_orders(form.parts)):
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
    def _by_voiceless(self) -> dict[str, list[_Form]]:
        found: defaultdict[str, list[_Form]] = defaultdict(list)
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

    def find(self, text: str, message: str = "", *, is_broken: bool = False) -> Found:
        """Find whose a payer's name and message may be; a broken name is never certain."""
        asked = text, message, is_broken
        if asked not in self._found:
            self._found[asked] = self._find_anew(*asked)
        return self._found[asked]

    def _find_anew(self, text: str, message: str, is_broken: bool) -> Found:
        payer = read_payer(text, self._by_part, is_broken=is_broken)
        found = self._find(payer, text, message)
        if payer.is_broken and found.reason is not PayerReason.REFERENCE:
            return found._replace(is_certain=False)
        return found

    def candidates(self, text: str, message: str = "") -> Iterator[Found]:
        """Find who may be meant by an uncertain name, likelier first."""
        payer = read_payer(text, self._by_part)
        for reason, person_ids in (
            (PayerReason.CUT_NAME, self._people_of_cut_names(payer)),
            (PayerReason.ONE_LETTER_OFF, self._one_letter_off(payer)),
            (PayerReason.SAME_SOUND, self._of_sound(payer)),
            (PayerReason.REFERENCE_ONE_DIGIT_OFF, self._one_digit_off(text, message)),
            (PayerReason.FIRST_AND_LAST, self._first_and_last(payer)),
            (PayerReason.ROOM_AND_GIVEN_NAME, self._in_room(payer, is_given=True)),
            (PayerReason.SURNAME, self._of_surname(payer)),
        ):
            if person_ids:
                yield Found(reason, tuple(person_ids), is_certain=False)

    def _find(self, payer: Payer, text: str, message: str) -> Found:
        referred = self._people_referred(text, message)
        named = self._people_named(payer)
        # The message may contain the name too.
        if not named and message and not payer.words:
            named = self._people_named(read_payer(message, self._by_part))
        if referred:
            return self._by_number(payer, text, referred, named)
        remembered, is_clear = self._people_remembered(payer)
        if named:
            return self._by_name(payer, named, remembered)
        if remembered:
            return Found(PayerReason.REMEMBERED, tuple(remembered), is_clear)
        return self._by_incomplete_name(payer)

    def _by_incomplete_name(self, payer: Payer) -> Found:
        """Find by a name whose end was cut off, or by room and surname."""
        cut = self._people_of_cut_names(payer) if payer.is_cut else ()
        if cut:
            return Found(
                PayerReason.CUT_NAME, tuple(cut), is_certain=len(cut) == 1, needs_full_bill=True
            )
        in_room = self._in_room(payer, is_given=False)
        if in_room:
            return Found(
                PayerReason.ROOM_AND_SURNAME,
                tuple(in_room),
                is_certain=len(in_room) == 1 and len(payer.words) == 1,
                needs_full_bill=True,
            )
        return Found(PayerReason.NOBODY, (), is_certain=False)

    def _people_referred(self, text: str, message: str) -> list[str]:
        numbers = (*reference_numbers(text, message), *signed_codes(text, message))
        return _drop_repeats(
            person for number in numbers for person in self._by_reference.get(number, ())
        )

    def _by_number(
        self, payer: Payer, text: str, referred: list[str], named: dict[str, frozenset[int]]
    ) -> Found:
        if len(referred) > 1:
            return Found(PayerReason.TWO_REFERENCES, tuple(referred), is_certain=False)
        person = referred[0]
        if person in named:
            return Found(PayerReason.REFERENCE, (person,), is_certain=True)
        others = [other for other in named if other != person]
        near = self._one_letter_off(payer)
        if not others and person not in near:
            others = near
        if others:
            return Found(PayerReason.REFERENCE_OF_ANOTHER, (person, *others), is_certain=False)
        known = {part for form in self._forms_of[person] for part in form.parts}
        aliases = {company_key(alias)[0] for alias in self.people[person].aliases}
        is_own = (
            not payer.words
            or person in near
            or payer.key in aliases
            or any(word in known for word in payer.words)
        )
        return Found(PayerReason.REFERENCE, (person,), is_certain=True, needs_full_bill=not is_own)

    def _by_name(
        self, payer: Payer, named: dict[str, frozenset[int]], remembered: list[str]
    ) -> Found:
        if len(named) > 1:
            in_room = [one for one in self._of_rooms(payer) if one in named]
            if len(in_room) == 1:
                return Found(
                    PayerReason.ROOM_AND_SURNAME, tuple(in_room), True, needs_full_bill=True
                )
            return Found(PayerReason.SAME_NAME, tuple(named), is_certain=False)
        ((person, covered),) = named.items()
        if remembered and person not in remembered:
            return Found(
                PayerReason.REMEMBERED_FOR_ANOTHER, (person, *remembered), is_certain=False
            )
        longer = _drop_repeats(
            one
            for one in (
                *self._people_of_cut_names(payer),
                *self._people_of_longer_names(payer, person),
            )
            if one != person
        )
        if longer and payer.is_cut:
            return Found(PayerReason.SAME_NAME, (person, *longer), is_certain=False)
        extra = [word for place, word in enumerate(payer.words) if place not in covered]
        in_room = self._in_room(payer, is_given=False)
        is_doubtful = (
            # The room belongs to someone else of this surname.
            (bool(in_room) and person not in in_room)
            # Further words may be the rest of a longer, misspelt name.
            or (not payer.form and any(word in self._by_part for word in extra))
            # A one-word name is also part of other people's longer names.
            or (bool(extra) and len(covered) == 1 and self._has_one_word(person))
            or (bool(extra) and self._has_longer_namesake(person, payer))
        )
        return Found(
            PayerReason.FULL_NAME,
            (person,),
            is_certain=not is_doubtful,
            needs_full_bill=bool(extra) and not payer.form,
            longer_names=tuple(longer),
        )

    def _has_one_word(self, person: str) -> bool:
        forms = self._forms_of[person]
        return any(len(form.parts) == 1 and len(form.key) < _LONG_WORD for form in forms)

    def _has_longer_namesake(self, person: str, payer: Payer) -> bool:
        """Whether another person's name contains all of a person's and more, or nearly matches."""
        for form in self._forms_of[person]:
            parts = set(form.parts)
            for other in self._by_part[form.parts[0]]:
                if other.person_id != person and parts < set(other.parts):
                    return True
        return any(other != person for other in self._one_letter_off(payer))

    def _people_named(self, payer: Payer) -> dict[str, frozenset[int]]:
        """The people all of whose name parts are among the words, with the words that name them.

        A name that contains another one needs its own further words.
        """
        words = payer.words
        found: dict[_Form, frozenset[int]] = {}
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
        for start, end, key in _runs(words):
            for form in self._by_order.get(key, ()):
                found.setdefault(form, frozenset(range(start, end)))
        widest: dict[str, frozenset[int]] = {}
        for form, covered in found.items():
            before = widest.get(form.person_id)
            if before is None or len(covered) > len(before):
                widest[form.person_id] = covered
        # Of many namesakes all are named by the same words.
        covers = set(widest.values())
        meant = {one for one in covers if not any(one < other for other in covers)}
        return {person: covered for person, covered in widest.items() if covered in meant}

    def _people_remembered(self, payer: Payer) -> tuple[list[str], bool]:
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
            return _drop_repeats(same), True
        everyone = _drop_repeats(person for _, person in kept)
        is_clear = len(forms) == 1 and (not payer.form or not any(forms))
        others = [one for one in self._by_surname.get(payer.key, ()) if one not in everyone]
        return everyone, is_clear and not others

    def _people_of_cut_names(self, payer: Payer) -> list[str]:
        """The people whose longer name begins with the name that a bank cut off."""
        if not (payer.is_cut or payer.is_short):
            return []
        found: list[str] = []
        words = payer.words
        for start in range(max(len(words) - _WIDEST_RUN, 0), len(words)):
            surname, rest = words[start], "".join(words[start + 1 :])
            least = _LEAST_KANA_OF_CUT if is_kana(rest) else _LEAST_LATIN_OF_CUT
            if len(rest) < least:
                continue
            for person in self._by_surname.get(surname, ()):
                for form in self._forms_of[person]:
                    given = "".join(form.parts[1:])
                    goes_on = given.startswith(rest) and given != rest
                    if form.parts[0] == surname and goes_on:
                        found.append(person)
        return _drop_repeats(found)

    def _people_of_longer_names(self, payer: Payer, person_id: str) -> list[str]:
        """The people whose names begin like a person's and go on, where the end may be cut off."""
        if not (payer.is_cut or payer.is_short):
            return []
        own = self._forms_of[person_id]
        return [
            other.person_id
            for form in own
            for id_ in self._by_surname[form.parts[0]]
            for other in self._forms_of[id_]
            if other.key.startswith(form.key) and other.key != form.key
        ]

    def _of_rooms(self, payer: Payer) -> list[str]:
        rooms = [*payer.numbers, *(part for one in payer.numbers for part in one.split("-"))]
        return _drop_repeats(person for room in rooms for person in self._by_room.get(room, ()))

    def _in_room(self, payer: Payer, *, is_given: bool) -> list[str]:
        """The people in the rooms a payer names whose surname or given name is among the words."""
        found = []
        for person in self._of_rooms(payer):
            for form in self._forms_of[person]:
                wanted = form.parts[1:] if is_given else form.parts[:1]
                if any(word in wanted for word in payer.words):
                    found.append(person)
        return _drop_repeats(found)

    def _one_letter_off(self, payer: Payer) -> list[str]:
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
        return _drop_repeats(sorted(found))

    def _of_sound(self, payer: Payer) -> list[str]:
        key = sound_key(payer.key)
        return _drop_repeats(self._by_sound.get(key, ())) if len(key) >= _SHORTEST_SOUND else []

    def _one_digit_off(self, text: str, message: str) -> list[str]:
        """The people whose reference differs from a number in exactly one digit."""
        numbers = [one for one in reference_numbers(text, message) if one not in self._by_reference]
        return _drop_repeats(
            person
            for number in numbers
            for place in range(len(number))
            for digit in "0123456789"
            for person in self._by_reference.get(
                f"{number[:place]}{digit}{number[place + 1 :]}", ()
            )
        )

    def _first_and_last(self, payer: Payer) -> list[str]:
        if len(payer.words) != 2:
            return []
        return _drop_repeats(
            form.person_id
            for form in self._by_part.get(payer.words[0], ())
            if len(form.parts) > 2 and {form.parts[0], form.parts[-1]} == set(payer.words)
        )

    def _of_surname(self, payer: Payer) -> list[str]:
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
        return _drop_repeats(found)

    def same_surname(self, person_id: str) -> Sequence[str]:
        """The other people with a person's surname."""
        surnames = {form.parts[0] for form in self._forms_of[person_id]}
        found = (one for surname in surnames for one in self._by_surname[surname])
        return [one for one in _drop_repeats(found) if one != person_id]


def _orders(parts: tuple[str, ...]) -> Iterator[str]:
    """The parts of a name joined in every order; long names in the usual two."""
    if len(parts) <= _MOST_ORDERED:
        return ("".join(order) for order in permutations(parts))
    return ("".join(order) for order in (parts, parts[::-1], parts[1:] + parts[:1]))


def _runs(words: tuple[str, ...]) -> Iterator[tuple[int, int, str]]:
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


def _plain_reference(reference: str) -> str:
    return "".join(letter for letter in fold_name(reference) if letter.isalnum())


def _plain_room(room: str) -> str:
    return fold_name(room).strip()


def _drop_repeats(ids: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(ids))
