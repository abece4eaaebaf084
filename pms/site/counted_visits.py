"""Counts the stored events of some days along every axis, as often as it is asked."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, distinct, func, literal, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.rules.enumerations import TelemetryAxis, TelemetryType
from pms.rules.telemetry import Counted, bounded, referrer_host
from pms.site.models import SiteConfiguration, TelemetryEvent

_NOTHING: Final = literal("")
_IS_VIEW: Final = TelemetryEvent.type == TelemetryType.PAGE_VIEW
Figures = Mapping[tuple[date, TelemetryAxis], Sequence[Counted]]


def counted_visits(session: Session, days: Sequence[date]) -> Figures:
    """Return how often each value of a day was seen, the most frequent first, bounded.

    Visitors are told apart within a day alone. Who comes from the website's own pages came from
    nowhere.
    """
    if not days:
        return {}
    seen: defaultdict[tuple[date, TelemetryAxis], list[Counted]] = defaultdict(list)
    for axis, question in _questions(_own_host(session)).items():
        for day, value, path, times, visitors in session.execute(
            question.where(TelemetryEvent.day_on.in_(days))
        ):
            seen[day, axis].append(Counted(value, path, int(times), int(visitors)))
    return {(day, axis): bounded(axis, counted) for (day, axis), counted in seen.items()}


def _questions(own_host: str) -> Mapping[TelemetryAxis, Select[Any]]:
    event = TelemetryEvent
    from_outside = event.referrer.not_in(("", own_host))
    return {
        TelemetryAxis.DAY: _asked(_IS_VIEW),
        TelemetryAxis.PAGE: _asked(_IS_VIEW, event.path),
        TelemetryAxis.EVENT: _asked(event.type == TelemetryType.EVENT, event.name, event.path),
        TelemetryAxis.CAMPAIGN: _asked(_IS_VIEW & (event.campaign != ""), event.campaign),
        TelemetryAxis.REFERRER: _asked(_IS_VIEW & from_outside, event.referrer),
    }


def _asked(condition: ColumnElement[bool], *values: InstrumentedAttribute[str]) -> Select[Any]:
    named: list[Any] = [*values, _NOTHING, _NOTHING][:2]
    visitors = func.count(distinct(func.nullif(TelemetryEvent.visitor, "")))
    return (
        select(TelemetryEvent.day_on, *named, func.count(), visitors)
        .where(condition)
        .group_by(TelemetryEvent.day_on, *values)
    )


def _own_host(session: Session) -> str:
    address = session.scalar(select(SiteConfiguration.base_url))
    return referrer_host(address) if address else ""
