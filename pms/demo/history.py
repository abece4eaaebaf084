"""What was noted in the demo: its staff's audit events, visits of its websites, and calls of keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey, ApiKeyCall, ApiKeyHour, Member
from pms.catalogue.models import Unit
from pms.demo.rows import Chance, instant, read_toml
from pms.departures.models import MoveOutNotice
from pms.deposits.models import Refund, Settlement
from pms.foundation.audit import AuditRecord, Subject, of_reservation, of_workspace
from pms.foundation.clock import FixedClock
from pms.ledger.models import LedgerEntry, LedgerLine, Payment
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of, day_start
from pms.rules.enumerations import (
    EntryKind,
    Lifecycle,
    Scope,
    StaffRole,
    TelemetryAxis,
    TelemetryType,
)
from pms.rules.telemetry import MOST_EVENTS, SeenEvent
from pms.site.models import Post, SiteConfiguration, TelemetryDay
from pms.site.received_visits import take_telemetry

DAYS_NOTED: Final = 120
_WORKER: Final = "worker"
Events = Iterator[dict[str, Any]]


def write_events(session: Session, today: date) -> None:
    """Write the audit events of the last months into a workspace that has its staff."""
    since = instant(today - timedelta(days=DAYS_NOTED))
    people = session.execute(select(Member.role, Member.person_id)).all()
    actors = {role: f"person/{person_id}" for role, person_id in people}
    operator = actors.get(StaffRole.OPERATOR, "demo")
    office = actors.get(StaffRole.OFFICE, operator)
    audit_events = [
        *_list_booking_events(session, since, office),
        *_list_notice_events(session, since, office),
        *_list_payment_events(session, since, office),
        *_list_settlement_events(session, since, operator),
        *_list_billing_events(session, since),
    ]
    if audit_events:
        session.execute(
            insert(AuditRecord), sorted(audit_events, key=lambda audit_event: audit_event["at"])
        )


def _list_booking_events(session: Session, since: datetime, actor: str) -> Events:
    for row in session.scalars(select(Reservation).where(Reservation.created_at >= since)):
        after = {
            "unit_id": row.unit_id,
            "kind": row.kind,
            "name": row.name,
            "move_in_date": _format_day(row.move_in_date),
            "contract_end_date": _format_day(row.contract_end_date),
            "deposit_yen": row.deposit_yen,
        }
        about = of_reservation(row.id)
        yield _audit_event(row.created_at, actor, AuditEvent.RESERVATION_BOOKED, about, after=after)


def _list_notice_events(session: Session, since: datetime, actor: str) -> Events:
    for row in session.scalars(select(MoveOutNotice).where(MoveOutNotice.written_at >= since)):
        before = {"lifecycle": Lifecycle.LIVING, "move_out_date": None, "penalty_yen": None}
        after = {
            "lifecycle": Lifecycle.NOTICE_FILED,
            "move_out_date": _format_day(row.move_out_on),
            "penalty_yen": row.penalty_yen,
        }
        about = of_reservation(row.reservation_id)
        yield _audit_event(
            row.written_at, actor, AuditEvent.NOTICE_FILED, about, before=before, after=after
        )


def _list_payment_events(session: Session, since: datetime, actor: str) -> Events:
    for row in session.scalars(select(Payment).where(Payment.written_at >= since)):
        after = {
            "amount_yen": row.amount_yen,
            "received_on": _format_day(row.received_on),
            "method": row.method,
        }
        about = of_reservation(row.reservation_id)
        yield _audit_event(row.written_at, actor, AuditEvent.PAYMENT_RECORDED, about, after=after)


def _list_settlement_events(session: Session, since: datetime, actor: str) -> Events:
    for row in session.scalars(select(Settlement).where(Settlement.written_at >= since)):
        figures = ("held_yen", "deducted_yen", "netted_yen", "remainder_yen", "owed_yen")
        after = {name: getattr(row, name) for name in figures}
        about = of_reservation(row.reservation_id)
        yield _audit_event(row.written_at, actor, AuditEvent.DEPOSIT_SETTLED, about, after=after)
    sent = select(Refund, Settlement.reservation_id).join(
        Settlement, Settlement.id == Refund.settlement_id
    )
    for refund, reservation_id in session.execute(sent.where(Refund.written_at >= since)):
        after = {"amount_yen": refund.amount_yen, "sent_on": _format_day(refund.sent_on)}
        about = of_reservation(reservation_id)
        yield _audit_event(refund.written_at, actor, AuditEvent.REFUND_SENT, about, after=after)


def _list_billing_events(session: Session, since: datetime) -> Events:
    count, total_yen = func.count(LedgerEntry.id.distinct()), func.sum(LedgerLine.amount_yen)
    billed = (
        select(LedgerEntry.written_at, count, total_yen)
        .join(LedgerLine, LedgerLine.entry_id == LedgerEntry.id)
        .where(LedgerEntry.kind == EntryKind.RENT, LedgerEntry.written_at >= since)
        .group_by(LedgerEntry.written_at)
        .having(count > 1)
    )
    for at, entries, yen in session.execute(billed):
        after = {"entries": entries, "total_yen": int(yen)}
        yield _audit_event(at, _WORKER, AuditEvent.RENT_BILLED, of_workspace(session), after=after)


def _audit_event(
    at: datetime,
    actor: str,
    audit_event: AuditEvent,
    about: Subject,
    *,
    after: Mapping[str, Any],
    before: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    kind, id_ = about
    done = {
        "at": at,
        "actor": actor,
        "audit_event": audit_event.value,
        "before": before,
        "after": after,
    }
    return {**done, "subject_kind": kind, "subject_id": id_, "via": None}


def _format_day(day: object) -> str | None:
    return day.isoformat() if isinstance(day, date) else None


_DAYS: Final = 92
_WEEKEND: Final = 5
_MOST_UNITS: Final = 14
_TRAFFIC: Final = read_toml("traffic")
_CAMPAIGNS: Final = _TRAFFIC["campaign"]
_REFERRERS: Final = _TRAFFIC["referrer"]
_EVENTS: Final = _TRAFFIC["event"]
_OF_UNITS, _OF_POSTS, _OF_CAMPAIGNS = 0.34, 0.09, 0.03


def keep_visits(session: Session, slug: str, now: datetime) -> None:
    """Store what was counted of the last quarter, and today's visits as they came."""
    today, rng = day_of(now), Chance("visits", slug, day_of(now))
    if session.scalar(select(SiteConfiguration.id)) is None:
        return
    # Which pages are seen, and what share of the views each has.
    units = session.scalars(select(Unit.slug).order_by(Unit.id).limit(_MOST_UNITS)).all()
    posts = session.scalars(
        select(Post.slug).where(Post.published_at.is_not(None)).order_by(Post.id).limit(4)
    ).all()
    weights = [rng.between(0.4, 1.6) for _ in units]
    shares = [
        *_TRAFFIC["pages"].items(),
        *(
            (f"/units/{slug}", _OF_UNITS * w / sum(weights))
            for slug, w in zip(units, weights, strict=True)
        ),
        *((f"/blog/{slug}", _OF_POSTS / len(posts)) for slug in posts),
        *((f"/campaigns/{campaign['name']}", _OF_CAMPAIGNS / 3) for campaign in _CAMPAIGNS),
    ]
    rows = [
        row
        for back in range(_DAYS, 0, -1)
        for row in _list_rows_of_day(today - timedelta(days=back), -back, shares, rng)
    ]
    session.execute(insert(TelemetryDay), rows)
    events = list(_list_events_of_today(now, shares, rng))
    for first in range(0, len(events), MOST_EVENTS):
        take_telemetry(session, FixedClock(now), events=events[first : first + MOST_EVENTS])


