"""A notice that leaves before the last day billed elsewhere gives those days back in the same act."""

from datetime import date

import pytest

from pms.arrivals.taking_over import take_over
from pms.departures.expected_departures import file_notice_giving_back
from pms.departures.notice_plans import preview_notice
from pms.foundation.errors import Collision
from pms.rules.enumerations import EntryKind
from tests.ledger.conftest import Books, books

__all__ = ["books"]
LEAVES, THROUGH = date(2026, 12, 20), date(2026, 12, 31)


def test_days_billed_beyond_the_move_out_are_credited_with_the_notice(books: Books) -> None:
    books.at(date(2026, 11, 20))
    id_ = books.resident(date(2026, 4, 1), None)
    books.do(take_over, reservation_id=id_, billed_through_on=THROUGH)
    with books.reading() as session:
        preview = preview_notice(session, books.clock, reservation_id=id_, move_out_on=LEAVES)
    assert preview.billed_ahead == (date(2026, 12, 21), THROUGH)
    books.do(file_notice_giving_back, reservation_id=id_, move_out_on=LEAVES)
    credit = books.entry(id_, EntryKind.CREDIT)
    assert credit.total_yen == -preview.billed_ahead_yen < 0
    assert credit.label.en == "Rent for 21–31 December 2026"


def test_a_notice_changed_meanwhile_is_neither_filed_nor_credited(books: Books) -> None:
    books.at(date(2026, 11, 20))
    id_ = books.resident(date(2026, 4, 1), None)
    books.do(take_over, reservation_id=id_, billed_through_on=THROUGH)
    with pytest.raises(Collision):
        books.do(
            file_notice_giving_back, reservation_id=id_, move_out_on=LEAVES, expected_version=99
        )
    assert not [one for one in books.entries(id_) if one.kind == EntryKind.CREDIT]


def test_without_such_days_it_only_files(books: Books) -> None:
    books.at(date(2026, 11, 20))
    id_ = books.resident(date(2026, 4, 1), None)
    books.do(take_over, reservation_id=id_, billed_through_on=date(2026, 11, 30))
    books.do(file_notice_giving_back, reservation_id=id_, move_out_on=LEAVES)
    assert not [one for one in books.entries(id_) if one.kind == EntryKind.CREDIT]
