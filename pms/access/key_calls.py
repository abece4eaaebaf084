"""What a key asked last."""

from collections.abc import Sequence
from datetime import datetime
from http import HTTPStatus
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import ApiKeyCall
from pms.foundation.last_calls import KEPT
from pms.foundation.prepared import one_of


class KeyCall(NamedTuple):
    """One call of a key; the path is the one of the address book."""

    at: datetime
    method: str
    path: str
    status: int
    milliseconds: int

    @property
    def is_refused(self) -> bool:
        return self.status >= HTTPStatus.BAD_REQUEST


def key_calls(session: Session, key_id: str) -> Sequence[KeyCall]:
    """Return the last calls of a key of the workspace, the newest first."""
    call = ApiKeyCall
    rows = session.execute(
        select(call.at, call.method, call.path, call.status, call.milliseconds)
        .where(call.key_id == key_id)
        .order_by(call.at.desc(), call.id.desc())
        .limit(KEPT)
    )
    return [KeyCall(*row) for row in rows]


def noted_calls(session: Session, call_ids: Sequence[str]) -> frozenset[str]:
    """Return which of these calls are noted already, whosever they are."""
    return frozenset(session.scalars(select(ApiKeyCall.id).where(one_of(ApiKeyCall.id, call_ids))))
