"""Keeps the last calls of a key, so many and no more."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pms.access.models import ApiKeyCall
from pms.foundation.insert_new import insert_new
from pms.foundation.last_calls import KEPT, LastCall
from pms.foundation.prepared import one_of

_NEWEST_FIRST: Final = (ApiKeyCall.at.desc(), ApiKeyCall.id.desc())


def note_key_calls(session: Session, key_id: str, calls: Sequence[LastCall]) -> None:
    """Store the calls of a key that are not known yet, and delete those that are too old now."""
    known = set(session.scalars(select(ApiKeyCall.id).where(ApiKeyCall.key_id == key_id)))
    new = [call._asdict() | {"key_id": key_id} for call in calls if call.id not in known]
    if not new:
        return
    insert_new(session, ApiKeyCall, new)
    old = session.scalars(
        select(ApiKeyCall.id)
        .where(ApiKeyCall.key_id == key_id)
        .order_by(*_NEWEST_FIRST)
        .offset(KEPT)
    ).all()
    if old:
        session.execute(
            delete(ApiKeyCall)
            .where(one_of(ApiKeyCall.id, old))
            .execution_options(synchronize_session=False)
        )