def _list_rows_of_day(
    day: date, number: int, shares: Sequence[tuple[str, float]], rng: Chance
) -> Iterator[dict[str, object]]:
    views = _count_views(day, number, rng)
    visitors = round(views * rng.between(0.36, 0.44))

    def row(axis: TelemetryAxis, value: str, path: str, times: int) -> dict[str, object]:
        facts = {"day_on": day, "axis": axis, "value": value, "path": path, "times": times}
        return facts | {"visitors": min(visitors, max(1, round(times * rng.between(0.6, 0.9))))}

    yield row(TelemetryAxis.DAY, "", "", views) | {"visitors": visitors}
    for path, share in shares:
        if times := round(views * share * rng.between(0.7, 1.3)):
            yield row(TelemetryAxis.PAGE, path, "", times)
    for site in _REFERRERS:
        if times := round(visitors * site["share"] * rng.between(0.7, 1.3)):
            yield row(TelemetryAxis.REFERRER, site["host"], "", times)
    for event in _EVENTS:
        if times := round(views * event["share"] * rng.between(0.3, 1.7)):
            yield row(TelemetryAxis.EVENT, event["name"], event["path"], times)
    for story in _list_running_campaigns(number):
        times = round(views * story["share"] * rng.between(0.8, 1.2))
        yield row(TelemetryAxis.CAMPAIGN, story["name"], "", times)


