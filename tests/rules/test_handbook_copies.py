"""Who reads which page of a handbook, and who may see its code."""

import pytest

from pms.rules.enumerations import HandbookReader
from pms.rules.handbook_copies import (
    CodeSight,
    ContractorFacts,
    HandbookGuest,
    PageFacts,
    ReaderFacts,
    ResidentFacts,
    reads_page,
    sees_code,
)

ALL = frozenset(HandbookReader)
OURS, OTHERS = "unit-101", "unit-102"
CONTRACTOR = ContractorFacts(OURS)
RESIDENT = ResidentFacts(OURS, is_living=True)
FORMER = ResidentFacts(OURS, is_living=False)
GUEST = HandbookGuest(OURS, is_released=True, is_register_complete=True)


def page(
    unit_id: str | None = None,
    readers: frozenset[HandbookReader] = ALL,
    has_code: bool = True,
) -> PageFacts:
    return PageFacts(unit_id, readers, has_code)


@pytest.mark.parametrize("reader", [CONTRACTOR, RESIDENT, FORMER, GUEST])
def test_everyone_reads_the_building_and_their_own_unit_and_no_other(reader: ReaderFacts) -> None:
    assert reads_page(page(), reader)
    assert reads_page(page(OURS), reader)
    assert not reads_page(page(OTHERS), reader)
    assert sees_code(page(OTHERS), reader) is CodeSight.NONE


def test_a_project_of_the_whole_building_reads_no_page_of_a_unit() -> None:
    assert not reads_page(page(OURS), ContractorFacts(None))
    assert reads_page(page(), ContractorFacts(None))


@pytest.mark.parametrize(
    ("reader", "mark"),
    [
        (CONTRACTOR, HandbookReader.CONTRACTOR),
        (RESIDENT, HandbookReader.RESIDENT),
        (GUEST, HandbookReader.GUEST),
    ],
)
def test_a_mark_is_all_that_opens_a_page(reader: ReaderFacts, mark: HandbookReader) -> None:
    assert reads_page(page(readers=frozenset({mark})), reader)
    others = page(readers=ALL - {mark})
    assert not reads_page(others, reader)
    assert sees_code(others, reader) is CodeSight.NONE
    assert not reads_page(page(readers=frozenset()), reader)


@pytest.mark.parametrize(
    ("reader", "sight"),
    [
        (CONTRACTOR, CodeSight.BY_TAP),
        (RESIDENT, CodeSight.BY_TAP),
        (FORMER, CodeSight.NOT_LIVING),
        (GUEST, CodeSight.BY_TAP),
        (HandbookGuest(OURS, False, True), CodeSight.NOT_RELEASED),
        (HandbookGuest(OURS, True, False), CodeSight.REGISTER_OPEN),
        (HandbookGuest(OURS, False, False), CodeSight.REGISTER_OPEN),
        (HandbookGuest(OURS, True, False, do_codes_need_register=False), CodeSight.BY_TAP),
        (HandbookGuest(OURS, False, False, do_codes_need_register=False), CodeSight.NOT_RELEASED),
    ],
)
def test_a_code_is_for_who_is_let_in_today(reader: ReaderFacts, sight: CodeSight) -> None:
    assert sees_code(page(), reader) is sight
    assert sees_code(page(has_code=False), reader) is CodeSight.NONE
