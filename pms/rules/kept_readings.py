"""Whose a transfer may be, kept to match it again when only bills changed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pms.rules.payer_names import reference_numbers
from pms.rules.payer_search import PayerCandidates, PayerIndex, PayerReason

_MAY_BE_GUESSED: Final = frozenset(
    {PayerReason.NOBODY, PayerReason.REFERENCE, PayerReason.REMEMBERED}
)


class Reading(NamedTuple):
    """The answers about one payer: `numbers` with the people that each refers to.

    `nearest` are those who may be meant by an uncertain name, None where nobody may be; `latin`
    has the people whose surname is not known, `namesakes` those with a person's surname.
    """

    found: PayerCandidates
    nearest: tuple[PayerCandidates, ...] | None
    numbers: Mapping[str, tuple[str, ...]]
    latin: frozenset[str] = frozenset()
    namesakes: Mapping[str, tuple[str, ...]] = {}

    @property
    def person_ids(self) -> frozenset[str]:
        """Everybody whose bills may be looked at."""
        named = (*self.found.person_ids, *self.found.longer_names)
        near = (id_ for found in self.nearest or () for id_ in found.person_ids)
        return frozenset((*named, *near, *(id_ for ids in self.namesakes.values() for id_ in ids)))

    def is_changed_by(self, person_id: str, references: Iterable[str]) -> bool:
        """Whether the numbers refer to a person otherwise than when they were read."""
        references = set(references)
        before = {number for number, ids in self.numbers.items() if person_id in ids}
        if before != references & self.numbers.keys():
            return True
        was_near = any(
            person_id in found.person_ids
            for found in self.nearest or ()
            if found.reason is PayerReason.REFERENCE_ONE_DIGIT_OFF
        )
        unknown = [number for number, ids in self.numbers.items() if not ids]
        is_near = any(
            near in references for number in unknown for near in numbers_one_digit_off(number)
        )
        return was_near != is_near


def numbers_one_digit_off(reference: str) -> list[str]:
    """Return every number that differs from a reference of digits in exactly one of them."""
    if reference_numbers(reference) != (reference,):
        return []
    return [
        f"{reference[:place]}{digit}{reference[place + 1 :]}"
        for place in range(len(reference))
        for digit in "0123456789"
        if digit != reference[place]
    ]


PayerAsked = tuple[str, str, bool]
"""A payer, its message, and whether letters of it are broken."""


@dataclass
class _Answers:
    """What was answered about a payer until now."""

    found: PayerCandidates
    nearest: tuple[PayerCandidates, ...] | None = None
    namesakes: dict[str, tuple[str, ...]] = field(default_factory=dict)


class ReadingRecorder:
    """Answers from an index of all people, and notes the answers about each payer."""

    def __init__(self, index: PayerIndex) -> None:
        self._index = index
        self._answers: dict[PayerAsked, _Answers] = {}

    def find(self, text: str, message: str = "", *, is_broken: bool = False) -> PayerCandidates:
        asked = text, message, is_broken
        if asked not in self._answers:
            self._answers[asked] = _Answers(self._index.find(text, message, is_broken=is_broken))
        self._last = self._answers[asked]
        return self._last.found

    def candidates(self, text: str, message: str = "") -> Sequence[PayerCandidates]:
        if self._last.nearest is None:
            self._last.nearest = tuple(self._index.candidates(text, message))
        return self._last.nearest

    def reason_of(self, person_id: str, reason: PayerReason) -> PayerReason:
        return self._index.reason_of(person_id, reason)

    def same_surname(self, person_id: str) -> Sequence[str]:
        if person_id not in self._last.namesakes:
            self._last.namesakes[person_id] = tuple(self._index.same_surname(person_id))
        return self._last.namesakes[person_id]

    @property
    def readings(self) -> Mapping[PayerAsked, Reading]:
        """The answers about each payer who was asked about."""
        return {asked: self._make_reading(asked, kept) for asked, kept in self._answers.items()}

    def _make_reading(self, asked: PayerAsked, kept: _Answers) -> Reading:
        text, message, _ = asked
        nearest = kept.nearest
        if nearest is None and kept.found.reason in _MAY_BE_GUESSED:
            # Asked at another amount, if not at these.
            nearest = tuple(self._index.candidates(text, message))
        by_surname = [*kept.namesakes.values()]
        by_surname += [
            found.person_ids for found in nearest or () if found.reason is PayerReason.SURNAME
        ]
        return Reading(
            kept.found,
            nearest,
            {number: tuple(ids) for number, ids in self._index.referred(text, message).items()},
            frozenset(id_ for ids in by_surname for id_ in ids if self._index.is_latin(id_)),
            kept.namesakes,
        )


class NotReadError(Exception):
    """An answer that was not kept: only all people together give it."""


class KeptReader:
    """Answers from kept readings, by payer, message and whether the letters are broken."""

    def __init__(self, readings: Mapping[PayerAsked, Reading]) -> None:
        self._readings = readings

    def find(self, text: str, message: str = "", *, is_broken: bool = False) -> PayerCandidates:
        reading = self._readings.get((text, message, is_broken))
        if reading is None:
            raise NotReadError
        self._reading = reading
        return reading.found

    def candidates(self, text: str, message: str = "") -> Sequence[PayerCandidates]:
        if self._reading.nearest is None:
            raise NotReadError
        return self._reading.nearest

    def reason_of(self, person_id: str, reason: PayerReason) -> PayerReason:
        is_latin = reason is PayerReason.SURNAME and person_id in self._reading.latin
        return PayerReason.NAME_PART if is_latin else reason

    def same_surname(self, person_id: str) -> Sequence[str]:
        if person_id not in self._reading.namesakes:
            raise NotReadError
        return self._reading.namesakes[person_id]
