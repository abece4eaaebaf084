"""Sign-in codes and passwords."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

LEAST_CHARACTERS: Final = 10
MOST_CHARACTERS: Final = 200

# The library of common passwords knows few Japanese ones and none of this trade.
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

    Length decides; no character classes are required.
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


CODE_DIGITS: Final = 6
CODE_LIFE: Final = timedelta(minutes=10)
WRONG_TRIES: Final = 5
GUESSES_A_DAY: Final = 15
GUESSES_WITHIN: Final = timedelta(days=1)
SESSION_LIFE: Final = timedelta(days=7)

_CODE: Final = re.compile(rf"[0-9]{{{CODE_DIGITS}}}")
_BETWEEN_DIGITS: Final = re.compile(r"[\s‐-―−ー・.-]+")


class CodeAnswer(StrEnum):
    """The result of trying a code."""

    OPENS = "opens"
    WRONG = "wrong"
    SPENT = "spent"
    EXPIRED = "expired"
    REPLACED = "replaced"
    OTHER_SCREEN = "other_screen"
    LINK_INSTEAD = "link_instead"
    SLOWED_DOWN = "slowed_down"


class CodeAsker(NamedTuple):
    """From where a code was asked for; empty texts stand for nobody known."""

    browser: str
    network: str
    is_over_allowance: bool = False
    """Whether this browser or network had asked more often than is free at once."""


def ends_code(newer: CodeAsker, older: CodeAsker) -> bool:
    """Whether a newer code of an account ends an older one, on whichever screen that is used.

    It does (specification, Surfaces), unless it was asked for from another network or over the
    allowance: nobody elsewhere can end another person's code.
    """
    if newer.browser == older.browser:
        return True
    return bool(newer.network) and newer.network == older.network and not newer.is_over_allowance


@dataclass(frozen=True, slots=True)
class SentCode:
    """What is stored about a sent code besides its digits.

    `is_newest` says that no later code of the account has ended it (`ends_code`).
    """

    sent_at: datetime
    is_newest: bool
    wrong_tries: int
    is_used: bool = False


def takes_link(wrong_tries: int) -> bool:
    """Whether this many wrong tries in a day, over all codes of an account, end its codes.

    For the rest of that day a link, which cannot be guessed, is mailed instead.
    """
    return wrong_tries >= GUESSES_A_DAY


def read_code(text: str) -> str | None:
    """Return the six digits typed, also in full width or with blanks and dashes between."""
    digits = _BETWEEN_DIGITS.sub("", unicodedata.normalize("NFKC", text))
    return digits if is_code(digits) else None


def is_code(text: str) -> bool:
    """Whether a text has the form of a code: six ASCII digits (specification, Surfaces)."""
    return _CODE.fullmatch(text) is not None


def refusal_of_code(
    code: SentCode | None, used_at: datetime, is_same_screen: bool
) -> CodeAnswer | None:
    """Return why even the right digits would not sign in; `None` when they do.

    They do for the newest code, on the screen that asked, for less than ten minutes, once, and
    before five wrong tries (specification, Surfaces and Limits).
    `code` is the newest code of the screen, or `None` when none was sent there.
    """
    if code is None or not is_same_screen:
        return CodeAnswer.OTHER_SCREEN
    if not code.is_newest:
        return CodeAnswer.REPLACED
    if code.is_used or used_at - code.sent_at >= CODE_LIFE:
        return CodeAnswer.EXPIRED
    return CodeAnswer.SPENT if code.wrong_tries >= WRONG_TRIES else None
