"""An owner reads what came in, what was taken off, and what is paid out; nothing published moves."""

import csv
import io
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import DBAPIError

from pms.catalogue.models import Building, Owner
from pms.deposits.models import DeductionRow, Settlement
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.mail_texts import format_yen
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.charges import post_credit
from pms.rules.enumerations import FeeCategory
from pms.statements.invoices import issue_invoice
from pms.statements.models import OwnerDeduction, OwnerStatement
from pms.statements.owner_figures import (
    DeductionLine,
    IncomeRow,
    OwnerFigures,
    owner_figures,
    read,
    read_with_account,
)
from pms.statements.owner_money import post_owner_deduction
from pms.statements.owner_months import StatementState, owner_month
from pms.statements.owner_publishing import publish_statement
from pms.statements.owner_statements import statement_csv, statement_pdf
from pms.statements.owner_terms import agree_terms
from pms.statements.paid_invoices import invoices_paid_in_month
from pms.statements.queries import versions_of_month
from tests.cast import House, reservation
from tests.statements.papers import fonts_of, text_of
from tests.statements.postings import (
    AUDIT,
    deposit,
    pay,
    post_entry,
    rent,
    reservation_fee,
    service,
    utilities,
    void,
)

OCTOBER, NOVEMBER, DECEMBER = (date(2026, month, 1) for month in (10, 11, 12))
ACCOUNT = "すみれ銀行 向島支店 普通 7654321"


@pytest.fixture
def early_december() -> FixedClock:
    return FixedClock(datetime(2026, 12, 5, 3, 0, tzinfo=UTC))


@pytest.fixture
def worked(database: Database, house: House) -> House:
    """October and November of Kawasemi House as an accountant would write them on paper."""
    with database.writing(house.workspace_id) as session:
        clock = FixedClock(datetime(2026, 11, 30, 3, 0, tzinfo=UTC))
        agree_terms(
            Work(session, clock, "office"),
            building_id=house.building_id,
            from_on=date(2026, 1, 1),
            management_percent=Decimal("5.5"),
            payout_day=15,
            payout_account=ACCOUNT,
        )
        for on, yen, words in (
            (date(2026, 10, 10), 20_000, Bilingual("定期清掃", "Cleaning")),
            (date(2026, 11, 12), 48_400, Bilingual("給湯器の修理", "Water heater")),
        ):
            post_owner_deduction(
                Work(session, clock, "office"),
                building_id=house.building_id,
                category=FeeCategory.REPAIR,
                label=words,
                amount_yen=yen,
                deducted_on=on,
            )
    receive(database, house, [rent(93_000), utilities(8_000)], 101_000, date(2026, 10, 25))
    receive(database, house, [rent(93_000), utilities(8_000)], 95_000, date(2026, 11, 5))
    receive(database, house, [service(5_000)], 6_000, date(2026, 11, 6))
    receive(database, house, [rent(93_000), utilities(8_000)], 0, date(2026, 11, 25))
    move_in = [deposit(93_000), reservation_fee(33_000), rent(40_300)]
    receive(database, house, move_in, 150_000, date(2026, 11, 18), reservation_id=house.guest_id)
    keep_deposit(database, house, 12_000, date(2026, 11, 28))
    return house


def receive(
    database: Database,
    house: House,
    lines: list[dict[str, Any]],
    yen: int,
    on: date,
    *,
    reservation_id: str = "",
) -> str:
    """Post an entry and have so much of it paid on the same day."""
    with database.writing(house.workspace_id) as session:
        who = reservation_id or house.resident_id
        entry_id = post_entry(session, who, lines, issued_on=on, due_on=on)
        if yen:
            pay(session, who, {entry_id: yen}, on)
        return entry_id


