"""Makes chance for links, sessions and codes, and what of it may be kept: hashes and seals."""

import hashlib
import hmac
import secrets
from typing import Final

from itsdangerous import BadSignature, Signer, URLSafeSerializer

_TOKEN_BYTES: Final = 16


def new_token() -> str:
    """Return 128 bits of chance as 32 hexadecimal digits; it is kept only as `token_hash`."""
    return secrets.token_hex(_TOKEN_BYTES)


def token_hash(token: str) -> str:
    """Return the SHA-256 that a token is stored under; its chance needs no slow hashing."""
    return hashlib.sha256(token.encode()).hexdigest()


class Sealer:
    """Works with the program's secret key: derives secrets and signs what a link names."""

    def __init__(self, secret_key: str) -> None:
        self._secret_key = secret_key

    def derived(self, purpose: str, *parts: str) -> bytes:
        """Return 256 bits that nobody can work out from the database alone."""
        told = "\x1f".join((purpose, *parts)).encode()
        return hmac.new(self._secret_key.encode(), told, hashlib.sha256).digest()

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
        return self._signer(purpose).sign(named).decode()

    def read_short(self, purpose: str, text: str) -> str | None:
        """Return what a short text made for this purpose names, `None` for any other text."""
        try:
            return self._signer(purpose).unsign(text).decode()
        except (BadSignature, UnicodeError):
            return None

    def _signer(self, purpose: str) -> Signer:
        return Signer(self._secret_key, salt=f"pms.{purpose}.short")

    def _serializer(self, purpose: str) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret_key, salt=f"pms.{purpose}")
