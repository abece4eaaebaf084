"""Forgets every day what the workspace has kept for its years."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, or_, select

from pms.enquiries.models import Viewing, WaitlistPlace
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.files import Files
from pms.foundation.work import Work
from pms.inbox.models import Enquiry
from pms.offers.models import ReservationLink
from pms.personal_data.forgetting import ENDED, forget_record, plan_forgetting
from pms.personal_data.person_records import KINDS
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import add_months, day_start
from pms.rules.enumerations import WaitlistState
from pms.rules.retention import RetentionYears
from pms.workspaces.models import ForgottenRecord
from pms.workspaces.personal_data_terms import personal_data_terms

RECORDS_AT_ONCE: Final = 50
_DUE_AGAIN: Final = "forgotten_record"


class Retained(NamedTuple):
    """How many records one part forgot, and where the next one continues; None ends the day."""

    done: int
    after: str | None


def _list_old_enquiries(today: date, years: RetentionYears) -> ColumnElement[bool]:
    return Enquiry.changed_at < day_start(add_months(today, -12 * years.enquiry_years))


def _list_old_offers(today: date, years: RetentionYears) -> ColumnElement[bool]:
    before = day_start(add_months(today, -12 * years.enquiry_years))
    return (ReservationLink.created_at < before) & ReservationLink.reservation_id.is_(None)


def _list_old_viewings(today: date, years: RetentionYears) -> ColumnElement[bool]:
    return Viewing.starts_at < day_start(add_months(today, -12 * years.enquiry_years))


def _list_old_places(today: date, years: RetentionYears) -> ColumnElement[bool]:
    before = day_start(add_months(today, -12 * years.waitlist_years))
    return (WaitlistPlace.changed_at < before) & (WaitlistPlace.state == WaitlistState.CLOSED)


def _list_former_residents(today: date, years: RetentionYears) -> ColumnElement[bool]:
    before = add_months(today, -12 * years.former_years)
    is_done = (
        select(ForgottenRecord.id)
        .where(
            ForgottenRecord.subject_kind == Reservation.__tablename__,
            ForgottenRecord.subject_id == Reservation.id,
        )
        .exists()
    )
    is_old = or_(Reservation.ends_on < before, Reservation.cancelled_at < day_start(before))
    return Reservation.lifecycle.in_(ENDED) & is_old & ~is_done


_LISTS: Final[Sequence[tuple[type[Any], Callable[[date, RetentionYears], ColumnElement[bool]]]]] = (
    (Viewing, _list_old_viewings),
    (ReservationLink, _list_old_offers),
    (Enquiry, _list_old_enquiries),
    (WaitlistPlace, _list_old_places),
    (Reservation, _list_former_residents),
)


def forget_old_records(work: Work, files: Files, after: str | None = None) -> Retained:
    """Forget some records whose years are over, after the place where the last part ended.

    A tenancy with open money is passed over; it is looked at again on the next day. The audit notes
    how many records of each kind were forgotten.
    """
    stage, _, last_id = (after or "0/").partition("/")
    number, today = int(stage), work.clock.today()
    years = personal_data_terms(work.session).years
    references, ids = _list_due(work, number, last_id, years)
    forgotten: Counter[str] = Counter()
    for plan in plan_forgetting(work.session, references, today):
        if plan.obstacle is None:
            forget_record(work.session, files, plan, by=work.actor, at=work.clock.now())
            forgotten[plan.record.kind] += 1
    if forgotten:
        about = of_workspace(work.session)
        facts = {f"forgotten_{kind}": count for kind, count in forgotten.items()}
        note_audit_event(work, AuditEvent.RECORDS_FORGOTTEN, about, after=facts)
        work.session.flush()
    if len(ids) == RECORDS_AT_ONCE:
        return Retained(forgotten.total(), f"{number}/{ids[-1]}")
    return Retained(forgotten.total(), f"{number + 1}/" if number < len(_LISTS) else None)


def _list_due(
    work: Work, number: int, last_id: str, years: RetentionYears
) -> tuple[list[str], list[str]]:
    """Return the records of one list after an id, and the ids by which the list goes on."""
    today = work.clock.today()
    if number < len(_LISTS):
        model, condition = _LISTS[number]
        question = select(model.id).where(condition(today, years)).order_by(model.id)
        wanted = question.where(model.id > last_id) if last_id else question
        ids = list(work.session.scalars(wanted.limit(RECORDS_AT_ONCE)))
        return [f"{model.__tablename__}/{id_}" for id_ in ids], ids
    row = ForgottenRecord
    due = select(row.id, row.subject_kind, row.subject_id).where(row.next_on <= today)
    due = due.where(row.id > last_id) if last_id else due
    found = work.session.execute(due.order_by(row.id).limit(RECORDS_AT_ONCE)).all()
    there = [
        f"{kind}/{id_}"
        for _, kind, id_ in found
        if work.session.scalar(select(KINDS[kind].id).where(KINDS[kind].id == id_)) is not None
    ]
    return there, [row.id for row in found]
