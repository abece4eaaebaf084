"""Deletes what the register holds of guests once the law does not ask for it any more."""

from datetime import timedelta
from typing import Final

from sqlalchemy import ColumnElement, and_, delete, or_, select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.files import Files
from pms.foundation.prepared import one_of
from pms.reservations.models import Reservation
from pms.rules.check_in import register_kept_from
from pms.rules.days import day_start
from pms.rules.deeds import Deed
from pms.stays.models import CheckInLink, GuestRegistration
from pms.stays.stay_terms import stay_terms

KEPT_OF_CANCELLED: Final = timedelta(days=30)


def forget_guests(
    session: Session, clock: Clock, actor: str, files: Files, *, most: int = 200
) -> int:
    """Delete entries and copies of passports whose years are over; return how many, `most` at most.

    A stay whose check-out nobody can read counts from the day its link was made. The files go
    before the rows: should the transaction fail, the next run meets the rows once more.
    """
    due = session.execute(
        select(GuestRegistration.id, GuestRegistration.passport_file_key)
        .join(
            CheckInLink,
            and_(
                CheckInLink.workspace_id == GuestRegistration.workspace_id,
                CheckInLink.id == GuestRegistration.link_id,
            ),
        )
        .join(
            Reservation,
            and_(
                Reservation.workspace_id == CheckInLink.workspace_id,
                Reservation.id == CheckInLink.reservation_id,
            ),
        )
        .where(_is_over(session, clock))
        .order_by(GuestRegistration.id)
        .limit(most)
    ).all()
    if not due:
        return 0
    for _, key in due:
        if key is not None:
            files.delete(key)
    session.execute(
        delete(GuestRegistration)
        .where(one_of(GuestRegistration.id, [id_ for id_, _ in due]))
        .execution_options(synchronize_session=False)
    )
    told = {"guests": len(due)}
    note_deed(session, clock, actor, Deed.REGISTER_FORGOTTEN, of_workspace(session), after=told)
    return len(due)


def _is_over(session: Session, clock: Clock) -> ColumnElement[bool]:
    kept_from = register_kept_from(clock.today(), stay_terms(session).register_kept_years)
    return or_(
        Reservation.ends_on < kept_from,
        # Who cancelled never stayed: the law asks for nothing of them.
        Reservation.cancelled_at < clock.now() - KEPT_OF_CANCELLED,
        and_(Reservation.ends_on.is_(None), CheckInLink.created_at < day_start(kept_from)),
    )
