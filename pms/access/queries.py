"""Questions about the keys of a workspace."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey


def keys(session: Session) -> Sequence[ApiKey]:
    """Return every key of the workspace, live ones first, newest first among them."""
    newest_first = ApiKey.created_at.desc(), ApiKey.id.desc()
    return session.scalars(
        select(ApiKey).order_by(ApiKey.revoked_at.is_not(None), *newest_first)
    ).all()
