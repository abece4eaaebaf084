"""Reads which row the text of a link names: only that row decides what it opens."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.ids import is_id
from pms.foundation.tokens import Signer, token_hash

LONGEST_TOKEN: Final = 400
Reading = Callable[[], AbstractContextManager[Session]]
"""Opens a session that reads before it is known which workspace a link is of."""


class LinkKind(NamedTuple):
    """One kind of links: what they are signed for, and the column that knows their nonce."""

    purpose: str
    nonce: Any
    is_hashed: bool = False


class NamedLink(NamedTuple):
    """What a link names: its workspace, its row, and the nonce that the row has to know."""

    workspace_id: str
    link_id: str
    nonce: str


def named_link(reading: Reading, signer: Signer, kind: LinkKind, token: str) -> NamedLink | None:
    """Return what a token names, `None` for any text that was not signed for links of this kind.

    A short token carries the row's nonce and its signature. The long ones of earlier releases
    name workspace, row and nonce themselves.
    """
    if len(token) > LONGEST_TOKEN:
        return None
    nonce = signer.read_short(kind.purpose, token)
    if nonce is not None:
        return _found(reading, kind, nonce)
    parts = signer.read(kind.purpose, token)
    if parts is None or len(parts) != 3 or not (is_id(parts[0]) and is_id(parts[1])):
        return None
    return NamedLink(*parts)


def _found(reading: Reading, kind: LinkKind, nonce: str) -> NamedLink | None:
    row = kind.nonce.class_
    kept = token_hash(nonce) if kind.is_hashed else nonce
    with reading() as session:
        found = session.execute(select(row.workspace_id, row.id).where(kind.nonce == kept)).first()
    return NamedLink(found[0], found[1], nonce) if found else None
