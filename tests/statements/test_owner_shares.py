"""Several owners of a building: statements, payouts, years and fee invoices by share."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import DBAPIError

from pms.bank.mandates import set_owner_account
from pms.bank.payouts import make_payout_file, payout_file_record, waiting_payouts
from pms.catalogue.buildings import name_building_owner
from pms.catalogue.models import Building, Owner
from pms.catalogue.owner_lists import owner_lines
from pms.catalogue.owners import ever_owned_buildings, owned_buildings
from pms.catalogue.records import building_lines, building_record
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.lists import Paging
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.statements.fee_invoices import (
    fee_invoice_of,
    fee_invoice_pdf,
    fee_invoices_of_month,
    owner_parts,
    set_shares,
)
from pms.statements.models import FeeInvoice, OwnerStatement
from pms.statements.owner_figures import owner_figures
from pms.statements.owner_publishing import issue_missing_fee_invoices, publish_statement
from pms.statements.owner_statements import statement_csv, statement_of_owner, statement_pdf
from pms.statements.owner_terms import agree_terms
from pms.statements.owner_years import owner_year
from pms.workspaces.models import Workspace
from pms.workspaces.office_bank import set_office_bank
from tests.bank.test_debits import account
from tests.cast import House
from tests.statements.papers import text_of
from tests.statements.postings import pay, post_entry, rent, utilities

pytestmark = pytest.mark.differs("dates and sums of shares")
OCTOBER, NOVEMBER = date(2026, 10, 1), date(2026, 11, 1)
TODAY = date(2026, 12, 5)


@pytest.fixture
def december() -> FixedClock:
    return FixedClock(datetime(2026, 12, 5, 3, 0, tzinfo=UTC))


@pytest.fixture
def second(database: Database, house: House) -> str:
    """A second owner of Kawasemi House, not named to it yet."""
    with database.writing(house.workspace_id) as session:
        row = Owner(
            id=new_id(),
            name="山本 花",
            email="hana@example.jp",
            locale="ja",
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
        session.add(row)
        session.flush()
        return row.id


@pytest.fixture
def billed(database: Database, house: House) -> House:
    """5.5 % of 101,001 yen in October and in November."""
    with database.writing(house.workspace_id) as session:
        session.scalars(select(Workspace)).one().qualified_invoice_number = "T1234567890123"
        agree_terms(
            Work(session, FixedClock(datetime(2026, 1, 1, 3, 0, tzinfo=UTC)), "office"),
            building_id=house.building_id,
            from_on=date(2026, 1, 1),
            management_percent=Decimal("5.5"),
            payout_day=15,
            payout_account="みずほ銀行 渋谷支店 普通 0000001",
        )
        for on in (date(2026, 10, 25), date(2026, 11, 25)):
            lines = [rent(93_001), utilities(8_000)]
            entry_id = post_entry(session, house.resident_id, lines, issued_on=on, due_on=on)
            pay(session, house.resident_id, {entry_id: 101_001}, on)
    return house


def share(
    database: Database,
    clock: FixedClock,
    house: House,
    parts: list[tuple[str, Fraction]],
    from_on: date = NOVEMBER,
) -> None:
    with database.writing(house.workspace_id) as session:
        version = session.get_one(Building, (house.workspace_id, house.building_id)).version
        set_shares(
            Work(session, clock, "office"),
            building_id=house.building_id,
            from_on=from_on,
            parts=parts,
            version=version,
        )


def publish(
    database: Database, clock: FixedClock, house: House, month_on: date, **given: Any
) -> OwnerStatement:
    with database.writing(house.workspace_id) as session:
        return publish_statement(
            Work(session, clock, "office"),
            building_id=house.building_id,
            month_on=month_on,
            **given,
        )


@pytest.fixture
def shared(database: Database, december: FixedClock, billed: House, second: str) -> House:
    """October is one owner's; from November on a third is the second one's."""
    publish(database, december, billed, OCTOBER)
    parts = [(billed.owner_id, Fraction(2, 3)), (second, Fraction(1, 3))]
    share(database, december, billed, parts)
    return billed


def test_the_parts_of_a_month_add_up_to_it_line_by_line(
    database: Database, shared: House, second: str
) -> None:
    with database.reading(shared.workspace_id) as session:
        whole = owner_figures(session, shared.building_id, NOVEMBER, TODAY)
        first, other = owner_parts(session, shared.building_id, whole)
    assert (first.holder.owner_id, other.holder.owner_id) == (shared.owner_id, second)
    pairs = zip(first.figures.income, other.figures.income, strict=True)
    assert [a.yen + b.yen for a, b in pairs] == [row.yen for row in whole.income]
    for part in (first.figures, other.figures):
        made = part.opening_yen + part.income_yen - part.deducted_yen
        assert made == part.closing_yen == part.payout_yen
    assert first.figures.payout_yen + other.figures.payout_yen == whole.payout_yen
    assert other.figures.payout_yen == whole.payout_yen // 3


def test_each_owner_reads_and_is_paid_their_part_and_only_from_their_day_on(
    database: Database, december: FixedClock, shared: House, second: str
) -> None:
    published = publish(database, december, shared, NOVEMBER, base_url="https://pms.example.jp")
    with database.reading(shared.workspace_id) as session:
        payouts = {
            one.payee_id: one.yen
            for one in waiting_payouts(session, TODAY)
            if "2026-11" in one.source
        }
        for owner_id, name in ((shared.owner_id, "山本 茂"), (second, "山本 花")):
            buildings = ever_owned_buildings(session, [owner_id])
            found = statement_of_owner(session, buildings, published.id)
            assert (found.owner, found.figures.payout_yen) == (name, payouts[owner_id])
            text = text_of(statement_pdf(session, published.id, "ja", [owner_id]))
            assert f"{name} 様" in text
            assert f"持分 {found.share}" in text
        assert sum(payouts.values()) == published.figures["payout_yen"]
        accounts = {
            shared.owner_id: "ミドリノ 本店 普通 1234567",
            second: "アオゾラ 駅前 普通 7654321",
        }
        every = text_of(
            statement_pdf(session, published.id, "ja", None, lambda _, owner_id: accounts[owner_id])
        )
        one = text_of(
            statement_pdf(
                session, published.id, "ja", [second], lambda _, owner_id: accounts[owner_id]
            )
        )
        for owner_id, account in accounts.items():
            assert account in every
            assert f"¥{payouts[owner_id]:,}" in every
            assert (account in one) is (owner_id == second)
        # The account of the agreement is said where one of them has no account of their own.
        del accounts[shared.owner_id]
        some = text_of(
            statement_pdf(
                session, published.id, "ja", None, lambda _, owner_id: accounts.get(owner_id)
            )
        )
        assert "みずほ銀行 渋谷支店" in some
        assert "みずほ銀行 渋谷支店" not in every
        october = session.scalars(
            select(OwnerStatement.id).where(OwnerStatement.month_on == OCTOBER)
        ).one()
        with pytest.raises(NotFound):
            statement_of_owner(session, ever_owned_buildings(session, [second]), october)
        year = owner_year(session, [second], 2026, TODAY)
        assert year.payout_yen == payouts[second]
        assert year.costs_yen == 0
        mails = session.scalars(select(OutboxMail.recipient)).all()
        assert "hana@example.jp" in mails
        assert str(payouts[second]) not in statement_csv(session, published.id, "ja").decode()


def test_the_fee_is_invoiced_to_each_owner_with_number_tax_and_registration(
    database: Database, december: FixedClock, shared: House, second: str
) -> None:
    publish(database, december, shared, NOVEMBER)
    with database.reading(shared.workspace_id) as session:
        (october,) = fee_invoices_of_month(session, shared.building_id, OCTOBER)
        first, other = fee_invoices_of_month(session, shared.building_id, NOVEMBER)
        numbers = [one.number for one in (october, first, other)]
        assert numbers == ["M2026-000001", "M2026-000002", "M2026-000003"]
        # 5.5 % of 101,001 is 5,555; a third is the second owner's, with ten parts of 110 in it.
        assert (october.yen, october.tax_yen) == (5_555, 505)
        assert first.yen + other.yen == 5_555
        text = text_of(fee_invoice_pdf(fee_invoice_of(session, other.id, [second]), "ja"))
        for said in (
            "管理手数料請求書",
            other.number,
            "山本 花 様",
            "T1234567890123",
            "2026年11月",
            "持分 1/3",
        ):
            assert said in text, said
        assert f"¥{other.tax_yen:,}" in text
        with pytest.raises(NotFound):
            fee_invoice_of(session, other.id, [shared.owner_id])


def test_a_company_is_addressed_as_one_beside_a_person(
    database: Database, december: FixedClock, billed: House
) -> None:
    publish(database, december, billed, NOVEMBER)
    with database.reading(billed.workspace_id) as session:
        (found,) = fee_invoices_of_month(session, billed.building_id, NOVEMBER)
        row = fee_invoice_of(session, found.id)
        session.expunge(row)
    row.facts = {**row.facts, "recipient": "山本 花、みなと倉庫株式会社"}
    text = text_of(fee_invoice_pdf(row, "ja"))
    assert "山本 花 様、みなと倉庫株式会社 御中" in text


def test_an_invoice_never_changes_and_a_corrected_fee_is_an_invoice_of_the_difference(
    database: Database, december: FixedClock, billed: House
) -> None:
    publish(database, december, billed, NOVEMBER)
    with database.writing(billed.workspace_id) as session:
        session.scalars(select(Workspace)).one().qualified_invoice_number = None
        on = date(2026, 11, 28)
        entry_id = post_entry(session, billed.resident_id, [rent(20_000)], issued_on=on, due_on=on)
        pay(session, billed.resident_id, {entry_id: 20_000}, on)
    publish(database, december, billed, NOVEMBER)
    publish(database, december, billed, NOVEMBER)
    with database.reading(billed.workspace_id) as session:
        first, more = fee_invoices_of_month(session, billed.building_id, NOVEMBER)
        assert (first.yen, more.yen) == (5_555, 1_100)
        assert "T1234567890123" in text_of(fee_invoice_pdf(fee_invoice_of(session, first.id), "ja"))
        text = text_of(fee_invoice_pdf(fee_invoice_of(session, more.id), "ja"))
        assert first.number in text
    with (
        pytest.raises(DBAPIError, match="written_once"),
        database.writing(billed.workspace_id) as session,
    ):
        session.execute(update(FeeInvoice).values(yen=1))


def test_a_month_published_without_an_invoice_gets_it_once(
    database: Database, december: FixedClock, billed: House
) -> None:
    with database.writing(billed.workspace_id) as session:
        work = Work(session, december, "office")
        asked: dict[str, Any] = {"building_id": billed.building_id, "month_on": NOVEMBER}
        with pytest.raises(Refused, match="publish 2026-11 first"):
            issue_missing_fee_invoices(work, **asked)
        publish_statement(work, **asked)
        with pytest.raises(Refused, match="has already been invoiced"):
            issue_missing_fee_invoices(work, **asked)


def test_a_refused_publication_leaves_no_gap_in_the_numbers(
    database: Database, december: FixedClock, billed: House
) -> None:
    with pytest.raises(ZeroDivisionError), database.writing(billed.workspace_id) as session:
        publish_statement(
            Work(session, december, "office"), building_id=billed.building_id, month_on=OCTOBER
        )
        raise ZeroDivisionError
    publish(database, december, billed, NOVEMBER)
    with database.reading(billed.workspace_id) as session:
        (only,) = fee_invoices_of_month(session, billed.building_id, NOVEMBER)
    assert only.number == "M2026-000001"


@pytest.mark.parametrize(
    ("parts", "from_on", "message"),
    [
        ([Fraction(1, 2), Fraction(1, 3)], NOVEMBER, "add up to 5/6"),
        ([Fraction(1, 2), Fraction(1, 2)], date(2026, 12, 6), "is in the future"),
        ([Fraction(1, 2), Fraction(1, 2)], OCTOBER, "published through 2026-10-31"),
        ([], NOVEMBER, "at least one owner"),
    ],
)
def test_shares_that_cannot_be_are_refused(
    database: Database,
    december: FixedClock,
    billed: House,
    second: str,
    *,
    parts: list[Fraction],
    from_on: date,
    message: str,
) -> None:
    publish(database, december, billed, OCTOBER)
    named = list(zip((billed.owner_id, second), parts, strict=False))
    with pytest.raises(Refused, match=message):
        share(database, december, billed, named, from_on)


def test_a_building_that_is_sold_ends_the_shares_and_keeps_their_months(
    database: Database, december: FixedClock, shared: House, second: str
) -> None:
    published = publish(database, december, shared, NOVEMBER)
    december.advance(timedelta(days=3))
    with database.writing(shared.workspace_id) as session:
        work = Work(session, december, "office")
        with pytest.raises(Refused, match="has shares"):
            name_building_owner(work, building_id=shared.building_id, owner_id=None)
        name_building_owner(work, building_id=shared.building_id, owner_id=second)
        assert not owned_buildings(session, [shared.owner_id])
        former = ever_owned_buildings(session, [shared.owner_id])
        assert statement_of_owner(session, former, published.id).share == "2/3"
        whole = owner_figures(session, shared.building_id, date(2026, 12, 1), TODAY)
        assert not owner_parts(session, shared.building_id, whole)


def test_lists_name_every_owner_of_a_building(
    database: Database, shared: House, second: str
) -> None:
    with database.reading(shared.workspace_id) as session:
        lines, _total = building_lines(session, Paging(1, 50))
        record = building_record(session, shared.building_id)
        owners, _count = owner_lines(session, Paging(1, 50))
    named = next(line.owners for line in lines if line.id == shared.building_id)
    assert [(one.id, one.share) for one in named] == [(shared.owner_id, "2/3"), (second, "1/3")]
    assert record.owners == named
    held = {line.id: [id_ for id_, _name in line.buildings] for line in owners}
    assert held[second] == [shared.building_id]


def test_a_month_is_paid_to_whoever_owned_the_building_then(
    database: Database, december: FixedClock, billed: House, second: str
) -> None:
    publish(database, december, billed, OCTOBER)
    with database.writing(billed.workspace_id) as session:
        name_building_owner(
            Work(session, december, "office"), building_id=billed.building_id, owner_id=second
        )
    with database.reading(billed.workspace_id) as session:
        (october,) = waiting_payouts(session, TODAY)
        assert (october.payee, october.payee_id) == ("山本 茂", billed.owner_id)


def test_a_payout_of_a_file_is_described_in_both_languages(
    database: Database, december: FixedClock, billed: House
) -> None:
    publish(database, december, billed, OCTOBER)
    with database.writing(billed.workspace_id) as session:
        work = Work(session, december, "office")
        set_office_bank(
            work,
            expected_version=0,
            account=account(),
            debit_client=None,
            payout_client="9000012345",
            needs_second_person=False,
            debit_attempts=2,
        )
        set_owner_account(work, owner_id=billed.owner_id, account=account(), expected_version=0)
        file_id = make_payout_file(work, pay_on=date(2026, 12, 7))
    with database.reading(billed.workspace_id) as session:
        (paid,) = payout_file_record(session, file_id).payouts
    assert paid.detail == ("シェアハウス カワセミ荘 2026年10月分", "Kawasemi House, October 2026")
