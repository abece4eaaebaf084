"""Deletes what visitors asked once nobody needs it any more."""

from datetime import timedelta
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.prepared import one_of
from pms.rules.deeds import Deed
from pms.site.models import ChatConversation, ChatTurn

KEPT_DAYS: Final = 90


def forget_chats(session: Session, clock: Clock, actor: str, *, most: int = 500) -> int:
    """Delete conversations whose last word is older than 90 days; return how many, `most` at most.

    Visitors write what they like, also names: see docs/decisions/assistant.md.
    """
    kept_from = clock.now() - timedelta(days=KEPT_DAYS)
    ids = session.scalars(
        select(ChatConversation.id)
        .where(ChatConversation.last_at < kept_from)
        .order_by(ChatConversation.last_at, ChatConversation.id)
        .limit(most)
    ).all()
    if not ids:
        return 0
    for model, column in (
        (ChatTurn, ChatTurn.conversation_id),
        (ChatConversation, ChatConversation.id),
    ):
        gone = delete(model).where(one_of(column, ids))
        session.execute(gone.execution_options(synchronize_session=False))
    told = {"conversations": len(ids)}
    note_deed(session, clock, actor, Deed.CHATS_FORGOTTEN, of_workspace(session), after=told)
    return len(ids)
