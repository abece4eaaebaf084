"""Text of a form that is kept while its writer signs in again."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pms.access.models import AuthSession, KeptForm
from pms.foundation.clock import Clock
from pms.foundation.stored_forms import readable_stored
from pms.foundation.tokens import new_token, token_hash

KEPT_FOR: Final = timedelta(hours=12)
_MOST_CHARACTERS: Final = 200_000
Fields = Sequence[tuple[str, str]]


class KeptText(NamedTuple):
    """A stored form: its path, its fields, and whether these are all."""

    path: str
    fields: tuple[tuple[str, str], ...]
    is_whole: bool


def keep_form(
    session: Session, clock: Clock, *, ended_token: str, path: str, fields: Fields, is_whole: bool
) -> str | None:
    """Store an unsent form for the owner of an ended session; return the form's token.

    `fields` contain no secret; `is_whole` says that none was left out. Returns `None` when the
    session never existed, or when the form is too long.
    """
    holder = session.scalar(
        select(AuthSession.person_id).where(AuthSession.token_hash == token_hash(ended_token))
    )
    if holder is None or sum(len(name) + len(text) for name, text in fields) > _MOST_CHARACTERS:
        return None
    token = new_token()
    session.add(
        KeptForm(
            person_id=holder,
            token_hash=token_hash(token),
            path=path,
            fields=[list(pair) for pair in fields],
            is_whole=is_whole,
            kept_at=clock.now(),
        )
    )
    session.flush()
    return token


def kept_form(session: Session, clock: Clock, *, token: str, person_id: str) -> KeptText | None:
    """Return the person's stored form, until it expires."""
    row = session.scalars(
        select(KeptForm).where(
            KeptForm.token_hash == token_hash(token),
            KeptForm.person_id == person_id,
            KeptForm.kept_at > clock.now() - KEPT_FOR,
        )
    ).first()
    if row is None:
        return None
    fields = readable_stored(tuple[tuple[str, str], ...], row.fields)
    return None if fields is None else KeptText(row.path, fields, row.is_whole)


def forget_forms(session: Session, before: datetime) -> None:
    """Delete the forms stored before an instant."""
    session.execute(delete(KeptForm).where(KeptForm.kept_at < before))
