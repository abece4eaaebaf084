"""Billing and the worker's jobs by hand."""

from pms.foundation.database import Database
from tests.cast import Cast
from tests.surfaces.command_line.conftest import Operator


def test_a_preview_puts_exceptions_first_and_writes_nothing(operator: Operator, cast: Cast) -> None:
    id_ = operator.books()
    preview = operator.asks("billing preview", "2026-09-25")
    assert [row["look"] for row in preview["reservations"]] == ["problem", "missed"]
    problem, missed = preview["reservations"]
    assert problem["reservation"] == cast.sumida.resident_id
    assert "brought in without its money" in problem["about"]
    assert (missed["reservation"], missed["to_issue_yen"]) == (id_, 210_000)
    assert missed["about"] == "Rent for September 2026"
    assert len(operator.asks(f"ledger show {id_}", "2026-09-25")["entries"]) == 1


def test_a_preview_tells_the_difference_to_the_month_before(operator: Operator) -> None:
    id_ = operator.books()
    operator.asks("billing run", "2026-08-25")
    operator.asks(
        f"reservation price {id_} --from 2026-10-01 --rent 96,100 --utilities 12,000", "2026-09-01"
    )
    (row,) = (
        row
        for row in operator.asks("billing preview", "2026-09-25")["reservations"]
        if row["reservation"] == id_
    )
    assert (row["look"], row["difference_yen"]) == ("changed", 3_100)


def test_who_is_as_the_month_before_is_only_counted(operator: Operator) -> None:
    operator.books()
    said = operator.types("billing preview --workspace sumida --on 2026-08-25")
    assert "1 problem, 1 same" in said.out
    assert "Minoru" not in said.out
    assert "Minoru" in operator.types("billing preview -w sumida --on 2026-08-25 --all").out


def test_missed_months_are_billed_together_and_only_once(operator: Operator) -> None:
    operator.books()
    first = operator.asks("billing run", "2026-11-25")
    assert (first["entries"], first["total_yen"], first["not_billed"]) == (4, 420_000, 1)
    again = operator.asks("billing run", "2026-11-25")
    assert (again["run"], again["entries"]) == (2, 0)


def test_overpayments_are_used_by_each_run_once_that_is_chosen(operator: Operator) -> None:
    assert operator.asks("billing policy", "2026-09-25") == {
        "billing_day": 25,
        "overpayments_pay_next_bills": False,
    }
    chosen = operator.asks("billing policy --use-overpayments", "2026-09-25")
    assert chosen["overpayments_pay_next_bills"] is True
    assert operator.asks("billing policy", "2026-09-25") == chosen


def test_billing_through_an_earlier_month(operator: Operator) -> None:
    operator.books()
    result = operator.asks("billing run --through 2026-09", "2026-11-25")
    assert (result["month"], result["entries"]) == ("2026-09", 1)


def test_a_job_runs_once_for_a_day_unless_again(operator: Operator, database: Database) -> None:
    line = "job run bill-month --on 2026-08-25 --workspace sumida"
    operator.books()
    assert "sumida     done   1    1" in operator.types(line).out
    assert "was done before" in operator.types(line).out
    assert "was done before" not in operator.types(f"{line} --again").out


def test_a_job_runs_in_every_workspace(operator: Operator) -> None:
    said = operator.types("job run advance-lifecycles --on 2026-11-20")
    assert [line.split()[0] for line in said.out.splitlines()[1:]] == ["minato", "sumida"]


def test_every_daily_job_runs_by_hand(operator: Operator) -> None:
    operator.books(email="minoru@example.jp")
    for name in (
        "advance-lifecycles",
        "plan-turnovers",
        "bill-month",
        "send-invoices",
        "collect-bills",
        "send-arrival-reminders",
        "remind-of-ends-of-terms",
        "send-overdue-reminders",
        "forget-guests",
        "forget-chats",
        "forget-leads",
        "forget-people",
        "count-telemetry",
    ):
        (row,) = operator.asks(f"job run {name}", "2026-06-21")
        assert row["state"] == "done", name


def test_the_jobs_are_listed_with_their_hours(operator: Operator) -> None:
    said = operator.types("job list").out
    assert "daily from 03:00 in Japan" in said
    assert "every 15 s" in said
