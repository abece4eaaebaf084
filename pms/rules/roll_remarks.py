"""Questions that the term and the remark of a row leave open; a remark itself stays a remark.

退去予定 files no notice, 更新 sets no contract end, フリーレント makes no discount; each is offered.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, Final

from pms.rules.days import add_months, inclusive_days, month_last
from pms.rules.roll_cells import plain, read_months
from pms.rules.roll_dates import FoundDay, days_in
from pms.rules.roll_lines import nearest_month

_MOVE_OUT: Final = re.compile(r"退去|解約|明渡|転居|mov(?:e|ing).?out|vacat|leav", re.IGNORECASE)
_MOVED_OUT_ALREADY: Final = re.compile(r"退去立会|退去済|退去後|前入居者")
_FILED: Final = re.compile(r"届|通知|受付|受領|申出|連絡|notice|filed|given", re.IGNORECASE)
_FREE_RENT: Final = re.compile(
    r"フリーレント|\bFR\b|FR(?=\s?\d)|free.?rent|賃料無料|家賃無料", re.IGNORECASE
)
_FREE_FOR: Final = re.compile(r"(\d+\s?[ヶケカヵか個箇]月|\d+\s?months?)", re.IGNORECASE)
_MADE_AGAIN: Final = re.compile(r"再契約")
_NOT_AGAIN: Final = re.compile(
    r"再契約(?:なし|無し?|しない|不可|予定なし)|更新(?:なし|無し?|不可|しない)|期間満了(?:で|にて|により)?(?:終了|退去)"
)
_AUTOMATIC: Final = re.compile(r"自動更新|auto(?:matic)?(?:ally)?.?renew", re.IGNORECASE)
_GOES_ON: Final = re.compile(
    r"継続|法定更新|月ごと|month.?to.?month|rolling|更新(?:済|中|手続)", re.IGNORECASE
)
_BY_MONTH: Final = re.compile(r"month by month", re.IGNORECASE)
_RENEWED: Final = re.compile(r"更新|renewed", re.IGNORECASE)
_RENT_CHANGES: Final = re.compile(
    r"(?:家賃|賃料|共益費|管理費)[^。、]{0,14}(?:改定|改訂|変更|値上|値下|増額|減額|アップ|ダウン)"
    r"|(?<!\d)\d{1,2}月分?(?:より|から)[^。、]{0,6}(?:家賃|賃料)[^。、]{0,4}\d|(?:rent|fee)s?\s+(?:goes|will|changes?|increases?|to be)\b",
    re.IGNORECASE,
)
_ROOM_CHANGES: Final = re.compile(
    r"\bmov(?:es?|ing) (?:in)?to (?:room|unit|bed|apt)|部屋(?:移動|替え|変更|の移動)|\d{1,4}号?室?(?:へ|に)(?:移動|移る|移転|転居)",
    re.IGNORECASE,
)
_LATE: Final = re.compile(r"遅れ|遅延|遅く|延着|\blate\b", re.IGNORECASE)
_MOVE_IN_PAID: Final = re.compile(
    r"(?:契約金|初期費用|入居金|一時金|前家賃).{0,6}(?:済|受領|入金)|入金済|支払済|paid",
    re.IGNORECASE,
)
_COMPANY_LET: Final = re.compile(r"社宅|法人契約|社員寮|corporate", re.IGNORECASE)
_SECOND_PAYS: Final = re.compile(
    r"(?:共益費|管理費|賃料|家賃)[^\d]{0,4}([\d,]+)円?\s*(?:増|加算|プラス|up)|\+\s*([\d,]+)円?",
    re.IGNORECASE,
)
_SHORT_TERM_DAYS: Final = 366
_SOON_DAYS: Final = 14


class RemarkDoubt(StrEnum):
    """A question about the term or the remark of a row."""

    STARTS_LATER = "starts_later"
    STARTS_LATER_PAID = "starts_later_paid"
    MADE_AGAIN = "made_again"
    AUTOMATIC_RENEWAL = "automatic_renewal"
    TERM_OVER = "term_over"
    TERM_ENDS_SOON = "term_ends_soon"
    RENEWED_ON = "renewed_on"
    NOT_MADE_AGAIN = "not_made_again"
    NOTICE_IN_REMARK = "notice_in_remark"
    FREE_RENT = "free_rent"
    FREE_RENT_OVER = "free_rent_over"
    PAID_LATE = "paid_late"
    RENT_CHANGES = "rent_changes"
    ROOM_CHANGES = "room_changes"


@dataclass(frozen=True, slots=True)
class RemarkQuestion:
    """One question: its kind, whether it blocks, the proposal, and its column."""

    doubt: RemarkDoubt
    column: str
    """start, end or note."""
    proposal: Any = None
    blocks: bool = False
    facts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RemarkedTenancy:
    """What is known about a tenancy besides its remark."""

    remark: str
    start: date | None
    end: date | None
    as_of: date
    billed_through: date
    read_on: date = date.min
    has_debt: bool = False
    debt_is_renewal: bool = False
    has_own_month: bool = False
    """The row itself says through which month it was billed."""


def asked_of(row: RemarkedTenancy) -> Iterator[RemarkQuestion]:
    """The questions about a row's term and remark, each once."""
    remark = plain(row.remark)
    if row.start is not None and row.start > row.as_of and not row.has_own_month:
        yield _starts_later(row, remark)
    leaves = _ask_about_notice(row, remark)
    if leaves is not None:
        yield leaves
    else:
        yield from _about_the_end(row, remark)
    yield from _free_rent(row, remark)
    if _RENT_CHANGES.search(remark):
        yield RemarkQuestion(RemarkDoubt.RENT_CHANGES, "note")
    if _ROOM_CHANGES.search(remark):
        yield RemarkQuestion(RemarkDoubt.ROOM_CHANGES, "note")
    if _LATE.search(remark) and not row.has_debt:
        yield RemarkQuestion(RemarkDoubt.PAID_LATE, "note", 0)


