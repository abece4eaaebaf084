"""When an emailed sign-in code opens a door."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

CODE_DIGITS: Final = 6
CODE_LIFE: Final = timedelta(minutes=10)
WRONG_TRIES: Final = 5
SESSION_LIFE: Final = timedelta(days=7)

_CODE: Final = re.compile(rf"[0-9]{{{CODE_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class SentCode:
    """What is remembered of a sent code besides its digits."""

    sent_at: datetime
    is_newest: bool
    wrong_tries: int


def is_code(text: str) -> bool:
    """Whether a text has the form of a code: six ASCII digits (specification, Surfaces)."""
    return _CODE.fullmatch(text) is not None


def code_works(code: SentCode, used_at: datetime, is_same_screen: bool) -> bool:
    """Whether the right digits open the door (specification, Surfaces and Limits).

    Only the newest code, only on the screen that asked, for less than ten minutes, and until
    five wrong tries have killed it.
    """
    is_alive = used_at - code.sent_at < CODE_LIFE and code.wrong_tries < WRONG_TRIES
    return is_alive and code.is_newest and is_same_screen
