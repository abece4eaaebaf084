"""Reports say the same figures on the screen, in the file and in the ledger."""

import csv
import io
from datetime import date

from pms.deposits.deposit_report import deposit_report
from pms.reservations.models import Reservation
from pms.rules.enumerations import DepositExclusion
from pms.statements.reports import profit_and_loss
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books


def _rows(office: Browser, path: str) -> list[list[str]]:
    answer = office.get(path)
    assert answer.mimetype == "text/csv"
    assert "attachment" in answer.headers["Content-Disposition"]
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))


def test_the_deposit_report_shows_totals_and_counts_whom_it_leaves_out(
    office: Browser, books: Books
) -> None:
    found = books.ask(deposit_report, books.clock.today())
    assert found.total.held_yen == 93_000
    assert found.excluded[DepositExclusion.OWNER_RESIDENT] == 1
    assert found.excluded[DepositExclusion.GUEST] == 1
    shown = office.get("/reports/deposits").text
    assert "¥93,000" in shown
    assert shown.count('<strong class="number">1</strong>') == 2
    assert "佐藤 花子" in shown
    assert "山本 茂" not in shown


def test_the_report_of_a_past_day_is_that_days(office: Browser, books: Books) -> None:
    assert "¥93,000" not in office.get("/reports/deposits?on=2026-03-01").text
    assert office.get("/reports/deposits?on=soon").status_code == 422


def test_the_file_of_deposits_holds_the_rows_as_they_are_shown(
    office: Browser, books: Books
) -> None:
    with books.database.writing(books.house.workspace_id) as session:
        key = (books.house.workspace_id, books.resident_id)
        session.get_one(Reservation, key).name = "=HYPERLINK(1)"
    rows = _rows(office, "/reports/deposits?as=csv")
    assert rows[1][0] == "'=HYPERLINK(1)"
    assert rows[1][3:] == ["93000", "186000", "0", "-93000"]
    assert office.get("/reports/deposits").text.count("as=csv") == 1


def test_what_a_month_earned_is_what_was_billed_for_its_days(office: Browser, books: Books) -> None:
    found = books.ask(profit_and_loss, books.clock.today())
    assert found.of(date(2026, 11, 1), "rent") == 93_000
    assert found.of(date(2026, 4, 1), "rent") == 93_000
    assert found.of(date(2026, 3, 1), "reservation_fee") == 30_000
    assert found.total_yen == 8 * 93_000 + 30_000  # without the deposit
    shown = office.get("/reports/profit-and-loss").text
    assert f"¥{found.total_yen:,}" in shown
    assert "<svg" in shown


def test_the_file_of_a_year_holds_the_same_figures(office: Browser, books: Books) -> None:
    found = books.ask(profit_and_loss, books.clock.today())
    rows = _rows(office, "/reports/profit-and-loss.csv")
    assert [row[0] for row in rows[1:-1]] == [f"{month:%Y-%m}" for month in found.months]
    assert [int(row[-1]) for row in rows[1:-1]] == [found.month_yen(one) for one in found.months]
    assert int(rows[-1][-1]) == found.total_yen


def test_a_building_and_a_month_can_be_chosen(office: Browser, books: Books) -> None:
    here = office.get(f"/reports/profit-and-loss?building={books.house.building_id}&month=2026-10")
    assert here.status_code == 200
    assert f"¥{7 * 93_000 + 30_000:,}" in here.text
    assert office.get("/reports/profit-and-loss?month=never").status_code == 422
    empty = office.get("/reports/profit-and-loss?month=2024-10").text
    assert "empty-block" in empty


def test_the_reports_ask_a_fixed_number_of_questions(office: Browser, books: Books) -> None:
    counts = []
    for month in ("2024-10", "2026-11"):
        with books.counted() as sent:
            office.get(f"/reports/profit-and-loss?month={month}")
        counts.append(len(sent))
    assert counts[0] == counts[1]


def test_a_stranger_reads_none_of_it(stranger: Browser, books: Books) -> None:
    assert "佐藤 花子" not in stranger.get("/reports/deposits").text
    assert "744,000" not in stranger.get("/reports/profit-and-loss").text
