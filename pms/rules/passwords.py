"""Which passwords are too easy to guess."""

from enum import StrEnum
from typing import Final

LEAST_CHARACTERS: Final = 10
MOST_CHARACTERS: Final = 200

# The library that knows common passwords knows few of those of this country and this trade.
_WORN: Final = frozenset(
    {"password", "passw0rd", "qwertyuiop", "1234567890", "0123456789", "letmein", "welcome"}
    | {"iloveyou", "sunshine", "princess", "admin", "administrator", "sakura", "nippon"}
    | {"arigatou", "konnichiwa", "tokyo", "osaka", "doraemon", "pikachu", "sharehouse", "operator"}
)


class PasswordProblem(StrEnum):
    """What is wrong with a new password."""

    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    TOO_PLAIN = "too_plain"
    OWN_ADDRESS = "own_address"


def problem_of_password(password: str, address: str) -> PasswordProblem | None:
    """Return why a password is refused, `None` when it may be used.

    Length is what counts; no kinds of characters are demanded.
    """
    if len(password) < LEAST_CHARACTERS:
        return PasswordProblem.TOO_SHORT
    if len(password) > MOST_CHARACTERS:
        return PasswordProblem.TOO_LONG
    folded = password.casefold()
    if address.partition("@")[0] in folded.replace("@", " ").split() or folded == address:
        return PasswordProblem.OWN_ADDRESS
    plain = folded.strip("0123456789!?.-_ ")
    if len(set(folded)) < 4 or plain in _WORN or folded in _WORN:
        return PasswordProblem.TOO_PLAIN
    return None