def _starts_later(row: RemarkedTenancy, remark: str) -> RemarkQuestion:
    start = row.start or row.as_of
    if _MOVE_IN_PAID.search(remark):
        proposal = {"billedThrough": month_last(start)}
        return RemarkQuestion(RemarkDoubt.STARTS_LATER_PAID, "note", proposal, blocks=True)
    return RemarkQuestion(RemarkDoubt.STARTS_LATER, "start", blocks=True)


def _about_the_end(row: RemarkedTenancy, remark: str) -> Iterator[RemarkQuestion]:
    start, end = row.start, row.end
    is_over = end is not None and end <= row.as_of
    if _NOT_AGAIN.search(remark):
        if not is_over:
            facts = {"end": str(end)}
            yield RemarkQuestion(RemarkDoubt.NOT_MADE_AGAIN, "note", facts=facts)
        return
    if _MADE_AGAIN.search(remark) and is_over:
        yield RemarkQuestion(RemarkDoubt.MADE_AGAIN, "end", blocks=True)
        return
    renewed = _day_beside(remark, _RENEWED, row.as_of)
    if renewed is not None and start is not None and start < renewed <= row.as_of:
        facts = {"renewed": str(renewed), "start": str(start)}
        yield RemarkQuestion(RemarkDoubt.RENEWED_ON, "note", facts=facts)
        return
    if end is None or start is None or end < start:
        return
    if is_over or end < row.read_on:
        yield from _term_over(row, start, end, remark)
    elif (end < row.billed_through or (end - row.as_of).days <= _SOON_DAYS) and not _GOES_ON.search(
        remark
    ):
        yield RemarkQuestion(RemarkDoubt.TERM_ENDS_SOON, "end", facts={"end": str(end)})


