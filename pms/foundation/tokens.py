"""Tokens of links and sessions, signed links, API keys, and the hashes stored of them."""

import hashlib
import hmac
import secrets
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import itsdangerous
from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from pms.foundation.ids import is_id
from pms.foundation.settings import secret_keys

_TOKEN_BYTES: Final = 16
KEY_ID_LENGTH: Final = 8


def new_token() -> str:
    """Return 128 random bits as 32 hexadecimal digits; only its `token_hash` is stored."""
    return secrets.token_hex(_TOKEN_BYTES)


def token_hash(token: str) -> str:
    """Return the SHA-256 a token is stored under; random tokens need no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


class Signer:
    """Works with the secret keys: derives secrets and signs the contents of links.

    With several keys the first signs, seals and derives; signatures of any of them are accepted.
    """

    def __init__(self, secret_key: str) -> None:
        self._keys = {
            hmac.new(key.encode(), b"pms key id", hashlib.sha256).hexdigest()[:KEY_ID_LENGTH]: key
            for key in secret_keys(secret_key)
        }
        self.key_ids = tuple(self._keys)
        """Public ids of the keys, in their order; they reveal nothing about the keys."""

    def derive_key(self, purpose: str, *parts: str, key_id: str | None = None) -> bytes:
        """Return 256 bits that cannot be computed from the database alone.

        They are derived from the first key, or from the one with that id.
        """
        material = "\x1f".join((purpose, *parts)).encode()
        key = self._keys[key_id or self.key_ids[0]]
        return hmac.new(key.encode(), material, hashlib.sha256).digest()

    def derived_from_each(self, purpose: str, *parts: str) -> tuple[bytes, ...]:
        """Return the secrets derived from each key, in their order."""
        return tuple(self.derive_key(purpose, *parts, key_id=key_id) for key_id in self.key_ids)

    def sign_parts(self, purpose: str, *parts: str) -> str:
        """Return the parts signed, as the text of a link."""
        return str(self._build_serializer(purpose).dumps(parts))

    def read(self, purpose: str, text: str) -> tuple[str, ...] | None:
        """Return the parts of a text signed for this purpose; `None` for any other text."""
        try:
            return tuple(map(str, self._build_serializer(purpose).loads(text)))
        except BadSignature:
            return None

    def short(self, purpose: str, named: str) -> str:
        """Return a name of letters and digits with its signature, for use in a URL."""
        return self._short_signer(purpose).sign(named).decode()

    def read_short(self, purpose: str, text: str) -> str | None:
        """Return the name in a short text signed for this purpose; `None` for any other text."""
        try:
            return self._short_signer(purpose).unsign(text).decode()
        except (BadSignature, UnicodeError):
            return None

    def _short_signer(self, purpose: str) -> itsdangerous.Signer:
        return itsdangerous.Signer([*reversed(self._keys.values())], salt=f"pms.{purpose}.short")

    def _build_serializer(self, purpose: str) -> URLSafeSerializer:
        # The library signs with the last key.
        return URLSafeSerializer([*reversed(self._keys.values())], salt=f"pms.{purpose}")


LONGEST_TOKEN: Final = 400
Reading = Callable[[], AbstractContextManager[Session]]
"""Opens a reading session across workspaces, because the workspace of a link is not known yet."""


class LinkKind(NamedTuple):
    """One kind of links: the purpose they are signed for, and the column of their nonce."""

    purpose: str
    nonce: Any
    is_hashed: bool = False


class NamedLink(NamedTuple):
    """The contents of a link: its workspace, its row, and the nonce stored in the row."""

    workspace_id: str
    link_id: str
    nonce: str


def named_link(reading: Reading, signer: Signer, kind: LinkKind, token: str) -> NamedLink | None:
    """Return the contents of a token; `None` for a text not signed for links of this kind.

    A short token contains the row's nonce and its signature. The long ones of earlier releases
    contain workspace, row and nonce.
    """
    if len(token) > LONGEST_TOKEN:
        return None
    nonce = signer.read_short(kind.purpose, token)
    if nonce is not None:
        row = kind.nonce.class_
        kept = token_hash(nonce) if kind.is_hashed else nonce
        with reading() as session:
            found = session.execute(
                select(row.workspace_id, row.id).where(kind.nonce == kept)
            ).first()
        return NamedLink(found[0], found[1], nonce) if found else None
    parts = signer.read(kind.purpose, token)
    if parts is None or len(parts) != 3 or not (is_id(parts[0]) and is_id(parts[1])):
        return None
    return NamedLink(*parts)


_NOTED_EVERY: Final = timedelta(minutes=1)


def is_opening_due(last_opened_at: datetime | None, now: datetime) -> bool:
    """Whether to record that a link was opened: at most once a minute."""
    return last_opened_at is None or now - last_opened_at >= _NOTED_EVERY


def note_link_opened(session: Session, kind: LinkKind, link_id: str, at: datetime) -> None:
    """Record the instant a link was opened; an older instant changes nothing."""
    row = kind.nonce.class_
    session.execute(
        update(row)
        .where(row.id == link_id, or_(row.last_opened_at.is_(None), row.last_opened_at < at))
        .values(last_opened_at=at)
        .execution_options(synchronize_session=False)
    )


PREFIX: Final = "pms_live_"
_LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RANDOM_LETTERS: Final = 32
_CHECK: Final = 6
_LENGTH: Final = len(PREFIX) + _RANDOM_LETTERS + _CHECK


def new_key() -> str:
    """Return a new key; it is shown once and stored only as `key_hash`."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_RANDOM_LETTERS))
    return f"{PREFIX}{letters}{_compute_checksum(letters)}"


def is_key(text: str) -> bool:
    """Whether a text is a complete key with a valid checksum; the database is not queried."""
    if len(text) != _LENGTH or not text.startswith(PREFIX) or not text.isascii():
        return False
    letters = text[len(PREFIX) : -_CHECK]
    return text[-_CHECK:] == _compute_checksum(letters)


def key_hash(key: str) -> str:
    """Return the SHA-256 a key is stored under; random keys need no slow hash."""
    return hashlib.sha256(key.encode()).hexdigest()


def key_hint(key: str) -> str:
    """Return what may be shown of a key later: enough to recognise it, too little to use it."""
    return f"{key[: len(PREFIX) + 4]}…{key[-4:]}"


def _compute_checksum(letters: str) -> str:
    number = zlib.crc32(letters.encode())
    digits = []
    for _ in range(_CHECK):
        number, digit = divmod(number, len(_LETTERS))
        digits.append(_LETTERS[digit])
    return "".join(digits)
