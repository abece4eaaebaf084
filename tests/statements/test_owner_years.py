"""A calendar year of an owner is the sum of its published months, to the yen."""

import csv
import io
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from pms.catalogue.models import Owner
from pms.catalogue.owners import ever_owned_buildings
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.rules.enumerations import FeeCategory
from pms.statements.owner_figures import IncomeRow, fit_rooms, room_rows
from pms.statements.owner_money import post_owner_deduction
from pms.statements.owner_publishing import publish_statement
from pms.statements.owner_statements import statements_of_owner
from pms.statements.owner_terms import agree_terms
from pms.statements.owner_years import OwnerYear, owner_year, year_csv, year_pdf, years_of_owner
from tests.cast import House
from tests.statements.papers import text_of
from tests.statements.postings import pay, post_entry, rent, utilities

TODAY = date(2027, 2, 5)


@pytest.fixture
def february() -> FixedClock:
    return FixedClock(datetime(2027, 2, 5, 3, 0, tzinfo=UTC))


@pytest.fixture
def agreed(database: Database, house: House) -> House:
    with database.writing(house.workspace_id) as session:
        agree_terms(
            Work(session, FixedClock(datetime(2026, 1, 1, 3, 0, tzinfo=UTC)), "office"),
            building_id=house.building_id,
            from_on=date(2026, 1, 1),
            management_percent=Decimal("5.5"),
            payout_day=15,
        )
    return house


def receive(database: Database, house: House, yen: int, on: date) -> None:
    with database.writing(house.workspace_id) as session:
        lines = [rent(yen - 8_000), utilities(8_000)]
        entry_id = post_entry(session, house.resident_id, lines, issued_on=on, due_on=on)
        pay(session, house.resident_id, {entry_id: yen}, on)


def deduct(database: Database, house: House, yen: int, on: date, kind: FeeCategory) -> None:
    with database.writing(house.workspace_id) as session:
        post_owner_deduction(
            Work(session, FixedClock(datetime(2027, 1, 31, 3, 0, tzinfo=UTC)), "office"),
            building_id=house.building_id,
            category=kind,
            label=Bilingual("費用", "A cost"),
            amount_yen=yen,
            deducted_on=on,
        )


def publish(database: Database, clock: FixedClock, house: House, months: list[date]) -> None:
    with database.writing(house.workspace_id) as session:
        for month_on in months:
            publish_statement(
                Work(session, clock, "office"), building_id=house.building_id, month_on=month_on
            )


def the_year(database: Database, house: House, year: int = 2026) -> OwnerYear:
    with database.reading(house.workspace_id) as session:
        owner_ids = list(session.scalars(select(Owner.id)))
        return owner_year(session, owner_ids, year, TODAY)


AUTUMN = [date(2026, month, 1) for month in (9, 10, 11, 12)]


def test_a_year_names_rooms_costs_by_kind_and_the_tax_in_the_fee(
    database: Database, february: FixedClock, agreed: House
) -> None:
    for month in (9, 11, 12):
        receive(database, agreed, 101_000, date(2026, month, 25))
    receive(database, agreed, 101_000, date(2027, 1, 5))
    cleaning, repair = FeeCategory.CLEANING, FeeCategory.REPAIR
    for yen, on, kind in ((5_500, 9, cleaning), (5_500, 11, cleaning), (33_000, 11, repair)):
        deduct(database, agreed, yen, date(2026, on, 10), kind)
    publish(database, february, agreed, [*AUTUMN[:1], *AUTUMN[2:], date(2027, 1, 1)])
    found = the_year(database, agreed)
    (building,) = found.buildings
    assert [(room.unit, room.yen) for room in building.rooms] == [("101", 303_000)]
    assert building.rooms[0].by_category == {"rent": 279_000, "utilities": 24_000}
    # 5.5 % of 101,000 is 5,555; ten parts of 110 in it are 505.
    assert (found.fee_yen, found.fee_tax_yen) == (3 * 5_555, 3 * 505)
    assert building.costs == {"cleaning": 11_000, "repair": 33_000}
    assert found.net_yen == 303_000 - 16_665 - 44_000
    assert building.lacking == [date(2026, 10, 1)]


