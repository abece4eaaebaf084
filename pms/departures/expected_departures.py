"""Expected departures, a resident's own notice, and credits for days billed past the move-out."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.departures.models import MoveOutNotice
from pms.departures.notice_plans import NoticePreview, preview_notice
from pms.departures.notices import (
    FiledMoveOut,
    file_notice,
    refuse_unseen,
    reschedule_move_out,
    withdraw_notice,
)
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.idempotency import is_new
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.charges import post_credit
from pms.ledger.planned_entries import rent_label
from pms.reservations.changes import (
    lifecycle_now,
    mark_changed,
    reservation_to_change,
)
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_dates import effective_day
from pms.rules.days import readable
from pms.rules.enumerations import FeeCategory, Lifecycle, ReservationKind
from pms.workspaces.queries import branding


def record_expected_departure(
    work: Work,
    *,
    reservation_id: str,
    expected_departure_on: date | None,
    expected_version: int | None = None,
) -> Reservation:
    """Set the expected day, or clear it with `None`; it has no bill, night or notice as effect.

    Raises `Refused` when a notice is filed, when nobody lives there, and for a past day.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    if expected_departure_on is not None:
        _refuse_unless_living(row, work.clock.today())
        _refuse_expected_day(row, expected_departure_on, work.clock.today())
    row.expected_departure_date = expected_departure_on
    mark_changed(row, work.clock, work.actor)
    note_change(work, _audit_event(expected_departure_on), row)
    work.session.flush()
    return row


def _audit_event(day: date | None) -> AuditEvent:
    is_cleared = day is None
    return (
        AuditEvent.EXPECTED_DEPARTURE_CLEARED
        if is_cleared
        else AuditEvent.EXPECTED_DEPARTURE_RECORDED
    )


def _refuse_unless_living(row: Reservation, today: date) -> None:
    if row.lifecycle == Lifecycle.NOTICE_FILED or row.move_out_date is not None:
        raise Refused(
            "expectedDepartureDate: a notice has been given, so the move-out date is known."
        )
    state = lifecycle_now(row, today)
    if state != Lifecycle.LIVING:
        raise Refused(
            "expectedDepartureDate: Only a current resident can be expected to move out. "
            "The reservation is {state}.",
            state=state,
        )


def _refuse_expected_day(row: Reservation, day: date, today: date) -> None:
    if day < today:
        raise Refused(
            "expectedDepartureDate: {day} is in the past. Choose {today} or later.",
            day=day,
            today=today,
        )
    start = readable(effective_day(row.move_in_date, row.override_move_in_date))
    if start is not None and day < start:
        raise Refused(
            "expectedDepartureDate: {day} is before the move-in on {start_on}.",
            day=day,
            start_on=start,
        )


def clear_expected_departure(
    work: Work, *, reservation_id: str, expected_version: int | None = None
) -> Reservation:
    """Clear the expected departure; the unit is no longer shown as possibly available."""
    return record_expected_departure(
        work,
        reservation_id=reservation_id,
        expected_departure_on=None,
        expected_version=expected_version,
    )


def file_notice_giving_back(
    work: Work,
    *,
    reservation_id: str,
    move_out_on: date,
    filed_at: datetime | None = None,
    expected_version: int | None = None,
) -> FiledMoveOut:
    """File a notice and credit those days at today's price, in one act.

    Where no day was billed ahead it only files. Raises what filing a notice raises.
    """
    ahead = preview_notice(
        work.session,
        work.clock,
        reservation_id=reservation_id,
        move_out_on=move_out_on,
        filed_at=filed_at,
    )
    filed = file_notice(
        work,
        reservation_id=reservation_id,
        move_out_on=move_out_on,
        filed_at=filed_at,
        expected_version=expected_version,
    )
    if ahead.billed_ahead is not None and ahead.billed_ahead_yen:
        post_credit(
            work,
            reservation_id=reservation_id,
            amount_yen=ahead.billed_ahead_yen,
            label=rent_label(*ahead.billed_ahead),
            category=FeeCategory.RENT,
        )
    return filed


class OwnNotice(StrEnum):
    """The actions offered on a resident's departure page."""

    FILEABLE = "fileable"
    FILED = "filed"
    GUEST = "guest"
    OWNER = "owner"
    NOT_MOVED_IN = "not_moved_in"
    ENDED = "ended"


def own_notice(row: Reservation, today: date) -> OwnNotice:
    """Return what a resident can do about leaving (States and transitions)."""
    kind, state = ReservationKind(row.kind), lifecycle_now(row, today)
    if kind is ReservationKind.GUEST:
        return OwnNotice.GUEST
    if state is Lifecycle.NOTICE_FILED:
        return OwnNotice.FILED
    if state in {Lifecycle.BOOKED, Lifecycle.CONFIRMED}:
        return OwnNotice.NOT_MOVED_IN
    if state is not Lifecycle.LIVING:
        return OwnNotice.ENDED
    return OwnNotice.OWNER if kind is ReservationKind.OWNER_RESIDENT else OwnNotice.FILEABLE


