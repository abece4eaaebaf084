"""The runs and mails that stopped and wait for a person."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.runs import Run


def stopped_runs(session: Session, most: int = 5) -> Sequence[Run]:
    """Return the runs that stopped before they were done, the newest first."""
    question = select(Run).where(Run.failure.is_not(None), Run.finished_at.is_(None))
    return session.scalars(question.order_by(Run.moved_at.desc()).limit(most)).all()
