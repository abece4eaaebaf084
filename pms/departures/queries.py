"""Questions about notices: the one in force, and every day that was asked for."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.departures.models import MoveOutNotice, NoticeFiling


def notice_in_force(session: Session, reservation_id: str) -> MoveOutNotice | None:
    """Return the notice of a reservation that was filed and not withdrawn."""
    return session.scalar(
        select(MoveOutNotice)
        .where(MoveOutNotice.reservation_id == reservation_id, MoveOutNotice.withdrawn_at.is_(None))
        # Read again: someone else may have changed it while the lock was awaited.
        .execution_options(populate_existing=True)
    )


def notices_of(session: Session, reservation_id: str) -> Sequence[MoveOutNotice]:
    """Return every notice of a reservation in the order of filing, the withdrawn ones too."""
    of_it = MoveOutNotice.reservation_id == reservation_id
    return session.scalars(select(MoveOutNotice).where(of_it).order_by(MoveOutNotice.id)).all()


def filings_of(session: Session, notice_id: str) -> Sequence[NoticeFiling]:
    """Return every day a notice asked for, the first one and each edit, in their order."""
    of_it = NoticeFiling.notice_id == notice_id
    return session.scalars(select(NoticeFiling).where(of_it).order_by(NoticeFiling.number)).all()
