"""Revokes an API key; it counts from the next request on, in every process."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed


def revoke_key(session: Session, clock: Clock, actor: str, key_id: str) -> ApiKey:
    """Return the key, revoked now; other keys are untouched (specification, Authentication 3)."""
    question = select(ApiKey).where(ApiKey.id == key_id).with_for_update()
    key = session.scalar(question) if is_id(key_id) else None
    if key is None:
        raise NotFound("There is no key '{key_id}'.", key_id=key_id[:60])
    if key.revoked_at is not None:
        raise Refused("The key '{name}' is revoked already.", name=key.name)
    key.revoked_at = clock.now()
    note_change(session, clock, actor, Deed.KEY_REVOKED, key, also={"name": key.name})
    return key
