"""Makes and checks the text of API keys: a prefix, 190 bits of randomness and a checksum."""

import hashlib
import secrets
import zlib
from typing import Final

PREFIX: Final = "pms_live_"
_LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RANDOM_LETTERS: Final = 32
_CHECK: Final = 6
_LENGTH: Final = len(PREFIX) + _RANDOM_LETTERS + _CHECK


def new_key() -> str:
    """Return a new key; it is shown once and kept only as `key_hash`."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_RANDOM_LETTERS))
    return f"{PREFIX}{letters}{_checksum(letters)}"


def is_key(text: str) -> bool:
    """Tell whether a text is a whole, untorn key, without asking any database."""
    if len(text) != _LENGTH or not text.startswith(PREFIX) or not text.isascii():
        return False
    letters = text[len(PREFIX) : -_CHECK]
    return text[-_CHECK:] == _checksum(letters)


def key_hash(key: str) -> str:
    """Return the SHA-256 a key is stored under; a key's randomness needs no slow hashing."""
    return hashlib.sha256(key.encode()).hexdigest()


def key_hint(key: str) -> str:
    """Return what may be shown of a key later: enough to recognise it, too little to use it."""
    return f"{key[: len(PREFIX) + 4]}…{key[-4:]}"


def _checksum(letters: str) -> str:
    number = zlib.crc32(letters.encode())
    digits = []
    for _ in range(_CHECK):
        number, digit = divmod(number, len(_LETTERS))
        digits.append(_LETTERS[digit])
    return "".join(digits)