def refuse_unless_own(row: Reservation, today: date) -> None:
    """Raise `Refused` where only the office can end the tenancy, or nobody can."""
    if own_notice(row, today) not in {OwnNotice.FILEABLE, OwnNotice.FILED}:
        raise Refused(
            "notice: notice for this tenancy cannot be given here. Please contact the office."
        )


def refuse_own_day(move_out_on: date, today: date) -> None:
    """Raise `Refused` for a past day: such notices are filed by the office."""
    if move_out_on < today:
        raise Refused(
            "moveOutDate: {day} is in the past. Choose {today} or later.",
            day=move_out_on,
            today=today,
        )


def own_notice_of(session: Session, reservation_id: str, today: date) -> OwnNotice:
    """Return what the resident of a reservation can do about leaving."""
    found = select(Reservation).where(Reservation.id == reservation_id)
    return own_notice(session.scalars(found).one(), today)


def mail_notice(session: Session, clock: Clock, row: Reservation, preview: NoticePreview) -> None:
    """Mail a confirmation of a filed or changed notice, with the agreed figures."""
    rent, penalty = preview.last_rent, preview.penalty
    _mail_resident(
        session,
        clock,
        row,
        "notice-filed",
        is_changed=preview.replaces is not None,
        filed_on=preview.filed_on,
        move_out_on=preview.move_out_on,
        penalty_yen=penalty.yen,
        charged_before_yen=penalty.yen - preview.charged_yen,
        is_early_exit=penalty.kind == "early_exit",
        runs_until_on=penalty.runs_until_on,
        last_rent_yen=rent.total_yen if rent else 0,
        deposit_back_yen=preview.deposit.remainder_yen,
        owed_yen=preview.deposit.owed_yen,
    )


def mail_withdrawal(
    session: Session, clock: Clock, row: Reservation, notice: MoveOutNotice
) -> None:
    """Mail a confirmation of a withdrawn notice."""
    _mail_resident(session, clock, row, "notice-withdrawn", move_out_on=notice.move_out_on)


def _mail_resident(
    session: Session, clock: Clock, row: Reservation, occasion: str, **facts: Any
) -> None:
    if not row.email:
        return
    locale, brand = row.locale, branding(session)
    mail = mail_text(
        occasion,
        locale,
        hue=brand.hue,
        operator=brand.name.in_language(locale),
        recipient=row.name,
        home=_read_home_name(session, row).in_language(locale),
        **facts,
    )
    put_mail(session, clock, recipient=row.email, **mail._asdict())


def _read_home_name(session: Session, row: Reservation) -> Bilingual:
    named = select(Unit.name, Building.name, Building.name_en).join(Unit.building)
    unit, ja, en = session.execute(named.where(Unit.id == row.unit_id)).one()
    return Bilingual(f"{ja} {unit}", f"{en or ja} {unit}")


def file_own_notice(
    work: Work, *, reservation_id: str, move_out_on: date, seen: str | None, key: str | None = None
) -> bool:
    """File or reschedule (specification, Move-out penalties) and confirm it by mail.

    `seen` is the text of `shown_figures`: `Collision` when the figures have changed. A `key` that
    arrived before changes nothing and returns `False`. Raises `Refused` as the staff's filing does,
    for a past day, and for a resident who cannot give notice here.
    """
    row = reservation_to_change(work.session, reservation_id)
    if not is_new(work.session, work.clock, work.actor, key):
        return False
    preview = own_preview(work.session, work.clock, reservation_id=row.id, move_out_on=move_out_on)
    refuse_unseen(preview, seen)
    if preview.replaces:
        reschedule_move_out(work, reservation_id=row.id, move_out_on=move_out_on)
    else:
        file_notice(work, reservation_id=row.id, move_out_on=move_out_on)
    mail_notice(work.session, work.clock, row, preview)
    work.session.flush()
    return True


def own_preview(
    session: Session, clock: Clock, *, reservation_id: str, move_out_on: date
) -> NoticePreview:
    """Return the effects of filing, as for staff; raise `Refused` where a resident cannot file."""
    row = session.scalar(select(Reservation).where(Reservation.id == reservation_id))
    if row is not None:
        refuse_unless_own(row, clock.today())
    refuse_own_day(move_out_on, clock.today())
    return preview_notice(session, clock, reservation_id=reservation_id, move_out_on=move_out_on)


def withdraw_own_notice(work: Work, *, reservation_id: str, version: int) -> MoveOutNotice:
    """Withdraw the notice of a `version`; raises what `withdraw_notice` raises."""
    row = reservation_to_change(work.session, reservation_id)
    refuse_unless_own(row, work.clock.today())
    notice = withdraw_notice(work, reservation_id=row.id, version=version)
    mail_withdrawal(work.session, work.clock, row, notice)
    work.session.flush()
    return notice
