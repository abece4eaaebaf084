"""Replaces a lost API key: the old one is revoked, a new one takes over its rights."""

from sqlalchemy.orm import Session

from pms.access.issue_key import IssuedKey, issue_key
from pms.access.revoke_key import revoke_key
from pms.foundation.clock import Clock


def replace_key(session: Session, clock: Clock, actor: str, key_id: str) -> IssuedKey:
    """Return a new key with name, scopes and budget of the old one, which ends now."""
    old = revoke_key(session, clock, actor, key_id)
    new = issue_key(
        session,
        clock,
        actor,
        name=old.name,
        scopes=old.scopes,
        is_public=old.is_public,
        budget_per_hour=old.budget_per_hour,
        is_legacy=old.is_legacy,
    )
    old.replaced_by_id = new.id
    return new
