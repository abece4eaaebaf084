"""A member of staff explains every fixed term that waits for it, as an office does before contracts are signed."""

from datetime import timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.models import ExplanationTalk, PriorExplanation
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.tenancy import refers_to
from pms.rules.explanations import ExplanationWay

EXPLAINED_BY: Final = "青木"


def hold_talks(session: Session, clock: Clock) -> None:
    """Store that each explanation without one was explained by phone, a minute ago."""
    waiting = (
        select(PriorExplanation.id)
        .outerjoin(ExplanationTalk, refers_to(ExplanationTalk.explanation_id, PriorExplanation))
        .where(ExplanationTalk.id.is_(None))
    )
    for explanation_id in session.scalars(waiting).all():
        session.add(
            ExplanationTalk(
                id=new_id(),
                explanation_id=explanation_id,
                person_id=new_id(),
                name=EXPLAINED_BY,
                explained_at=clock.now() - timedelta(minutes=1),
                way=ExplanationWay.PHONE,
                written_at=clock.now(),
                written_by="person/aoki",
            )
        )
    session.flush()
