"""Makes random tokens for links, sessions and codes, and what of it may be kept: hashes and seals."""

import hashlib
import hmac
import secrets
from typing import Final

import itsdangerous
from itsdangerous import BadSignature, URLSafeSerializer

_TOKEN_BYTES: Final = 16
KEY_ID_LENGTH: Final = 8


def new_token() -> str:
    """Return 128 bits of randomness as 32 hexadecimal digits; it is kept only as `token_hash`."""
    return secrets.token_hex(_TOKEN_BYTES)


def token_hash(token: str) -> str:
    """Return the SHA-256 that a token is stored under; its randomness needs no slow hashing."""
    return hashlib.sha256(token.encode()).hexdigest()


def secret_keys(secret_key: str) -> tuple[str, ...]:
    """Return the keys of a `PMS_SECRET_KEY`, the newest first; commas stand between them."""
    return tuple(key for part in secret_key.split(",") if (key := part.strip())) or (secret_key,)


class Signer:
    """Works with the program's secret keys: derives secrets and signs what a link names.

    Of several keys the first signs, seals and derives; what any of them signed is read.
    """

    def __init__(self, secret_key: str) -> None:
        self._keys = {_key_id(key): key for key in secret_keys(secret_key)}
        self.key_ids = tuple(self._keys)
        """What tells the keys apart and gives nothing of them away, in their order."""

    def derived(self, purpose: str, *parts: str, key_id: str | None = None) -> bytes:
        """Return 256 bits that nobody can work out from the database alone.

        They follow from the first key, or from the one of that id.
        """
        material = "\x1f".join((purpose, *parts)).encode()
        key = self._keys[key_id or self.key_ids[0]]
        return hmac.new(key.encode(), material, hashlib.sha256).digest()

    def derived_from_each(self, purpose: str, *parts: str) -> tuple[bytes, ...]:
        """Return what follows from each key, in their order."""
        return tuple(self.derived(purpose, *parts, key_id=key_id) for key_id in self.key_ids)

    def signed(self, purpose: str, *parts: str) -> str:
        """Return the parts as the text of a link."""
        return str(self._serializer(purpose).dumps(parts))

    def read(self, purpose: str, text: str) -> tuple[str, ...] | None:
        """Return the parts of a link made for this purpose, `None` for any other text."""
        try:
            return tuple(map(str, self._serializer(purpose).loads(text)))
        except BadSignature:
            return None

    def short(self, purpose: str, named: str) -> str:
        """Return a name of letters and digits with its signature, as the address of a link has it."""
        return self._short_signer(purpose).sign(named).decode()

    def read_short(self, purpose: str, text: str) -> str | None:
        """Return what a short text made for this purpose names, `None` for any other text."""
        try:
            return self._short_signer(purpose).unsign(text).decode()
        except (BadSignature, UnicodeError):
            return None

    def _short_signer(self, purpose: str) -> itsdangerous.Signer:
        return itsdangerous.Signer([*reversed(self._keys.values())], salt=f"pms.{purpose}.short")

    def _serializer(self, purpose: str) -> URLSafeSerializer:
        # The library signs with the last.
        return URLSafeSerializer([*reversed(self._keys.values())], salt=f"pms.{purpose}")


def _key_id(key: str) -> str:
    return hmac.new(key.encode(), b"pms key id", hashlib.sha256).hexdigest()[:KEY_ID_LENGTH]
