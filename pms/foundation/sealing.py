"""Encrypts secrets that the program must read again and the database alone must not reveal.

A sealed text is `<id of the key>.<Fernet token>`; in earlier releases the token alone. The key is
derived for an owner, a workspace or a file: a row copied to another workspace and a renamed file
cannot be opened. `SEALED` marks the columns, so that all of them can be found.
"""

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import structlog
from sqlalchemy import ColumnElement, and_, select, update
from sqlalchemy.orm import Session, object_session

from pms.foundation.db import Base
from pms.foundation.tenancy import OfWorkspace, workspace_of
from pms.foundation.tokens import KEY_ID_LENGTH, Signer

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

SEALED: Final = {"is_sealed": True}
"""The `info` of a column of a workspace's table whose texts are sealed for the workspace."""
SIGNER: Final = "signer"
"""The key in a session's `info` for the database's signer."""
UNREADABLE: Final = "???"
"""Returned in place of a text whose key is no longer in the settings."""
_PURPOSE: Final = "sealed-secret"
_FILE_PURPOSE: Final = "sealed-file"
_FILE_HEAD: Final = b"pms-sealed "
FILE_HEAD_LENGTH: Final = len(_FILE_HEAD) + KEY_ID_LENGTH + 1
_TOKEN: Final = "gAAAA"  # prefix of Fernet tokens: version, and time until 2106
_AT_ONCE: Final = 500
_log = structlog.get_logger("pms.foundation.sealing")


class UnreadableSecretError(Exception):
    """No configured key opens this; it was sealed under another one."""


class SealedAnew(NamedTuple):
    """How many texts or files were resealed, and how many no configured key opens."""

    done: int = 0
    unreadable: int = 0

    def with_more(self, other: "SealedAnew") -> "SealedAnew":
        """Return the sum of both."""
        return SealedAnew(self.done + other.done, self.unreadable + other.unreadable)


def seal(signer: Signer, owner: str, secret: str) -> str:
    """Return a text sealed under the first key for its owner, a workspace or a person."""
    key_id = signer.key_ids[0]
    return f"{key_id}.{_build_fernet(signer, _PURPOSE, owner, key_id).encrypt(secret.encode()).decode()}"


def unseal(signer: Signer, owner: str, sealed: str) -> str:
    """Return the text sealed for this owner; raise `UnreadableSecretError` when no key opens it."""
    key_id, dot, token = sealed.partition(".")
    # Earlier releases stored no key id.
    keys, token = ([key_id], token) if dot else (signer.key_ids, sealed)
    return _open_sealed(signer, _PURPOSE, owner, keys, token.encode()).decode()


def is_sealed(text: str) -> bool:
    """Whether a text has the shape of a sealed one."""
    return text.startswith(_TOKEN) or text[KEY_ID_LENGTH:].startswith(f".{_TOKEN}")


def sealed_text(session: Session, text: str | None) -> str | None:
    """Return a text sealed for a `SEALED` column of the session's workspace."""
    return None if text is None else seal(signer_of(session), workspace_of(session), text)


def opened_text(session: Session, kept: str | None) -> str | None:
    """Return the plain text of a `SEALED` column; a text never sealed is returned as it is.

    A text whose key is missing is returned as `UNREADABLE`, and logged.
    """
    if kept is None or not is_sealed(kept):
        return kept
    try:
        return unseal(signer_of(session), workspace_of(session), kept)
    except UnreadableSecretError:
        _log.error("no key opens a sealed text", key=kept.partition(".")[0][:KEY_ID_LENGTH])
        return UNREADABLE


def opened_column(row: OfWorkspace, kept: str | None) -> str | None:
    """Return the plain text of a `SEALED` column of a row that its session still holds."""
    session = object_session(row)
    assert session is not None
    return opened_text(session, kept)


def signer_of(session: Session) -> Signer:
    """Return the signer of the session's database."""
    signer: Signer = session.info[SIGNER]
    return signer