def keep_deposit(database: Database, house: House, yen: int, on: date) -> None:
    """Someone who left room 102 loses part of the deposit for a repair."""
    with database.writing(house.workspace_id) as session:
        gone = reservation(
            unit_id=house.free_room_id, move_in_date=date(2025, 1, 1), move_out_date=on
        )
        session.add(gone)
        session.flush()
        settlement = Settlement(
            id=new_id(),
            reservation_id=gone.id,
            settled_on=on,
            held_yen=50_000,
            overpaid_yen=0,
            deducted_yen=yen,
            netted_yen=0,
            remainder_yen=50_000 - yen,
            owed_yen=0,
            **AUDIT,
        )
        session.add(settlement)
        session.flush()
        session.add(
            DeductionRow(
                settlement_id=settlement.id, position=1, label="壁", asked_yen=yen, reached_yen=yen
            )
        )


def figures(
    database: Database, house: House, month_on: date, today: date = date(2026, 12, 5)
) -> OwnerFigures:
    with database.reading(house.workspace_id) as session:
        return owner_figures(session, house.building_id, month_on, today)


def publish(
    database: Database, clock: FixedClock, house: House, month_on: date = NOVEMBER
) -> OwnerStatement:
    with database.writing(house.workspace_id) as session:
        return publish_statement(
            Work(session, clock, "office"), building_id=house.building_id, month_on=month_on
        )


def state(database: Database, house: House, month_on: date, today: date) -> StatementState:
    with database.reading(house.workspace_id) as session:
        return owner_month(session, house.building_id, month_on, today).state


# The figures


def test_a_worked_month_comes_out_to_the_yen(database: Database, worked: House) -> None:
    november = figures(database, worked, NOVEMBER)
    assert november.income == (
        IncomeRow("101", "rent", 93_000),
        IncomeRow("101", "utilities", 2_000),
        IncomeRow("101", "service", 5_000),
        IncomeRow("102", "kept_deposit", 12_000),
        IncomeRow("202", "rent", 40_300),
        IncomeRow("202", "reservation_fee", 33_000),
    )
    # 5.5 % of 185,300 is 10,191.5, rounded away from zero.
    assert november.deductions == (
        DeductionLine("管理手数料（5.5%）", "Management fee (5.5%)", None, 10_192),
        DeductionLine("給湯器の修理", "Water heater", date(2026, 11, 12), 48_400, "repair"),
    )
    # October: 101,000 - 5,555 - 20,000, published by nobody, so still there.
    assert november.opening_yen == 75_445
    assert november.closing_yen == 75_445 + 185_300 - 10_192 - 48_400 == 202_153
    assert (november.payout_yen, november.carried_yen) == (202_153, 0)
    assert (november.payout_on, november.payout_account) == (date(2026, 12, 15), ACCOUNT)


def test_a_month_follows_the_one_before_it(database: Database, worked: House) -> None:
    october, november = (figures(database, worked, month_on) for month_on in (OCTOBER, NOVEMBER))
    assert october.opening_yen == 0
    assert october.closing_yen == november.opening_yen == 75_445


def test_what_was_billed_and_not_paid_is_no_income(database: Database, worked: House) -> None:
    december = figures(database, worked, DECEMBER)
    assert december.income == ()
    assert december.deductions == ()


def test_voiding_takes_income_back_in_the_month_of_the_voiding(
    database: Database, worked: House
) -> None:
    entry_id = receive(database, worked, [rent(10_000)], 10_000, date(2026, 11, 29))
    with database.writing(worked.workspace_id) as session:
        void(session, entry_id, worked.resident_id, date(2026, 12, 2))
    assert figures(database, worked, NOVEMBER).income_yen == 195_300
    assert figures(database, worked, DECEMBER).income == (IncomeRow("101", "rent", -10_000),)


