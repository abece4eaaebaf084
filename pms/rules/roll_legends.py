"""What a rent roll itself says about its signs, marks and codes: ▲＝未収, ○入金済 ×未入金, (1:契約中)."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final
from unicodedata import normalize


class Sign(StrEnum):
    """What a figure without a sign is in a column of debts or balances."""

    OWED = "owed"
    AHEAD = "ahead"

    @property
    def other(self) -> "Sign":
        """What a figure with a minus is."""
        return Sign.AHEAD if self is Sign.OWED else Sign.OWED


class Mark(StrEnum):
    """What a mark in the column of a month says about its rent."""

    PAID = "paid"
    UNPAID = "unpaid"
    REST = "rest"
    """The amount beside the mark is missing."""
    PART = "part"
    """The amount beside the mark was paid."""
    FREE = "free"
    AHEAD = "ahead"
    """Money came before the month was billed."""


DAY_MARK: Final = "日付"
"""The mark of a legend that speaks of days instead of signs."""

_OWED: Final = r"未収|滞納|未納|未払|不足|延滞|owes?|owed|due|arrears|debit|unpaid|debt"
_AHEAD: Final = r"前受|過入金|前払|前納|過払|預り|余剰|credit|prepaid|overpaid|ahead|overpayment"
_MINUS: Final = r"[▲△−\-]|マイナス|赤字|括弧|\(\s*\)|minus|negative"
_PLAIN: Final = r"[+＋]|プラス|無印|符号なし|符号無し|plus|positive|nosign"
_SIGNED: Final = re.compile(
    rf"(?:(?P<minus>{_MINUS})|(?P<plain>{_PLAIN}))\s*(?:印|表示|符号)?\s*(?:[=:は]|が)?\s*(?:(?P<owed>{_OWED})|(?P<ahead>{_AHEAD}))",
    re.IGNORECASE,
)
_MARKS: Final = (
    (Mark.AHEAD, re.compile(r"前払|前納|前受|prepaid|inadvance", re.IGNORECASE)),
    (Mark.FREE, re.compile(r"免除|免|無料|フリーレント|対象外|free|waived", re.IGNORECASE)),
    (Mark.REST, re.compile(r"不足|残|short|missing", re.IGNORECASE)),
    (Mark.PART, re.compile(r"一部|内金|part", re.IGNORECASE)),
    (Mark.UNPAID, re.compile(r"未|滞納|延滞|unpaid|notpaid|overdue|late", re.IGNORECASE)),
    (Mark.PAID, re.compile(r"済|入金|paid|ok|received", re.IGNORECASE)),
)
_SYMBOL: Final = re.compile(
    rf"(?P<mark>[○◯〇◎●×✕✖✗☓X△▲✓✔☑レ免済未]|{DAY_MARK}|空欄|blank|date)\s*[=:は]?\s*(?P<word>[^\s=:]{{1,14}})",
    re.IGNORECASE,
)
_CODE: Final = re.compile(
    r"(?P<code>\d{1,2}|[a-z])\s*[:=.]\s*(?P<word>[^\s\d:=.,、/・()]{1,12})", re.I
)
_BRACKETS: Final = re.compile(r"[(\[【<](.*?)[)\]】>]")


def plain_sign(text: str) -> Sign | None:
    """Return what a figure without a sign is by a legend; None when the legend does not say."""
    found: set[Sign] = set()
    for part in _SIGNED.finditer(normalize("NFKC", text)):
        sign = Sign.OWED if part["owed"] else Sign.AHEAD
        found.add(sign.other if part["minus"] else sign)
    return found.pop() if len(found) == 1 else None


def marks_in(text: str) -> Mapping[str, Mark]:
    """Return the marks of a legend by their sign, `DAY_MARK` for a day; empty for other texts."""
    found: dict[str, Mark] = {}
    for part in _SYMBOL.finditer(normalize("NFKC", text)):
        meaning = next((mark for mark, words in _MARKS if words.search(part["word"])), None)
        if meaning is not None:
            sign = DAY_MARK if part["mark"].casefold() == "date" else part["mark"]
            found.setdefault(sign, meaning)
    return found if len(found) > 1 else {}


def codes_in(title: str) -> Mapping[str, str]:
    """Return what the codes in the brackets of a heading stand for: 状態(1:契約中 2:空室)."""
    texts = _BRACKETS.findall(normalize("NFKC", title))
    return codes_explained(" ".join(texts))


def codes_explained(text: str) -> Mapping[str, str]:
    """Return what codes stand for by a text that explains them: 1:契約中 2:空室."""
    found = _CODE.finditer(normalize("NFKC", text))
    return {part["code"].casefold(): part["word"] for part in found}