def _list_running_campaigns(number: int) -> list[dict[str, Any]]:
    """The campaigns of a day, counted from today."""
    return [
        campaign
        for campaign in _CAMPAIGNS
        if campaign["first_day"] <= number <= campaign["last_day"]
    ]


def _count_views(day: date, number: int, rng: Chance) -> int:
    """More from month to month, at weekends, and while a campaign runs."""
    views = (150 + number * 0.4) * rng.between(0.85, 1.15)
    if day.weekday() >= _WEEKEND:
        views *= 1.35
    running: float = sum(campaign["share"] for campaign in _list_running_campaigns(number))
    return round(views * (1 + running))


def _list_events_of_today(
    now: datetime, shares: Sequence[tuple[str, float]], rng: Chance
) -> Iterator[SeenEvent]:
    seconds = (now - day_start(day_of(now))).total_seconds()
    count = max(1, round(_count_views(day_of(now), 0, rng) * seconds / 86_400))
    paths = [path for path, share in shares for _ in range(max(1, round(share * 100)))]
    for _ in range(count):
        at = now - timedelta(seconds=round(seconds * rng.share() * 0.9))
        is_led = rng.share() < 0.35
        yield SeenEvent(
            TelemetryType.PAGE_VIEW,
            rng.one_of(paths),
            occurred_at=at,
            visitor_id=f"visitor-{rng.whole(1, max(2, count // 3))}",
            referrer=f"https://{rng.one_of(_REFERRERS)['host']}/" if rng.share() < 0.5 else "",
            campaign="first-month-half" if is_led else "",
        )
    for event in _EVENTS:
        for _ in range(round(count * event["share"])):
            yield SeenEvent(
                TelemetryType.EVENT, event["path"], event["name"], now, visitor_id="visitor-1"
            )


_HOURS: Final = 24
_CALLS: Final = 40
_ROOT: Final = "/api/agent"


def keep_key_calls(session: Session, now: datetime) -> None:
    """Store what each key asked over the last day, and its last calls."""
    present = now.replace(minute=0, second=0, microsecond=0)
    for key in session.scalars(select(ApiKey).order_by(ApiKey.id)):
        rng = Chance("calls", key.name)
        key.last_used_at = now - timedelta(minutes=rng.whole(1, 4))
        is_of_people = Scope.RESIDENTS_READ in key.scopes
        asked = read_toml("traffic")["resident_call" if is_of_people else "listing_call"]
        session.execute(
            insert(ApiKeyHour),
            [
                {
                    "key_id": key.id,
                    "began_at": present - timedelta(hours=back),
                    "requests": rng.whole(4, 60 if (present.hour + 9 - back) % 24 >= 8 else 12),
                }
                for back in range(_HOURS)
            ],
        )
        session.execute(
            insert(ApiKeyCall),
            [_build_call_row(key, number, asked, rng) for number in range(_CALLS)],
        )


def _build_call_row(
    key: ApiKey, number: int, asked: list[dict[str, Any]], rng: Chance
) -> dict[str, object]:
    call = rng.one_of(asked) if number else asked[0]
    assert key.last_used_at is not None
    return {
        "key_id": key.id,
        "at": key.last_used_at - timedelta(seconds=number * (97 + rng.whole(0, 9))),
        "method": "GET",
        "path": _ROOT + call["path"],
        "status": call["status"],
        "milliseconds": call["milliseconds"] + rng.whole(0, 3),
    }