def test_a_negative_month_pays_nothing_and_is_carried(database: Database, house: House) -> None:
    clock = FixedClock(datetime(2026, 11, 30, 3, 0, tzinfo=UTC))
    with database.writing(house.workspace_id) as session:
        post_owner_deduction(
            Work(session, clock, "office"),
            building_id=house.building_id,
            category=FeeCategory.REPAIR,
            label=Bilingual("屋根", None),
            amount_yen=30_000,
        )
    november = figures(database, house, NOVEMBER)
    assert (november.closing_yen, november.payout_yen, november.carried_yen) == (
        -30_000,
        0,
        -30_000,
    )
    assert figures(database, house, DECEMBER).opening_yen == -30_000


def test_another_building_and_another_workspace_bring_nothing(
    database: Database, worked: House, cast: object
) -> None:
    with database.writing(worked.workspace_id) as session:
        with pytest.raises(NotFound):
            publish_statement(
                Work(session, FixedClock(datetime(2026, 12, 5, tzinfo=UTC)), "office"),
                building_id=new_id(),
                month_on=NOVEMBER,
            )
        assert owner_figures(session, new_id(), NOVEMBER, DECEMBER).income == ()


# Publishing


def test_the_first_version_keeps_the_figures(
    database: Database, early_december: FixedClock, worked: House
) -> None:
    assert state(database, worked, NOVEMBER, DECEMBER) is StatementState.UNPUBLISHED
    statement = publish(database, early_december, worked)
    assert statement.version == 1
    with database.reading(worked.workspace_id) as session:
        published = read_with_account(session, statement)
    assert ACCOUNT not in str(statement.figures)
    assert published.figures == figures(database, worked, NOVEMBER)
    assert (published.owner, published.building_en) == ("山本 茂", "Kawasemi House")
    assert state(database, worked, NOVEMBER, DECEMBER) is StatementState.PUBLISHED


def test_publishing_again_without_a_change_is_the_same_version(
    database: Database, early_december: FixedClock, worked: House
) -> None:
    first, second = (publish(database, early_december, worked) for _ in range(2))
    assert first.id == second.id


def test_a_change_before_the_payout_is_a_second_version_that_pays_the_rest(
    database: Database, early_december: FixedClock, worked: House
) -> None:
    first = publish(database, early_december, worked)
    receive(database, worked, [rent(20_000)], 20_000, date(2026, 11, 30))
    assert state(database, worked, NOVEMBER, date(2026, 12, 5)) is StatementState.CHANGED
    second = publish(database, early_december, worked)
    assert (first.version, second.version) == (1, 2)
    assert read(first.figures).figures.payout_yen == 202_153
    # 5.5 % of 205,300 is 11,291.5.
    assert read(second.figures).figures.payout_yen == 202_153 + 20_000 - 1_100
    assert state(database, worked, NOVEMBER, date(2026, 12, 5)) is StatementState.PUBLISHED
    with database.reading(worked.workspace_id) as session:
        assert [
            row.version for row in versions_of_month(session, worked.building_id, NOVEMBER)
        ] == [2, 1]


def test_after_the_payout_it_stands_and_the_change_goes_to_the_next_month(
    database: Database, early_december: FixedClock, worked: House
) -> None:
    publish(database, early_december, worked)
    receive(database, worked, [rent(20_000)], 20_000, date(2026, 11, 30))
    early_december.advance(timedelta(days=10))
    second = read(publish(database, early_december, worked).figures).figures
    assert (second.payout_yen, second.carried_yen) == (202_153, 18_900)
    assert figures(database, worked, DECEMBER).opening_yen == 18_900


def test_a_payout_is_taken_off_what_the_next_month_opens_with(
    database: Database, early_december: FixedClock, worked: House
) -> None:
    publish(database, early_december, worked)
    assert figures(database, worked, DECEMBER).opening_yen == 0


def test_a_month_that_runs_or_was_passed_over_is_refused(
    database: Database, early_december: FixedClock, worked: House
) -> None:
    with pytest.raises(Refused, match="2026-12 is not over"):
        publish(database, early_december, worked, DECEMBER)
    publish(database, early_december, worked)
    with pytest.raises(Refused, match="2026-10 is included in 2026-11"):
        publish(database, early_december, worked, OCTOBER)


