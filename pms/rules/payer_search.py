"""Finds whose a transfer may be by reference, name, remembered payer or room, never by amount."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from pms.rules.payer_names import PayerWords
from pms.rules.people_index import PeopleIndex, RentPayer, distinct


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
    NAME_PART = "name_part"
    GIVEN_NAME = "given_name"
    NOBODY = "nobody"


class PayerCandidates(NamedTuple):
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


class PayerReader(Protocol):
    """Answers whose a transfer may be; the answers do not depend on what anybody owes."""

    def find(self, text: str, message: str = "", *, is_broken: bool = False) -> PayerCandidates:
        """Find whose a payer's name and message may be."""

    def candidates(self, text: str, message: str = "") -> Iterable[PayerCandidates]:
        """Find who may be meant by an uncertain name, likelier first."""

    def reason_of(self, person_id: str, reason: PayerReason) -> PayerReason:
        """Return a reason as it holds for a person."""

    def same_surname(self, person_id: str) -> Sequence[str]:
        """Return the other people with a person's surname."""


class PayerIndex:
    """Finds the people of a workspace by what banks pass on."""

    def __init__(self, people: Iterable[RentPayer]) -> None:
        self._people = PeopleIndex(people)
        # Most payers of a statement have paid in the months before.
        self._found: dict[tuple[str, str, bool], PayerCandidates] = {}

    def find(self, text: str, message: str = "", *, is_broken: bool = False) -> PayerCandidates:
        """Find whose a payer's name and message may be; a broken name is never certain."""
        asked = text, message, is_broken
        if asked not in self._found:
            self._found[asked] = self._find_anew(*asked)
        return self._found[asked]

    def _find_anew(self, text: str, message: str, is_broken: bool) -> PayerCandidates:
        payer = self._people.read(text, is_broken=is_broken)
        found = self._search_people(payer, text, message)
        if payer.is_broken and found.reason is not PayerReason.REFERENCE:
            return found._replace(is_certain=False)
        return found

    def candidates(self, text: str, message: str = "") -> Iterator[PayerCandidates]:
        """Find who may be meant by an uncertain name, likelier first."""
        payer = self._people.read(text)
        for reason, person_ids in (
            (PayerReason.CUT_NAME, self._people.with_cut_name(payer)),
            (PayerReason.ONE_LETTER_OFF, self._people.one_letter_off(payer)),
            (PayerReason.SAME_SOUND, self._people.of_sound(payer)),
            (PayerReason.REFERENCE_ONE_DIGIT_OFF, self._people.one_digit_off(text, message)),
            (PayerReason.FIRST_AND_LAST, self._people.first_and_last(payer)),
            (PayerReason.ROOM_AND_GIVEN_NAME, self._people.in_rooms(payer, is_given=True)),
            (PayerReason.SURNAME, self._people.of_surname(payer)),
            (PayerReason.GIVEN_NAME, self._people.of_given_name(payer)),
        ):
            if person_ids:
                yield PayerCandidates(reason, tuple(person_ids), is_certain=False)

    def _search_people(self, payer: PayerWords, text: str, message: str) -> PayerCandidates:
        referred = self._people.find_referred(text, message)
        named = self._people.find_named(payer)
        # The message may contain the name too.
        if not named and message and not payer.words:
            named = self._people.find_named(self._people.read(message))
        if referred:
            return self._by_number(payer, text, referred, named)
        remembered, is_clear = self._people.find_remembered(payer)
        if named:
            return self._by_name(payer, named, remembered)
        if remembered:
            return PayerCandidates(PayerReason.REMEMBERED, tuple(remembered), is_clear)
        return self._by_incomplete_name(payer)

    def _by_incomplete_name(self, payer: PayerWords) -> PayerCandidates:
        """Find by a name whose end was cut off, or by room and surname."""
        cut = self._people.with_cut_name(payer) if payer.is_cut else ()
        if cut:
            is_certain = len(cut) == 1 and not self._people.with_lost_mark(payer)
            return PayerCandidates(
                PayerReason.CUT_NAME, tuple(cut), is_certain, needs_full_bill=True
            )
        in_room = self._people.in_rooms(payer, is_given=False)
        if in_room:
            return PayerCandidates(
                PayerReason.ROOM_AND_SURNAME,
                tuple(in_room),
                is_certain=len(in_room) == 1 and len(payer.words) == 1,
                needs_full_bill=True,
            )
        return PayerCandidates(PayerReason.NOBODY, (), is_certain=False)

    def _by_number(
        self, payer: PayerWords, text: str, referred: list[str], named: dict[str, frozenset[int]]
    ) -> PayerCandidates:
        if len(referred) > 1:
            return PayerCandidates(PayerReason.TWO_REFERENCES, tuple(referred), is_certain=False)
        person = referred[0]
        if person in named:
            return PayerCandidates(PayerReason.REFERENCE, (person,), is_certain=True)
        others = [other for other in named if other != person]
        near = self._people.one_letter_off(payer)
        if not others and person not in near:
            others = near
        if others:
            return PayerCandidates(
                PayerReason.REFERENCE_OF_ANOTHER, (person, *others), is_certain=False
            )
        is_own = not payer.words or person in near or self._people.is_known_by(person, payer)
        return PayerCandidates(
            PayerReason.REFERENCE, (person,), is_certain=True, needs_full_bill=not is_own
        )

    def _by_name(
        self, payer: PayerWords, named: dict[str, frozenset[int]], remembered: list[str]
    ) -> PayerCandidates:
        if len(named) > 1:
            in_room = [
                person_id for person_id in self._people.of_rooms(payer) if person_id in named
            ]
            if len(in_room) == 1:
                return PayerCandidates(
                    PayerReason.ROOM_AND_SURNAME, tuple(in_room), True, needs_full_bill=True
                )
            return PayerCandidates(PayerReason.SAME_NAME, tuple(named), is_certain=False)
        ((person, covered),) = named.items()
        if remembered and person not in remembered:
            return PayerCandidates(
                PayerReason.REMEMBERED_FOR_ANOTHER, (person, *remembered), is_certain=False
            )
        longer = distinct(
            person_id
            for person_id in (
                *self._people.with_cut_name(payer),
                *self._people.with_continued_name(payer, person),
            )
            if person_id != person
        )
        if longer and payer.is_cut:
            return PayerCandidates(PayerReason.SAME_NAME, (person, *longer), is_certain=False)
        extra = [word for place, word in enumerate(payer.words) if place not in covered]
        is_short = len(covered) == 1 and self._people.has_one_word(person)
        return PayerCandidates(
            PayerReason.FULL_NAME,
            (person,),
            is_certain=not self._may_be_another(payer, person, extra, is_short=is_short),
            needs_full_bill=bool(extra) and not payer.form,
            longer_names=tuple(longer),
        )

    def _may_be_another(
        self, payer: PayerWords, person: str, extra: Sequence[str], *, is_short: bool
    ) -> bool:
        """Whether a payer with a person's name and `extra` words may be somebody else."""
        in_room = self._people.in_rooms(payer, is_given=False)
        return (
            # The room belongs to someone else of this surname.
            (bool(in_room) and person not in in_room)
            # Further words may be the rest of a longer, misspelt name.
            or (not payer.form and any(map(self._people.has_part, extra)))
            # A one-word name is also part of other people's longer names.
            or (bool(extra) and is_short)
            or (bool(extra) and self._people.has_longer_namesake(person, payer))
        )

    def reason_of(self, person_id: str, reason: PayerReason) -> PayerReason:
        """Return a reason as it holds for a person.

        Which part of a name in Latin letters is the surname is not known.
        """
        is_surname = reason is PayerReason.SURNAME
        return PayerReason.NAME_PART if is_surname and self._people.is_latin(person_id) else reason

    def is_latin(self, person_id: str) -> bool:
        """Whether a person's name is known in Latin letters, so that its order is not."""
        return self._people.is_latin(person_id)

    def referred(self, text: str, message: str) -> Mapping[str, Sequence[str]]:
        """Return the people that each number of a payer or a message refers to."""
        return self._people.referred(text, message)

    def same_surname(self, person_id: str) -> Sequence[str]:
        """The other people with a person's surname."""
        return self._people.same_surname(person_id)
