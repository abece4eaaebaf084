"""Why a cell, a row or a whole sheet is refused or remarked upon: a code and the facts it names."""

from dataclasses import dataclass, field

from pms.arrivals.sheets.wording import ODDITIES, WORDS
from pms.foundation.bilingual import Bilingual
from pms.foundation.errors import Refused


@dataclass(frozen=True, slots=True)
class Reason:
    """A code of pms.arrivals.sheets.wording and what fills its sentence."""

    code: str
    facts: dict[str, str | int] = field(default_factory=dict)

    def say(self, language: str, column: str = "", value: str = "") -> str:
        """The sentence in `ja`, else in English."""
        english, japanese = WORDS[self.code]
        sentence = japanese if language == "ja" else english
        return sentence.format(column=column, value=value, **self.facts)


@dataclass(frozen=True, slots=True)
class Remark:
    """A reason with the column and the value it is about; no column means the whole row."""

    column: str | None
    value: str
    reason: Reason

    @property
    def is_oddity(self) -> bool:
        """Whether the row is taken all the same once somebody has confirmed it."""
        return self.reason.code in ODDITIES

    def say(self, language: str) -> str:
        """The sentence in `ja`, else in English."""
        return self.reason.say(language, self.column or "", self.value)


class Unreadable(ValueError):
    """A cell that does not hold what its column wants."""

    def __init__(self, code: str, **facts: str | int) -> None:
        self.reason = Reason(code, facts)
        super().__init__(code)


class SheetRefused(Refused):
    """A sheet that cannot be read at all; nothing of it is taken."""

    def __init__(self, code: str, **facts: str | int) -> None:
        self.reason = Reason(code, facts)
        super().__init__(self.reason.say("en"))
        self.wording = Bilingual(self.reason.say("ja"), self.message)
