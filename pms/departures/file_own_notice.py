"""Files a resident's own notice, or changes its day, for the figures that were shown to them."""

from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.departures.file_notice import file_notice
from pms.departures.notice_mail import mail_notice
from pms.departures.own_notice import refuse_own_day, refuse_unless_own
from pms.departures.preview_notice import NoticePreview, preview_notice
from pms.departures.reschedule_move_out import reschedule_move_out
from pms.departures.shown_figures import refuse_unseen
from pms.foundation.clock import Clock
from pms.foundation.sent_once import is_new
from pms.reservations.changing import reservation_to_change
from pms.reservations.models import Reservation


def file_own_notice(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    move_out_on: date,
    seen: str | None,
    key: str | None = None,
) -> bool:
    """File or reschedule (specification, Move-out penalties) and confirm it by mail.

    `seen` is the text of `shown_figures`: `Collision` when the figures are others by now. A `key`
    that arrived before changes nothing and returns `False`. Raises `Refused` as the staff's
    filing does, for a day that is past, and for who gives no notice here.
    """
    row = reservation_to_change(session, reservation_id)
    if not is_new(session, clock, actor, key):
        return False
    preview = own_preview(session, clock, reservation_id=row.id, move_out_on=move_out_on)
    refuse_unseen(preview, seen)
    if preview.replaces:
        reschedule_move_out(session, clock, actor, reservation_id=row.id, move_out_on=move_out_on)
    else:
        file_notice(session, clock, actor, reservation_id=row.id, move_out_on=move_out_on)
    mail_notice(session, clock, row, preview)
    session.flush()
    return True


def own_preview(
    session: Session, clock: Clock, *, reservation_id: str, move_out_on: date
) -> NoticePreview:
    """Return what filing would do, the staff's figures; refuse what a resident cannot file."""
    row = session.scalar(select(Reservation).where(Reservation.id == reservation_id))
    if row is not None:
        refuse_unless_own(row, clock.today())
    refuse_own_day(move_out_on, clock.today())
    return preview_notice(session, clock, reservation_id=reservation_id, move_out_on=move_out_on)