def test_a_building_without_an_owner_has_nobody_to_publish_for(
    database: Database, early_december: FixedClock, worked: House
) -> None:
    with database.writing(worked.workspace_id) as session:
        session.scalars(select(Building)).one().owner_id = None
    with pytest.raises(Refused, match="no owner"):
        publish(database, early_december, worked)


def test_sixteen_who_publish_at_once_publish_one_version(
    database: Database, early_december: FixedClock, worked: House
) -> None:
    with ThreadPoolExecutor(16) as threads:
        found = set(threads.map(lambda _: publish(database, early_december, worked).id, range(16)))
    assert len(found) == 1


def test_a_published_statement_and_a_deduction_are_never_changed(
    database: Database, early_december: FixedClock, worked: House
) -> None:
    publish(database, early_december, worked)
    for row, change in ((OwnerStatement, {"version": 7}), (OwnerDeduction, {"amount_yen": 1})):
        with (
            pytest.raises(DBAPIError, match="written_once"),
            database.writing(worked.workspace_id) as session,
        ):
            session.execute(update(row).values(**change))


# Terms and deductions


def test_terms_hold_from_their_month_on_and_the_same_month_replaces(
    database: Database, worked: House
) -> None:
    clock = FixedClock(datetime(2026, 11, 30, 3, 0, tzinfo=UTC))
    for percent in ("8", "10"):
        with database.writing(worked.workspace_id) as session:
            agree_terms(
                Work(session, clock, "office"),
                building_id=worked.building_id,
                from_on=NOVEMBER,
                management_percent=Decimal(percent),
                payout_day=31,
            )
    november = figures(database, worked, NOVEMBER)
    assert november.deductions[0].yen == 18_530
    assert november.opening_yen == 75_445
    # Banks are closed from 31 December to 3 January; 28 February 2027 is a Sunday.
    assert november.payout_on == date(2026, 12, 30)
    assert figures(database, worked, date(2027, 1, 1)).payout_on == date(2027, 2, 26)
    assert figures(database, worked, date(2027, 2, 1)).payout_on == date(2027, 3, 31)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"from_on": date(2026, 11, 2)}, "not the first day of a month"),
        ({"management_percent": Decimal("100.1")}, "Enter 0 to 100"),
        ({"management_percent": Decimal("NaN")}, "Enter 0 to 100"),
        ({"payout_day": 32}, "Enter 1 to 31"),
    ],
)
def test_terms_that_cannot_be_are_refused(
    database: Database, clock: FixedClock, house: House, given: dict[str, Any], message: str
) -> None:
    usual: dict[str, Any] = {
        "from_on": NOVEMBER,
        "management_percent": Decimal(5),
        "payout_day": 15,
    }
    with (
        database.writing(house.workspace_id) as session,
        pytest.raises(Refused, match=message),
    ):
        agree_terms(Work(session, clock, "office"), building_id=house.building_id, **usual | given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"amount_yen": 0}, "a deduction of 0 is not possible. Enter"),
        ({"deducted_on": date(2026, 11, 21)}, "is in the future"),
        ({"label": Bilingual(None, None)}, "describe the deduction in Japanese or English"),
    ],
)
def test_deductions_that_cannot_be_are_refused(
    database: Database, clock: FixedClock, house: House, given: dict[str, Any], message: str
) -> None:
    usual: dict[str, Any] = {
        "category": FeeCategory.REPAIR,
        "label": Bilingual("屋根", "Roof"),
        "amount_yen": 1,
    }
    with (
        database.writing(house.workspace_id) as session,
        pytest.raises(Refused, match=message),
    ):
        post_owner_deduction(
            Work(session, clock, "office"), building_id=house.building_id, **usual | given
        )


# The papers


