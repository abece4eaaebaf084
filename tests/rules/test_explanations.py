"""Which explanation counts before a fixed term is signed, and the times that are offered for one."""

from datetime import UTC, datetime, timedelta

import pytest

from pms.foundation.clock import bank_closure
from pms.rules.days import JAPAN
from pms.rules.enumerations import LeaseKind
from pms.rules.explanations import (
    LEAD_TIME,
    ExplanationWay,
    SpokenExplanation,
    UnexplainedBecause,
    explanation_times,
    unexplained_because,
)

SIGN_AT = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
GIVEN = SpokenExplanation("Aoki", SIGN_AT - timedelta(hours=1), ExplanationWay.PHONE, "2")


@pytest.mark.parametrize(
    ("explanations", "because"),
    [
        ([GIVEN], None),
        ([GIVEN._replace(version="1"), GIVEN], None),
        ([GIVEN._replace(at=SIGN_AT)], UnexplainedBecause.NOT_BEFORE),
        ([GIVEN._replace(at=SIGN_AT - timedelta(seconds=1))], None),
        ([GIVEN._replace(version="1")], UnexplainedBecause.OLDER_VERSION),
        ([GIVEN._replace(by=None)], UnexplainedBecause.NOBODY),
        ([GIVEN._replace(way=None)], UnexplainedBecause.NOBODY),
        ([GIVEN._replace(at=None)], UnexplainedBecause.NOBODY),
        ([], UnexplainedBecause.NOBODY),
    ],
)
def test_an_explanation_counts_that_a_person_gave_of_this_paper_before_the_signature(
    explanations: list[SpokenExplanation], because: UnexplainedBecause | None
) -> None:
    for kind, by_person, expected in (
        (LeaseKind.FIXED_TERM, True, because),
        (LeaseKind.FIXED_TERM, False, None),
        (LeaseKind.ORDINARY, True, None),
    ):
        found = unexplained_because(
            kind=kind,
            explanations=explanations,
            version="2",
            sign_at=SIGN_AT,
            explanation_by_person=by_person,
        )
        assert found is expected


@pytest.mark.parametrize("hour", range(0, 24, 5))
def test_times_are_on_weekdays_of_the_coming_week_and_not_at_once(hour: int) -> None:
    for day in range(20, 28):
        now = datetime(2026, 11, day, hour, 30, tzinfo=JAPAN)
        times = explanation_times(now, bank_closure)
        assert times == tuple(sorted(set(times)))
        assert len(times) >= 16
        for at in times:
            assert at.weekday() < 5
            assert now + LEAD_TIME <= at < now + timedelta(days=8)


@pytest.mark.parametrize(
    ("now", "days"),
    [
        # Showa Day, a weekend, and Constitution Day to its substitute holiday.
        ("2026-04-28T09:00", ["2026-04-28", "2026-04-30", "2026-05-01", "2026-05-07"]),
        ("2026-12-29T20:30", ["2026-12-30", "2027-01-04", "2027-01-05", "2027-01-06"]),
    ],
)
def test_no_time_is_on_a_holiday_and_around_holidays_four_days_are_offered(
    now: str, days: list[str]
) -> None:
    times = explanation_times(datetime.fromisoformat(now).replace(tzinfo=JAPAN), bank_closure)
    assert sorted({at.date().isoformat() for at in times}) == days
