"""Hashes passwords with argon2id, and takes the same time when there is no hash to compare."""

import re
import unicodedata
from base64 import b64encode
from collections.abc import Iterable
from secrets import token_bytes
from threading import BoundedSemaphore
from typing import Final

from argon2 import DEFAULT_HASH_LENGTH, DEFAULT_RANDOM_SALT_LENGTH, PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from pms.foundation.settings import Settings

_FEWEST_GUESSES: Final = 1_000_000
_FEWEST_BESIDE_NAMES: Final = 100_000
_MOST_JUDGED: Final = 72  # characters; of a longer one only these are judged
_PASSES: Final = 2
_LANES: Final = 1
# Each hash takes memory: more at once would let sign-ins fill a small machine.
_AT_ONCE: Final = BoundedSemaphore(4)


class Passwords:
    """Creates and checks hashes, a few at a time."""

    def __init__(self, settings: Settings) -> None:
        self._hasher = PasswordHasher(
            time_cost=_PASSES, memory_cost=settings.password_memory_kib, parallelism=_LANES
        )
        # A hash that no password has; to compare a password with it costs what any other does. It
        # is put together, since to compute one would make each start slower.
        salt, digest = (
            b64encode(token_bytes(length)).rstrip(b"=").decode()
            for length in (DEFAULT_RANDOM_SALT_LENGTH, DEFAULT_HASH_LENGTH)
        )
        costs = f"m={settings.password_memory_kib},t={_PASSES},p={_LANES}"
        self._without_password = f"$argon2id$v={ARGON2_VERSION}${costs}${salt}${digest}"

    def hash_password(self, password: str) -> str:
        """Return the hash of a password."""
        with _AT_ONCE:
            return self._hasher.hash(_normalise_password(password))

    def matches(self, kept: str | None, password: str) -> bool:
        """Whether a password matches a hash; the same work is done without a hash."""
        wanted = kept or self._without_password
        try:
            with _AT_ONCE:
                is_right = self._hasher.verify(wanted, _normalise_password(password))
        except (VerificationError, InvalidHashError):
            return False
        return is_right and kept is not None

    def is_outdated(self, kept: str) -> bool:
        """Whether a hash was made with parameters other than the present ones."""
        return self._hasher.check_needs_rehash(kept)


_OF_THE_TRADE: Final = ("pms", "sharehouse", "share-house", "chintai", "シェアハウス", "賃貸")


def is_common(password: str, address: str, names: Iterable[str | None] = ()) -> bool:
    """Whether a password is among the first million that attackers guess.

    The library knows the most frequently leaked passwords, words and names, keyboard patterns,
    dates and repetitions, also with digits in place of letters. Parts of the person's own address
    and of the names, those of the person and of where they work, count as known words, as do words
    of the trade.
    """
    # Imported here: its word lists take memory that only a new password needs.
    from zxcvbn import zxcvbn

    def guesses(text: str) -> int:
        return int(zxcvbn(text[:_MOST_JUDGED], known)["guesses"]) if text else 0

    plain = _normalise_password(password).casefold()
    known = [address, *address.replace("@", ".").split(".")]
    for name in (*_OF_THE_TRADE, *(_normalise_password(name).casefold() for name in names if name)):
        words = [word for word in re.split(r"[\W_]+", name) if len(word) > 1]
        known += [*words, "".join(words)]
    # What is left without the names has to be hard to guess by itself.
    rest = plain
    for word in sorted(set(known), key=len, reverse=True):
        rest = rest.replace(word.casefold(), "") if len(word) > 2 else rest
    return guesses(_normalise_password(password)) < _FEWEST_GUESSES or (
        rest != plain and guesses(re.sub(r"[\W_]", "", rest)) < _FEWEST_BESIDE_NAMES
    )


def _normalise_password(password: str) -> str:
    # The same password typed on a phone and on a computer may differ in width and composition.
    return unicodedata.normalize("NFKC", password)