@pytest.mark.parametrize("locale", ["ja", "en"])
def test_the_paper_and_the_file_have_the_same_rows_in_the_same_order(
    database: Database, early_december: FixedClock, worked: House, locale: str
) -> None:
    statement = publish(database, early_december, worked)
    with database.reading(worked.workspace_id) as session:
        pdf = statement_pdf(session, statement.id, locale)
        file = statement_csv(session, statement.id, locale).decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(file))
    text, place = text_of(pdf), 0
    for month, _, section, room_or_day, what, yen, *parts in rows:
        assert month == "2026-11"
        by_room = [format_yen(int(part)) for part in parts if part != "0"]
        for cell in (section if not what and not parts else "", room_or_day, what, *by_room):
            place = text.index(cell, place)
        assert text.index(format_yen(int(yen)), place) > 0
    assert len(head) == 6 + 5
    # What was brought forward, income, deductions, balances, consumption tax by class, rooms.
    assert len(rows) == 1 + 5 + 1 + 2 + 1 + 3 + 4 + 3
    assert fonts_of(pdf) == {"BIZUDPGothic-Regular", "BIZUDPGothic-Bold"}


def test_the_paper_names_owner_month_building_payout_and_account(
    database: Database, early_december: FixedClock, worked: House
) -> None:
    statement = publish(database, early_december, worked)
    with database.reading(worked.workspace_id) as session:
        text = text_of(statement_pdf(session, statement.id, "ja"))
    for said in (
        "送金明細書",
        "2026-11-1",
        "山本 茂 様",
        "シェアハウス カワセミ荘",
        "対象月 2026年11月",
        "送金日 2026年12月15日",
        ACCOUNT,
        "¥202,153",
        "前月からの繰越 ¥75,445",
        "収入合計 ¥185,300",
        "控除合計 ¥58,592",
    ):
        assert said in text, said


def test_no_paper_of_an_owner_names_a_resident(
    database: Database, early_december: FixedClock, worked: House
) -> None:
    statement = publish(database, early_december, worked)
    with database.reading(worked.workspace_id) as session:
        for locale in ("ja", "en"):
            text = text_of(statement_pdf(session, statement.id, locale))
            assert "佐藤" not in text
            assert "Emma" not in text


def test_an_owner_who_is_renamed_stays_as_published(
    database: Database, early_december: FixedClock, worked: House
) -> None:
    statement = publish(database, early_december, worked)
    with database.writing(worked.workspace_id) as session:
        session.execute(update(Owner).values(name="山本 新"))
        assert "山本 茂" in text_of(statement_pdf(session, statement.id, "ja"))


def test_a_cell_that_begins_like_a_formula_is_made_harmless(
    database: Database, early_december: FixedClock, worked: House
) -> None:
    with database.writing(worked.workspace_id) as session:
        post_owner_deduction(
            Work(session, early_december, "office"),
            building_id=worked.building_id,
            category=FeeCategory.OTHER,
            label=Bilingual("=1+1", None),
            amount_yen=-5,
            deducted_on=date(2026, 11, 30),
        )
    statement = publish(database, early_december, worked)
    with database.reading(worked.workspace_id) as session:
        assert "'=1+1,-5" in statement_csv(session, statement.id, "ja").decode("utf-8-sig")


def test_an_invoice_received_what_was_paid_and_not_what_a_credit_was_set_off_with(
    database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        november = post_entry(session, house.resident_id, [rent(93_000)])
        issue_invoice(Work(session, clock, "office"), november)
        post_credit(
            Work(session, clock, "office"),
            reservation_id=house.resident_id,
            amount_yen=10_000,
            label=Bilingual("暖房の故障", "Heating"),
            entry_id=november,
        )
        pay(session, house.resident_id, {november: 83_000}, date(2026, 11, 20))
        (paid,) = invoices_paid_in_month(session, house.building_id, NOVEMBER)
    assert paid.received_yen == 83_000
