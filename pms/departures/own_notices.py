"""A resident's own notice: its preview, filing and withdrawal."""

from datetime import date
from enum import StrEnum
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.place_names import home_name
from pms.departures.models import MoveOutNotice
from pms.departures.notice_plans import NoticePreview, preview_notice
from pms.departures.notices import (
    file_notice,
    refuse_unseen,
    reschedule_move_out,
    withdraw_notice,
)
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.idempotency import is_new
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.work import Work
from pms.notices.notices import NoticeEvent, notify_staff
from pms.reservations.changes import lifecycle_now
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.notices_to_people import ANSWERING, NoticeKind
from pms.workspaces.page_links import tenancy_link
from pms.workspaces.queries import branding


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
        "/move-out",
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
    _mail_resident(session, clock, row, "notice-withdrawn", "", move_out_on=notice.move_out_on)


def _mail_resident(
    session: Session, clock: Clock, row: Reservation, occasion: str, path: str, **facts: Any
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
        home=home_name(session, row.unit_id).in_language(locale),
        link=tenancy_link(session, row.id, path, row.email),
        **facts,
    )
    put_mail(session, clock, recipient=row.email, **mail._asdict())


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
    _tell_office(work, NoticeKind.MOVE_OUT_FILED, row, last_on=move_out_on.isoformat())
    return True


def _tell_office(work: Work, kind: NoticeKind, row: Reservation, **facts: str) -> None:
    place = home_name(work.session, row.unit_id)._asdict()
    event = NoticeEvent(
        row.id, f"/reservations/{row.id}", {"place": place, **facts}, model=Reservation
    )
    notify_staff(work, kind, event, roles=ANSWERING)


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
    _tell_office(work, NoticeKind.MOVE_OUT_WITHDRAWN, row)
    return notice
