"""Counts the stored events of some days along every axis, as often as it is asked."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.rules.enumerations import TelemetryAxis
from pms.rules.telemetry import referrer_host
from pms.rules.visit_counts import Counted, VisitCounts
from pms.site.kept_events import read_events
from pms.site.models import SiteConfiguration, TelemetryReport

_REPORTS_AT_ONCE = 100
Figures = Mapping[tuple[date, TelemetryAxis], Sequence[Counted]]


def counted_visits(session: Session, days: Sequence[date]) -> Figures:
    """Return how often each value of a day was seen, the most frequent first, bounded.

    Visitors are told apart within a day alone. Who comes from the website's own pages came from
    nowhere.
    """
    if not days:
        return {}
    seen: defaultdict[date, VisitCounts] = defaultdict(partial(VisitCounts, _own_host(session)))
    reports = select(TelemetryReport.day_on, TelemetryReport.told).where(
        TelemetryReport.day_on.in_(days)
    )
    for day, told in session.execute(reports.execution_options(yield_per=_REPORTS_AT_ONCE)):
        seen[day].count(read_events(told))
    return {
        (day, axis): counted
        for day, counts in seen.items()
        for axis, counted in counts.figures().items()
    }


def _own_host(session: Session) -> str:
    address = session.scalar(select(SiteConfiguration.base_url))
    return referrer_host(address) if address else ""
