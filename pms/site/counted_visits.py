"""Counts the stored events of some days along every axis, as often as it is asked."""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import itemgetter

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
    own_host = _own_host(session)
    figures: dict[tuple[date, TelemetryAxis], Sequence[Counted]] = {}
    reports = (
        select(TelemetryReport.day_on, TelemetryReport.told)
        .where(TelemetryReport.day_on.in_(days))
        .order_by(TelemetryReport.day_on)
        .execution_options(yield_per=_REPORTS_AT_ONCE)
    )
    # Day by day: what a day takes while it is counted is let go before the next.
    for day, of_day in groupby(session.execute(reports), key=itemgetter(0)):
        counts = VisitCounts(own_host)
        for _, told in of_day:
            counts.count(read_events(told))
        figures |= {(day, axis): counted for axis, counted in counts.figures().items()}
    return figures


def _own_host(session: Session) -> str:
    address = session.scalar(select(SiteConfiguration.base_url))
    return referrer_host(address) if address else ""
