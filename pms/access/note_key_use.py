"""Notes when a key was last used, at most once a minute and never at a request's expense."""

from datetime import datetime

from sqlalchemy import or_, update
from sqlalchemy.orm import Session

from pms.access.models import ApiKey


def note_key_use(session: Session, key_id: str, used_at: datetime) -> None:
    """Record the instant of a key's last use; an older instant changes nothing."""
    session.execute(
        update(ApiKey)
        .where(
            ApiKey.id == key_id,
            or_(ApiKey.last_used_at.is_(None), ApiKey.last_used_at < used_at),
        )
        .values(last_used_at=used_at)
    )
