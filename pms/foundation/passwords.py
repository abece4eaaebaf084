"""Hashes passwords by argon2id, and takes as long over nobody's password as over somebody's."""

import unicodedata
from threading import BoundedSemaphore
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from pms.foundation.settings import Settings

_FEWEST_GUESSES: Final = 1_000_000
_MOST_JUDGED: Final = 72  # characters; what is longer is judged by its beginning
_PASSES: Final = 2
_LANES: Final = 1
# Each hash takes memory: more at once would let sign-ins fill a small machine.
_AT_ONCE: Final = BoundedSemaphore(4)


class Passwords:
    """Makes and checks hashes, a few at a time."""

    def __init__(self, settings: Settings) -> None:
        self._hasher = PasswordHasher(
            time_cost=_PASSES, memory_cost=settings.password_memory_kib, parallelism=_LANES
        )
        self._nobodys = self._hasher.hash("")

    def hashed(self, password: str) -> str:
        """Return what is kept of a password."""
        with _AT_ONCE:
            return self._hasher.hash(_plain(password))

    def matches(self, kept: str | None, password: str) -> bool:
        """Tell whether a password is the one kept; the same work when there is none."""
        wanted = kept or self._nobodys
        try:
            with _AT_ONCE:
                is_right = self._hasher.verify(wanted, _plain(password))
        except (VerificationError, InvalidHashError):
            return False
        return is_right and kept is not None

    def is_outdated(self, kept: str) -> bool:
        """Tell whether a hash was made with other costs than today's."""
        return self._hasher.check_needs_rehash(kept)


def is_common(password: str, address: str) -> bool:
    """Tell whether a password is among the first million that are guessed.

    The library knows the passwords that leaked most often, words and names, keys side by side,
    days and repetitions, also with figures in place of letters; what is in the own address counts
    as known.
    """
    # Imported here: its lists take memory that only a new password needs.
    from zxcvbn import zxcvbn

    known = [address, *address.replace("@", ".").split(".")]
    return int(zxcvbn(_plain(password)[:_MOST_JUDGED], known)["guesses"]) < _FEWEST_GUESSES


def _plain(password: str) -> str:
    # The same password typed on a phone and on a desk may differ in width and composition.
    return unicodedata.normalize("NFKC", password)
