"""Why a sheet, a row or a cell is not taken: codes with their sentences."""

from dataclasses import dataclass, field

from pms.foundation.bounded_process import (
    BoundedProcess,
    ProcessBusyError,
    ProcessEndedError,
)
from pms.foundation.errors import Refused, TooMany
from pms.foundation.phrases import Bilingual
from pms.foundation.translations import translate
from pms.sheets.wording import ODDITIES, WORDS


@dataclass(frozen=True, slots=True)
class SheetReason:
    """A code of `pms.sheets.wording` and the values for its sentence."""

    code: str
    facts: dict[str, str | int] = field(default_factory=dict)

    def say(self, language: str, column: str = "", value: str = "") -> str:
        """Return the sentence in Japanese for `ja`, else in English."""
        return translate(WORDS[self.code], language, column=column, value=value, **self.facts)


@dataclass(frozen=True, slots=True)
class Remark:
    """A reason with its column and value; without a column it is about the whole row."""

    column: str | None
    value: str
    reason: SheetReason

    @property
    def is_oddity(self) -> bool:
        """Whether the row is accepted once a person has confirmed it."""
        return self.reason.code in ODDITIES

    def say(self, language: str) -> str:
        """Return the sentence in Japanese for `ja`, else in English."""
        return self.reason.say(language, self.column or "", self.value)


class Unreadable(ValueError):
    """A cell whose value is not valid for its column."""

    def __init__(self, code: str, **facts: str | int) -> None:
        self.reason = SheetReason(code, facts)
        super().__init__(code)


class SheetRefused(Refused):
    """A sheet that cannot be read at all; nothing of it is imported."""

    def __init__(self, code: str, **facts: str | int) -> None:
        self.reason = SheetReason(code, facts)
        super().__init__(self.reason.say("en"))
        self.wording = Bilingual(self.reason.say("ja"), self.message)


def answer_of_process(process: BoundedProcess, given: bytes) -> bytes:
    """Return what a process that reads workbooks answers.

    Raises `SheetRefused` where it takes too much, and `TooMany` while others are read.
    """
    try:
        return process.read(given).output
    except ProcessBusyError:
        raise TooMany(
            "Other workbooks are being read. Choose this one again in a minute.",
            retry_after_seconds=int(process.most_seconds),
        ) from None
    except ProcessEndedError:
        raise SheetRefused("workbook_too_much") from None
