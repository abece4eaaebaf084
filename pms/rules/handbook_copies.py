"""Who reads which handbook page, and who may see its code (specification, Surfaces).

A code opens a door: readers see the page, but its code only while they have access today.
"""

from dataclasses import dataclass
from enum import StrEnum

from pms.rules.enumerations import HandbookReader


class CodeSight(StrEnum):
    """Whether a reader may see the code of a page, and if not, why."""

    NONE = "none"
    BY_TAP = "by_tap"
    NOT_LIVING = "not_living"
    NOT_RELEASED = "not_released"
    REGISTER_OPEN = "register_open"


@dataclass(frozen=True, slots=True)
class PageFacts:
    """A handbook page: its unit, whose copies include it, whether it has a code."""

    unit_id: str | None
    readers: frozenset[HandbookReader]
    has_code: bool


@dataclass(frozen=True, slots=True)
class ContractorFacts:
    """The holder of a live link to a project; `unit_id` is the project's, if it has one."""

    unit_id: str | None


@dataclass(frozen=True, slots=True)
class ResidentFacts:
    """A resident of a unit, and whether they live there today."""

    unit_id: str
    is_living: bool


@dataclass(frozen=True, slots=True)
class HandbookGuest:
    """A guest of a unit: whether codes may be shown by now, whether the register of guests is
    complete, and whether it has to be (policy `codes_need_register`).
    """

    unit_id: str
    is_released: bool
    is_register_complete: bool
    do_codes_need_register: bool = True


ReaderFacts = ContractorFacts | ResidentFacts | HandbookGuest

_READERS = {
    ContractorFacts: HandbookReader.CONTRACTOR,
    ResidentFacts: HandbookReader.RESIDENT,
    HandbookGuest: HandbookReader.GUEST,
}


def reads_page(page: PageFacts, reader: ReaderFacts) -> bool:
    """Tell whether a reader's copy includes a page: marked for them, and of their unit if any."""
    is_of_place = page.unit_id is None or page.unit_id == reader.unit_id
    return is_of_place and _READERS[type(reader)] in page.readers


def sees_code(page: PageFacts, reader: ReaderFacts) -> CodeSight:
    """Return whether a reader may see the page's code, and if not, why.

    A contractor may while the link is live, a resident while living there, a guest from the release
    time on and once the register is complete. Every reveal is recorded.
    """
    if not page.has_code or not reads_page(page, reader):
        return CodeSight.NONE
    match reader:
        case ResidentFacts(is_living=False):
            return CodeSight.NOT_LIVING
        case HandbookGuest(is_register_complete=False, do_codes_need_register=True):
            return CodeSight.REGISTER_OPEN
        case HandbookGuest(is_released=False):
            return CodeSight.NOT_RELEASED
    return CodeSight.BY_TAP
