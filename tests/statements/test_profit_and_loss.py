"""A month earns what was billed for its days, once, and no deposit while it is held."""

from datetime import date

import pytest

from pms.deposits.models import DeductionRow, Settlement
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.rules.enumerations import EntryKind
from pms.statements.reports import ProfitAndLoss, profit_and_loss
from tests.cast import Cast, House
from tests.statements.postings import (
    AUDIT,
    deposit,
    post_entry,
    post_lines,
    rent,
    reservation_fee,
    reversal,
    service,
    utilities,
)

pytestmark = pytest.mark.differs("time")

OCTOBER, NOVEMBER, DECEMBER = (date(2026, month, 1) for month in (10, 11, 12))
DAYS = (date(2026, 12, 1), date(2026, 12, 31))


@pytest.fixture
def house(cast: Cast) -> House:
    return cast.sumida


def _earned(database: Database, house: House, building_id: str | None = None) -> ProfitAndLoss:
    with database.reading(house.workspace_id) as session:
        return profit_and_loss(session, DECEMBER, building_id=building_id)


def test_a_bill_counts_in_the_month_of_its_days_and_a_fee_when_it_was_posted(
    database: Database, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        lines = [rent(93_000), utilities(8_000), reservation_fee(30_000), deposit(93_000)]
        post_entry(session, house.resident_id, lines, issued_on=date(2026, 11, 25), due_on=DAYS[0])
    found = _earned(database, house)
    assert found.of(DECEMBER, "rent") == 93_000
    assert found.of(DECEMBER, "utilities") == 8_000
    assert found.of(NOVEMBER, "reservation_fee") == 30_000
    assert found.total_yen == 131_000
    assert "deposit" not in found.categories


def test_a_repricing_corrects_the_month_it_is_about(database: Database, house: House) -> None:
    with database.writing(house.workspace_id) as session:
        entry = post_entry(
            session, house.resident_id, [rent(93_000)], issued_on=OCTOBER, due_on=OCTOBER
        )
        half = (date(2026, 12, 1), date(2026, 12, 15))
        post_lines(session, entry, [reversal(rent(93_000)), rent(45_000, half)], date(2026, 12, 20))
    found = _earned(database, house)
    assert found.of(DECEMBER, "rent") == 45_000
    assert found.total_yen == 45_000


def test_an_arrears_charge_earns_only_what_it_asks_above_the_shortfall(
    database: Database, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        old = post_entry(session, house.resident_id, [rent(93_000)])
        charge = post_entry(
            session,
            house.resident_id,
            [service(95_000, None)],
            kind=EntryKind.ARREARS,
            arrears_of_id=old,
            cancelled_yen=93_000,
            issued_on=date(2026, 12, 10),
            due_on=date(2026, 12, 20),
        )
    assert _earned(database, house).total_yen == 95_000
    with database.writing(house.workspace_id) as session:
        post_entry(
            session,
            house.resident_id,
            [reversal(service(95_000, None))],
            kind=EntryKind.OPPOSITE,
            opposes_id=charge,
            issued_on=date(2026, 12, 12),
            due_on=date(2026, 12, 12),
        )
    assert _earned(database, house).total_yen == 93_000


def test_what_a_settlement_keeps_is_earned_when_it_is_settled(
    database: Database, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        settled = Settlement(
            id=new_id(),
            reservation_id=house.resident_id,
            settled_on=date(2026, 11, 18),
            held_yen=93_000,
            overpaid_yen=0,
            deducted_yen=22_000,
            netted_yen=0,
            remainder_yen=71_000,
            owed_yen=0,
            **AUDIT,
        )
        session.add(settled)
        session.flush()
        session.add(
            DeductionRow(
                id=new_id(),
                settlement_id=settled.id,
                position=1,
                label="清掃",
                asked_yen=30_000,
                reached_yen=22_000,
                charge_id=None,
            )
        )
    assert _earned(database, house).of(NOVEMBER, "kept_deposit") == 22_000


def test_a_building_counts_its_own_and_a_stranger_nothing(
    database: Database, cast: Cast, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        post_entry(session, house.resident_id, [rent(93_000)])
    assert _earned(database, house, house.building_id).total_yen == 93_000
    assert _earned(database, house, cast.minato.building_id).total_yen == 0
    assert _earned(database, cast.minato).total_yen == 0