def sealed_bytes(signer: Signer, name: str, content: bytes) -> bytes:
    """Return the content of a file sealed under the first key for this name."""
    key_id = signer.key_ids[0]
    token = _build_fernet(signer, _FILE_PURPOSE, name, key_id).encrypt(content)
    return b"%b%b\n%b" % (_FILE_HEAD, key_id.encode(), token)


def opened_bytes(signer: Signer, name: str, kept: bytes) -> bytes:
    """Return the content of a file of this name; one that was never sealed as it is.

    Raises `UnreadableSecretError` when its key is not among those of the settings.
    """
    key_id = key_of_bytes(kept)
    if key_id is None:
        return kept
    return _open_sealed(signer, _FILE_PURPOSE, name, [key_id], kept[FILE_HEAD_LENGTH:])


def key_of_bytes(kept: bytes) -> str | None:
    """Return the id of the key that a file is sealed under; `None` when it is not sealed."""
    if not kept.startswith(_FILE_HEAD):
        return None
    return kept[len(_FILE_HEAD) : FILE_HEAD_LENGTH - 1].decode("ascii", "replace")


def seal_texts_anew(session: Session) -> SealedAnew:
    """Reseal every text of the session's workspace that is not under the first key.

    A text that is changed concurrently keeps its new value.
    """
    sums = SealedAnew()
    for table, column in sealed_columns():
        after = ""
        while rows := _not_under_first_key(session, table, column, after):
            after = rows[-1][0]
            sums = sums.with_more(_sealed_rows(session, table, column, rows))
    return sums


def sealed_columns() -> Sequence[tuple[type[OfWorkspace], Any]]:
    """Return every column marked `SEALED`, with its table."""
    return [
        (mapper.class_, getattr(mapper.class_, attribute.key))
        for mapper in sorted(Base.registry.mappers, key=lambda mapper: mapper.class_.__name__)
        for attribute in mapper.column_attrs
        if attribute.columns[0].info.get("is_sealed")
    ]


def not_under(key_id: str, column: Any) -> ColumnElement[bool]:
    """Return the condition that a text exists and is not sealed under the key of that id."""
    return and_(column.is_not(None), column.not_like(f"{key_id}.%"))


def _not_under_first_key(
    session: Session, table: type[OfWorkspace], column: Any, after: str
) -> Sequence[Any]:
    asked = select(table.id, column).where(not_under(signer_of(session).key_ids[0], column))
    later = asked.where(table.id > after) if after else asked
    return session.execute(later.order_by(table.id).limit(_AT_ONCE)).all()


def _sealed_rows(
    session: Session, table: type[OfWorkspace], column: Any, rows: Sequence[Any]
) -> SealedAnew:
    done = unreadable = 0
    for id_, kept in rows:
        text = opened_text(session, kept)
        if text == UNREADABLE:
            unreadable += 1
            continue
        session.execute(
            update(table)
            .where(table.id == id_, column == kept)
            .values({column.key: sealed_text(session, text)})
            .execution_options(synchronize_session=False)
        )
        done += 1
    return SealedAnew(done, unreadable)


def _open_sealed(
    signer: Signer, purpose: str, owner: str, key_ids: Sequence[str], token: bytes
) -> bytes:
    from cryptography.fernet import InvalidToken

    for key_id in key_ids:
        if key_id in signer.key_ids:
            try:
                return _build_fernet(signer, purpose, owner, key_id).decrypt(token)
            except InvalidToken:
                continue
    raise UnreadableSecretError("it was sealed under a key that is not among the settings'")


@lru_cache(maxsize=64)
def _build_fernet(signer: Signer, purpose: str, owner: str, key_id: str) -> "Fernet":
    # Imported here: requests that open no secret never load the library.
    from cryptography.fernet import Fernet

    return Fernet(urlsafe_b64encode(signer.derive_key(purpose, owner, key_id=key_id)))
