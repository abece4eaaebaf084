"""A building under master lease: its rents are the office's own, and the owner is paid for it."""

from collections import defaultdict
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from pms.accounting.charts import Encoding, journal_file, preset
from pms.accounting.months import month_books
from pms.catalogue.management_forms import WrittenManagementForm, set_management_form
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.rules.journal_files import Program
from pms.rules.management_forms import ManagementForm
from pms.rules.master_leases import LeaseRentKind, LeaseStep
from pms.statements.master_leases import WrittenMasterLease, agree_master_lease, lease_notices
from pms.statements.owner_figures import owner_figures
from pms.statements.owner_publishing import publish_statement
from pms.statements.owner_statements import month_rows, statement_csv, tax_rows
from pms.statements.owner_terms import agree_terms
from pms.statements.reports import profit_and_loss
from tests.cast import Cast, House
from tests.statements.postings import deposit, pay, post_entry, rent, utilities

pytestmark = pytest.mark.differs("sums and dates in SQL")

DECEMBER, JANUARY = date(2026, 12, 1), date(2027, 1, 1)
LEASED_ON = date(2026, 12, 16)


@pytest.fixture
def house(cast: Cast, database: Database) -> House:
    """The bill of December, 93,000 yen of rent, was paid when the building was still managed."""
    found = cast.sumida
    with database.writing(found.workspace_id) as session:
        entry_id = post_entry(
            session,
            found.resident_id,
            [rent(93_000), utilities(9_300), deposit(50_000)],
            issued_on=date(2026, 11, 25),
            due_on=DECEMBER,
        )
        pay(session, found.resident_id, {entry_id: 152_300}, DECEMBER)
        work = Work(session, _clock(), "office")
        agree_terms(
            work,
            building_id=found.building_id,
            from_on=DECEMBER,
            management_percent=Decimal(5),
            payout_day=15,
        )
        set_management_form(
            work,
            building_id=found.building_id,
            written=WrittenManagementForm(form=ManagementForm.MASTER_LEASE, from_on=LEASED_ON),
        )
    return found


def _clock() -> FixedClock:
    return FixedClock(datetime(2027, 1, 5, 3, 0, tzinfo=UTC))


def _agree(database: Database, house: House, *steps: LeaseStep) -> None:
    with database.writing(house.workspace_id) as session:
        agree_master_lease(
            Work(session, _clock(), "office"),
            building_id=house.building_id,
            written=WrittenMasterLease(first_on=LEASED_ON, steps=steps),
        )


def _book(database: Database, house: House, month_on: date) -> dict[str, int]:
    """What a month books by role, debits less credits."""
    booked: defaultdict[str, int] = defaultdict(int)
    with database.reading(house.workspace_id) as session:
        for journal in month_books(session, month_on).journals:
            for posting in journal.postings:
                booked[posting.role] += posting.yen
    return booked


def test_days_of_each_form_count_by_it_in_statement_journals_and_report(
    database: Database, house: House
) -> None:
    _agree(database, house, LeaseStep(LEASED_ON, LeaseRentKind.FIXED, rent_yen=280_000))
    with database.reading(house.workspace_id) as session:
        figures = owner_figures(session, house.building_id, DECEMBER, JANUARY)
        earned = profit_and_loss(session, DECEMBER, building_id=house.building_id)
    # 15 of 31 days of the bill are the owner's; the rent is 280,000 x 16/31.
    assert [row.yen for row in figures.income] == [45_000, 4_500]
    assert [line.yen for line in figures.deductions] == [2_475]
    assert [rent.yen for rent in figures.rents] == [144_516]
    assert figures.closing_yen == 45_000 + 4_500 + 144_516 - 2_475
    rows = month_rows(figures, "en")
    # Rent is exempt, utilities of the test's bills too; the fee contains 2,475 x 10/110.
    assert [(row.place, row.text, row.yen) for row in tax_rows(figures, "en")] == [
        ("Exempt", "Income: ¥194,016 with tax", 0),
        ("10%", "Management fee: ¥2,475 with tax", 225),
    ]
    assert rows[3][2:4] == ("Rent paid (fixed)", 144_516)
    # What is the office's own is earned when it is billed.
    billed, booked = _book(database, house, date(2026, 11, 1)), _book(database, house, DECEMBER)
    assert (billed["income/rent"], billed["income/utilities"]) == (-48_000, -4_800)
    assert billed["receivable"] + booked["receivable"] == 0
    assert -booked["owners_money"] == figures.closing_yen
    assert booked["lease_rent"] == 144_516
    assert (booked["deposits"], booked["money/bank_transfer"]) == (-50_000, 152_300)
    assert earned.of(DECEMBER, "lease_rent") == -144_516


def test_a_percentage_of_what_came_in_early_counts_on_the_first_day(
    database: Database, house: House
) -> None:
    _agree(database, house, LeaseStep(LEASED_ON, LeaseRentKind.RECEIVED, percent=Decimal(90)))
    with database.reading(house.workspace_id) as session:
        figures = owner_figures(session, house.building_id, DECEMBER, JANUARY)
    assert [rent.yen for rent in figures.rents] == [43_200], "90 % of the 48,000 yen of its days"


def test_nothing_is_published_before_the_rent_is_entered(database: Database, house: House) -> None:
    with database.writing(house.workspace_id) as session:
        work = Work(session, _clock(), "office")
        with pytest.raises(Refused, match="rent is not agreed"):
            publish_statement(work, building_id=house.building_id, month_on=DECEMBER)
        (notice,) = lease_notices(session, JANUARY)
        assert notice.is_missing
    _agree(
        database,
        house,
        LeaseStep(LEASED_ON, LeaseRentKind.DUE, percent=Decimal(85)),
        LeaseStep(date(2027, 2, 1), LeaseRentKind.FIXED, rent_yen=270_000),
    )
    with database.writing(house.workspace_id) as session:
        work = Work(session, _clock(), "office")
        statement = publish_statement(work, building_id=house.building_id, month_on=DECEMBER)
        # 85 % of 93,000 x 16/31
        assert "Rent paid (85% of the rents due),40800" in statement_csv(
            session, statement.id, "en"
        ).decode("utf-8-sig")
        (notice,) = lease_notices(session, JANUARY)
        assert (notice.is_missing, notice.revision_on) == (False, date(2027, 2, 1))
        assert notice.is_due(JANUARY)
        assert not notice.is_due(LEASED_ON - (JANUARY - DECEMBER))


@pytest.mark.parametrize(
    ("program", "tax"), [(Program.YAYOI, "非課仕入"), (Program.FREEE, "非課仕入")]
)
def test_the_rent_is_an_exempt_purchase_in_the_files_of_accounting_programs(
    database: Database, house: House, program: Program, tax: str
) -> None:
    _agree(database, house, LeaseStep(LEASED_ON, LeaseRentKind.FIXED, rent_yen=280_000))
    with database.reading(house.workspace_id) as session:
        journals = month_books(session, DECEMBER).journals
    content = journal_file(program, Encoding.CP932, journals, preset()).decode("cp932")
    (row,) = (row for row in content.splitlines() if "地代家賃" in row)
    assert tax in row
    assert "借上賃料" in row
    assert "144516" in row
