"""The preview of a room or occupant change tells what the change then writes, and writes nothing."""

from typing import Any

import pytest

from pms.arrivals.amendments import AmendmentPreview, amend, preview_amendment
from pms.arrivals.lifecycles import advance_lifecycles, move_in
from pms.departures.notices import file_notice
from pms.deposits.deposit_report import balance_on
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import new_id
from pms.ledger.billing import bill_month
from pms.pricing.agreed_price import MonthlyAmounts
from pms.rules.enumerations import DepositMoveKind
from tests.arrivals.office import Office, day, refused

DEARER = MonthlyAmounts(base_rent_yen=124_000)


@pytest.fixture
def living(office: Office, room: str) -> str:
    """Somebody who lives in the room since 1 November and paid everything so far."""
    id_ = office.book(room, "2026-11-01", "2027-04-30")
    office.do(move_in, reservation_id=id_)
    office.pay(id_, 30_000 + 93_000 + 93_000)
    office.go_to("2026-11-25")
    office.do(bill_month)
    return id_


def preview(office: Office, living: str, last: str, **facts: Any) -> AmendmentPreview:
    return office.ask(
        preview_amendment,
        office.clock,
        reservation_id=living,
        last_on=day(last),
        **{"amounts": DEARER} | facts,
    )


def change(office: Office, living: str, last: str, **facts: Any) -> Any:
    given = {"amounts": DEARER} | facts
    return office.do(amend, reservation_id=living, last_on=day(last), **given)


def test_it_tells_the_repriced_rows_and_the_invoice_that_are_then_written(
    office: Office, living: str, other_room: str
) -> None:
    before = office.counts()
    seen = preview(office, living, "2026-12-16", unit_id=other_room)
    assert office.counts() == before
    done = change(office, living, "2026-12-16", unit_id=other_room)
    assert [row.total_yen for row in seen.repriced] == [48_000]
    assert [(one.after, one.total_yen) for one in seen.repriced] == [
        (one.after, one.total_yen) for one in done.repriced
    ]
    assert seen.new.booking.move_in_date == day("2026-12-17")
    assert seen.new.invoice is not None
    assert seen.new.invoice.total_yen == done.booked.invoice.total_yen
    assert seen.version == 2


def test_it_shows_both_lines_of_the_deposit_on_the_day_it_moves(
    office: Office, living: str, other_room: str
) -> None:
    transfer = preview(office, living, "2026-12-16", unit_id=other_room).transfer
    assert transfer is not None
    assert [(move.on, move.kind, move.line_yen) for move in (transfer.out, transfer.into)] == [
        (day("2026-12-17"), DepositMoveKind.OUT, -93_000),
        (day("2026-12-17"), DepositMoveKind.IN, 93_000),
    ]
    new = change(office, living, "2026-12-16", unit_id=other_room).booked.reservation_id
    office.go_to("2026-12-17")
    office.do(advance_lifecycles)
    assert office.ask(balance_on, new, office.clock.today()).held_yen == transfer.into.yen


def test_a_change_written_afterwards_moves_the_deposit_today(
    office: Office, living: str, other_room: str
) -> None:
    transfer = preview(office, living, "2026-11-20", unit_id=other_room).transfer
    assert transfer is not None
    assert transfer.out.on == office.clock.today()


def test_it_names_the_notice_that_falls_away(office: Office, living: str, other_room: str) -> None:
    assert preview(office, living, "2026-12-20", unit_id=other_room).dropped_move_out_on is None
    office.do(file_notice, reservation_id=living, move_out_on=day("2026-12-10"))
    seen = preview(office, living, "2026-12-20", unit_id=other_room)
    assert seen.dropped_move_out_on == day("2026-12-10")


def test_it_refuses_what_the_change_refuses(office: Office, living: str, other_room: str) -> None:
    office.book(other_room, "2026-12-20", "2027-02-01")
    for facts, saying in (
        ({"last": "2026-12-16"}, "Neither the room nor the occupant changes"),
        ({"last": "2026-10-01", "unit_id": other_room}, "before the move-in on 2026-11-01"),
        ({"last": "2026-12-16", "unit_id": other_room}, "another reservation of the unit"),
    ):
        with refused(office, saying, Refused):
            preview(office, living, **facts)
        with refused(office, saying, Refused):
            change(office, living, **facts)


def test_there_is_nothing_to_preview_of_another_workspace(office: Office) -> None:
    with refused(office, "There is no reservation", NotFound):
        preview(office, new_id(), "2026-12-16")


def test_it_tells_what_is_overpaid_then_and_how_much_of_it_moves(
    office: Office, living: str, other_room: str
) -> None:
    """The penalty of a notice falls away, and December is billed for 16 days."""
    office.do(file_notice, reservation_id=living, move_out_on=day("2026-12-31"))
    office.pay_all(living)
    stays = preview(office, living, "2026-12-16", unit_id=other_room)
    moves = preview(office, living, "2026-12-16", unit_id=other_room, moves_overpayment=True)
    done = change(office, living, "2026-12-16", unit_id=other_room, moves_overpayment=True)
    assert (stays.moving_yen, moves.overpaid_yen) == (0, stays.overpaid_yen)
    assert moves.moving_yen == done.moved_yen > 45_000