def _term_over(
    row: RemarkedTenancy, start: date, end: date, remark: str
) -> Iterator[RemarkQuestion]:
    facts = {"end": str(end)}
    if _AUTOMATIC.search(remark):
        proposal = {"end": _renewed_end(start, end, row.as_of)}
        yield RemarkQuestion(RemarkDoubt.AUTOMATIC_RENEWAL, "end", proposal, facts=facts)
    elif row.debt_is_renewal or (_GOES_ON.search(remark) and not _BY_MONTH.search(remark)):
        return
    elif inclusive_days(start, end) <= _SHORT_TERM_DAYS or (row.as_of - end).days <= _SOON_DAYS:
        # A lease of years continues by law unless it is ended; a short one was meant to end.
        yield RemarkQuestion(RemarkDoubt.TERM_OVER, "end", facts=facts)


def _renewed_end(start: date, end: date, as_of: date) -> date:
    after = end + timedelta(days=1)
    months = max((after.year - start.year) * 12 + after.month - start.month, 1)
    while after - timedelta(days=1) <= as_of:
        after = add_months(after, months)
    return after - timedelta(days=1)


def _ask_about_notice(row: RemarkedTenancy, remark: str) -> RemarkQuestion | None:
    if not _MOVE_OUT.search(remark) or _MOVED_OUT_ALREADY.search(remark):
        return None
    days = list(days_in(remark, row.as_of))
    out = _find_nearest_day(days, _MOVE_OUT, remark)
    if out is None:
        return None
    proposal: dict[str, date] = {"moveOut": out.day}
    others = [other for other in days if other is not out]
    filed = next(
        (other for other in others if _FILED.search(remark[other.end : other.end + 8])), None
    )
    if filed is not None:
        proposal = {"filedOn": filed.day, "moveOut": out.day}
    return RemarkQuestion(RemarkDoubt.NOTICE_IN_REMARK, "note", proposal)


def _find_nearest_day(days: list[FoundDay], word: re.Pattern[str], remark: str) -> FoundDay | None:
    places = [found.start() for found in word.finditer(remark)]
    return min(days, key=lambda day: min(abs(place - day.end) for place in places), default=None)


def _day_beside(remark: str, word: re.Pattern[str], near: date) -> date | None:
    if not word.search(remark):
        return None
    found = _find_nearest_day(list(days_in(remark, near)), word, remark)
    return None if found is None else found.day


def _free_rent(row: RemarkedTenancy, remark: str) -> Iterator[RemarkQuestion]:
    if not _FREE_RENT.search(remark):
        return
    until = _free_until(row, remark)
    if until is not None and until <= row.billed_through:
        yield RemarkQuestion(RemarkDoubt.FREE_RENT_OVER, "note", facts={"until": str(until)})
        return
    proposal = None if until is None else {"freeUntil": until}
    yield RemarkQuestion(RemarkDoubt.FREE_RENT, "note", proposal, blocks=True)


def _free_until(row: RemarkedTenancy, remark: str) -> date | None:
    days = [found.day for found in days_in(remark, row.as_of)]
    if days:
        return max(days)
    count = _FREE_FOR.search(remark)
    if count is not None and row.start is not None:
        months = read_months(count[1])
        return None if months is None else add_months(row.start, int(months)) - timedelta(days=1)
    named = re.findall(r"(1[0-2]|0?[1-9])月", remark)
    if named:
        return max(month_last(nearest_month(int(month), row.as_of)) for month in named)
    return None


def says_company_let(remark: str) -> bool:
    """Whether a remark says that a company rents the room for an employee."""
    return bool(_COMPANY_LET.search(plain(remark)))


def read_surcharge(remark: str) -> int:
    """The surcharge for a second person in a remark; 0 when there is none."""
    found = _SECOND_PAYS.search(plain(remark))
    return 0 if found is None else int((found[1] or found[2]).replace(",", ""))


def says_prepaid(remark: str) -> bool:
    """Whether a remark says that rent of a coming month was paid."""
    return bool(re.search(r"前払|先払|前納|prepaid|in advance", plain(remark), re.IGNORECASE))