def test_the_paper_and_the_file_of_a_year_name_year_building_and_every_room_once(
    database: Database, february: FixedClock, agreed: House
) -> None:
    receive(database, agreed, 101_000, date(2026, 11, 25))
    publish(database, february, agreed, AUTUMN)
    found = the_year(database, agreed)
    with database.reading(agreed.workspace_id) as session:
        text = text_of(year_pdf(session, found, "ja", TODAY))
    for said in (
        "年間収支明細書",
        "山本 茂 様",
        "シェアハウス カワセミ荘",
        "¥505",
        "2026年11月",
        "¥95,445",
    ):
        assert said in text, said
    head, *rows = csv.reader(io.StringIO(year_csv(found, "ja").decode("utf-8-sig")))
    assert head[:2] == ["対象年", "建物"]
    assert {(row[0], row[1]) for row in rows} == {("2026", "シェアハウス カワセミ荘")}
    assert [row[5:] for row in rows if row[3] == "101"] == [["101000", "93000", "8000"]]


def test_a_year_of_which_nothing_is_published_is_not_there(
    database: Database, agreed: House
) -> None:
    with pytest.raises(NotFound, match="No month of 2025 has been published"):
        the_year(database, agreed, 2025)


_PAID = st.tuples(st.integers(1, 12), st.integers(8_000, 300_000))
_COST = st.tuples(st.integers(1, 12), st.integers(-50_000, 200_000).filter(bool))


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    paid=st.lists(_PAID, max_size=8),
    costs=st.lists(_COST, max_size=4),
    published=st.sets(st.integers(1, 12), min_size=1),
)
def test_any_year_is_the_sum_of_its_statements(
    database: Database,
    agreed: House,
    paid: list[tuple[int, int]],
    costs: list[tuple[int, int]],
    published: set[int],
) -> None:
    clock = FixedClock(datetime(2027, 2, 5, 3, 0, tzinfo=UTC))
    with database.writing(agreed.workspace_id) as session:
        for month, yen in paid:
            on, lines = date(2026, month, 25), [rent(yen - 7_999), utilities(7_999)]
            entry_id = post_entry(session, agreed.resident_id, lines, issued_on=on, due_on=on)
            pay(session, agreed.resident_id, {entry_id: yen}, on)
        for month, yen in costs:
            post_owner_deduction(
                Work(session, clock, "office"),
                building_id=agreed.building_id,
                category=FeeCategory.REPAIR,
                label=Bilingual(f"費用{month}", None),
                amount_yen=yen,
                deducted_on=date(2026, month, 3),
            )
        for month in sorted(published):
            publish_statement(
                Work(session, clock, "office"),
                building_id=agreed.building_id,
                month_on=date(2026, month, 1),
            )
        owner_ids = list(session.scalars(select(Owner.id)))
        buildings = ever_owned_buildings(session, owner_ids)
        assert years_of_owner(session, buildings) == [2026]
        months = statements_of_owner(session, buildings, date(2026, 1, 1), date(2026, 12, 1))
        year = owner_year(session, owner_ids, 2026, TODAY)
        found = [month.figures for month in months]
        assert year.income_yen == sum(one.income_yen for one in found)
        assert year.income_yen == sum(room.yen for one in year.buildings for room in one.rooms)
        assert year.fee_yen + year.costs_yen == sum(one.deducted_yen for one in found)
        kinds = [yen for one in year.buildings for yen in one.costs.values()]
        assert year.costs_yen == sum(kinds)
        assert year.payout_yen == sum(one.payout_yen for one in found)
        session.rollback()


def test_a_paper_has_room_for_four_categories_and_counts_the_rest_as_other() -> None:
    income = [
        IncomeRow("9", one.value, 100)
        for one in (FeeCategory.RENT, FeeCategory.UTILITIES, FeeCategory.BUILDING_MAINTENANCE)
    ]
    more = [IncomeRow("10", one.value, 7) for one in (FeeCategory.CLEANING, FeeCategory.OTHER)]
    nine, ten = fit_rooms(room_rows([*more, *income]))
    assert (nine.unit, list(nine.by_category)) == (
        "9",
        ["rent", "utilities", "building_maintenance"],
    )
    assert ten.by_category == {"other": 14}
