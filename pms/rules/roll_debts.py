"""Assigns what a rent roll says is unpaid to its months, oldest due first.

A column has a sum, a number of months or their names; a remark may have the rest. What the sheet
leaves open is proposed and asked about.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from math import ceil
from typing import Final, NamedTuple

from pms.rules.days import add_months, month_first
from pms.rules.roll_cells import Stated, money, of_rent, plain, read_months
from pms.rules.roll_lines import DueRule, nearest_month

OPEN_DEBT: Final = "open, months not told"
_MONTH_AND_AMOUNT: Final = re.compile(
    r"(?P<months>(?:(?:20\d\d年|R\d+[./年])?(?<!\d)(?:1[0-2]|0?[1-9])(?:月分?|(?=[・、~]|,(?!\d{3})))[・,、~\s]*)+)"
    r"(?P<part>一部|残り?|不足|部分)?(?:金|額)?\s*[:：]?\s*(?P<yen>[¥\\]?\d{1,3}(?:,\d{3})+円?|[¥\\]?\d{4,}円?|\d+(?:\.\d+)?万\d*千?円?)?"
    r"(?P<late>\s*(?:だけ)?(?:遅|延着))?"
)
_ONE_MONTH: Final = re.compile(
    r"(?:(20\d\d)年|R(\d+)[./年])?(1[0-2]|0?[1-9])(?:月|(?=[・、~]|,(?!\d{3})))"
)
_SPAN: Final = re.compile(r"(1[0-2]|0?[1-9])月?分?\s*[~\-]\s*(1[0-2]|0?[1-9])月")
_SUM_AND_WORDS: Final = re.compile(
    r"(?P<sum>[¥\\]?\d{1,3}(?:,\d{3})+|[¥\\]?\d{4,})円?\s*[/(:：;；、\s]\s*(?P<words>[^\d].*|\d.*月.*)"
)
_AMOUNT_WITHIN: Final = re.compile(r"\d,\d{3}|\d{4,}|\d円|万")
_SO_MANY: Final = re.compile(r"(?:[\d.一二三四五六七八九]+[ヶケカヵか個箇]月|\d+\s?months?)分?")
_UNPAID_WORD: Final = re.compile(
    r"未納|滞納|未収|未払|未入金|延滞|不足|振替不能|残|unpaid|overdue|arrears|outstanding",
    re.IGNORECASE,
)
_MONTHS_ALONE: Final = re.compile(r"(?:20\d\d年)?(?:\d{1,2}月?分?[・,、~\-\s及び]*+)++")
_NOT_YET: Final = re.compile(
    r"未納|滞納|未収|未払|未入金|まだ|来ていない|unpaid|overdue|not paid", re.IGNORECASE
)
_OTHER_DEBTS: Final = (
    ("renewal fee", re.compile(r"更新料|更新手数料|renewal", re.IGNORECASE)),
    ("key money", re.compile(r"礼金|key money", re.IGNORECASE)),
    ("key replacement", re.compile(r"鍵", re.IGNORECASE)),
    ("utilities", re.compile(r"水道|電気|光熱|ガス|water|electric|utilit", re.IGNORECASE)),
    ("parking", re.compile(r"駐車|parking", re.IGNORECASE)),
    ("repair", re.compile(r"修繕|修理|原状|repair", re.IGNORECASE)),
    ("insurance", re.compile(r"保険|insurance", re.IGNORECASE)),
    ("guarantee fee", re.compile(r"保証料|guarantee", re.IGNORECASE)),
    ("deposit", re.compile(r"敷金|保証金|deposit", re.IGNORECASE)),
)


_IN_JAPANESE: Final = {
    "renewal fee": "更新料",
    "key money": "礼金",
    "key replacement": "鍵交換費",
    "utilities": "水道光熱費",
    "parking": "駐車場代",
    "repair": "修繕費",
    "insurance": "保険料",
    "guarantee fee": "保証料",
    "deposit": "敷金",
    OPEN_DEBT: "未収金（対象月不明）",
}


def debt_word(what: str) -> str:
    """The Japanese text for what a debt is; the rent of a month by its month."""
    month = re.fullmatch(r"rent (\d{4})-(\d{2})", what)
    if month is not None:
        return f"{month[1]}年{int(month[2])}月分"
    return _IN_JAPANESE.get(what, what)


_IN_ENGLISH: Final = {ja: en for en, ja in _IN_JAPANESE.items()}


def debt_of_word(word: str) -> str:
    """The stored name of a debt for its text in either language."""
    return _IN_ENGLISH.get(word, word)


class DebtQuestion(StrEnum):
    """A question about a debt to answer before it is taken over."""

    ONE_MONTH = "one_month"
    SO_MANY_MONTHS = "so_many_months"
    MONTHS_OF_THE_REMARK = "months_of_the_remark"
    MONTHS_WITHOUT_AMOUNT = "months_without_amount"
    ONE_SUM_OF_SOME_MONTHS = "one_sum_of_some_months"
    NOT_RENT = "not_rent"
    MONTHS_NOT_STATED = "months_not_told"
    NOT_YET_DUE = "not_yet_due"
    OLDEST_FIRST = "oldest_first"
    REMARK_ALONE = "remark_alone"


class UnpaidAmount(NamedTuple):
    """One amount that is unpaid: the rent of a month, or another thing by its name."""

    what: str
    yen: int
    due_on: date | None

    @property
    def is_rent(self) -> bool:
        """Whether it is the rent of a month."""
        return self.what.startswith("rent ")


@dataclass(frozen=True, slots=True)
class DebtWords:
    """What the sheet says about one tenancy's debt."""

    cell: str
    detail: str
    remark: str
    monthly: int
    last_month: date
    as_of: date
    due: DueRule
    end: date | None = None
    charged: Mapping[date, int] | None = None
    """What was charged for single months, if earlier sheets say so."""
    factor: int = 1


@dataclass(frozen=True, slots=True)
class Debts:
    """The debts of a tenancy, the open question, and its column."""

    found: tuple[UnpaidAmount, ...] = ()
    doubt: DebtQuestion | None = None
    is_in_detail: bool = False
    total: int = 0


class _Part(NamedTuple):
    month: date
    yen: int | None = None
    is_rest: bool = False


def rent_of(month: date) -> str:
    """The name of a month's rent."""
    return f"rent {month:%Y-%m}"


def read_debts(debt: DebtWords) -> Debts:
    """Read the debts by month from the column, its detail and the remark."""
    amount = money(debt.cell, debt.factor)
    if amount.stated in (Stated.YEN, Stated.COUNTED):
        return _of_sum(debt, amount.yen) if amount.yen > 0 else Debts()
    if amount.stated is Stated.NOTHING:
        return _of_remark(debt)
    if amount.stated is Stated.MONTHS:
        return _so_many(debt, ceil(amount.months), of_rent(amount.months, debt.monthly))
    if both := _SUM_AND_WORDS.fullmatch(plain(debt.cell)):
        return _of_sum_and_words(debt, both["sum"], both["words"])
    return _of_words(debt)


def _of_words(debt: DebtWords) -> Debts:
    parts = _read_parts(debt.cell, debt)
    if parts:
        return _allot_months(debt, parts, None, DebtQuestion.MONTHS_WITHOUT_AMOUNT)
    count = _count_in(debt.cell)
    return (
        _so_many(debt, count, count * debt.monthly)
        if count
        else Debts(doubt=DebtQuestion.MONTHS_NOT_STATED)
    )


def _of_sum_and_words(debt: DebtWords, total: str, words: str) -> Debts:
    """A sum with words behind it; a second amount in them may be a part of it, or come on top."""
    if _AMOUNT_WITHIN.search(words):
        return Debts(doubt=DebtQuestion.MONTHS_NOT_STATED)
    return _of_sum(replace(debt, detail=words.rstrip(")")), money(total, debt.factor).yen)


def _of_remark(debt: DebtWords) -> Debts:
    """Without an amount in the column, not even 0, what a remark says is unpaid is proposed."""
    words = f"{debt.detail} {debt.remark}"
    if not _NOT_YET.search(words):
        return Debts()
    parts = _read_parts(words, debt)
    return _allot_months(debt, parts, None, DebtQuestion.REMARK_ALONE) if parts else Debts()


def _of_sum(debt: DebtWords, total: int) -> Debts:
    both = ((debt.detail, True), (debt.remark, False))
    for words, is_detail in both:
        if other := _other_debt(words, is_detail=is_detail):
            due_on = debt.due.of_month(min(debt.end or debt.as_of, debt.as_of))
            return Debts(
                (UnpaidAmount(other, total, due_on),), DebtQuestion.NOT_RENT, is_detail, total
            )
        is_about_it = is_detail or _says_unpaid(words)
        parts = _read_parts(words, debt) if is_about_it else []
        if parts:
            return _named_months(debt, parts, total, is_detail=is_detail)
    for words, is_detail in both:
        count = _count_in(words) if is_detail or _says_unpaid(words) else 0
        if count:
            return _so_many(debt, count, total, is_in_detail=is_detail)
    return _by_rent(debt, total)


def _says_unpaid(words: str) -> bool:
    """Whether a remark is about unpaid amounts: by its words, or because it only names months."""
    bare = plain(words)
    return bool(_UNPAID_WORD.search(bare) or _MONTHS_ALONE.fullmatch(bare))


def _named_months(debt: DebtWords, parts: list[_Part], total: int, *, is_detail: bool) -> Debts:
    doubt = (
        DebtQuestion.MONTHS_OF_THE_REMARK if not is_detail else DebtQuestion.ONE_SUM_OF_SOME_MONTHS
    )
    if len(parts) == 1:
        due_on = debt.due.of_month(parts[0].month)
        doubt = DebtQuestion.NOT_YET_DUE if due_on > debt.as_of else DebtQuestion.ONE_MONTH
        found = (UnpaidAmount(rent_of(parts[0].month), total, due_on),)
        sure = (
            is_detail
            and not parts[0].is_rest
            and total == debt.monthly
            and doubt is DebtQuestion.ONE_MONTH
        )
        return Debts(found, None if sure else doubt, total=total)
    made = _allot_months(debt, parts, total, doubt)
    return Debts(made.found, doubt, is_detail, total)


def _allot_months(
    words: DebtWords, parts: list[_Part], total: int | None, doubt: DebtQuestion
) -> Debts:
    """The stated amounts, else whole months; the rest of a sum belongs to the oldest."""
    yens = {part.month: part.yen for part in parts}
    if total is not None:
        free = [part for part in parts if part.yen is None]
        left = total - sum(part.yen or 0 for part in parts)
        whole_first = sorted(free, key=lambda part: (part.is_rest, -part.month.toordinal()))
        for part in whole_first:
            taken = left if part is whole_first[-1] else min(left, words.monthly)
            yens[part.month] = taken
            left -= taken
    found = tuple(
        UnpaidAmount(
            rent_of(month), words.monthly if yen is None else yen, words.due.of_month(month)
        )
        for month, yen in sorted(yens.items())
        if yen is None or yen > 0
    )
    return Debts(found, doubt, total=sum(debt.yen for debt in found))


def _so_many(debt: DebtWords, count: int, total: int, *, is_in_detail: bool = False) -> Debts:
    months = [add_months(debt.last_month, -n) for n in range(count)]
    parts = [_Part(month) for month in months]
    made = _allot_months(debt, parts, total, DebtQuestion.SO_MANY_MONTHS)
    return Debts(made.found, DebtQuestion.SO_MANY_MONTHS, is_in_detail, total)


def _by_rent(words: DebtWords, total: int) -> Debts:
    """Without months, whole rents belong to the newest months; anything else is asked about."""
    if words.charged is not None:
        return newest_first(words, total)
    if words.monthly <= 0 or total % words.monthly:
        return Debts(
            (UnpaidAmount(OPEN_DEBT, total, None),), DebtQuestion.MONTHS_NOT_STATED, total=total
        )
    count = total // words.monthly
    made = _so_many(words, count, total)
    if count > 1:
        return made
    is_due = words.due.of_month(words.last_month) <= words.as_of
    return Debts(
        made.found, DebtQuestion.ONE_MONTH if is_due else DebtQuestion.NOT_YET_DUE, total=total
    )


def newest_first(debt: DebtWords, total: int) -> Debts:
    """Assign a balance to the charged months as if every payment had paid the oldest."""
    charged = debt.charged or {}
    month, left, found = month_first(debt.last_month), total, []
    first = min([month, *charged])
    while left and month >= first:
        yen = min(left, charged.get(month, debt.monthly))
        if yen > 0:
            found.append(UnpaidAmount(rent_of(month), yen, debt.due.of_month(month)))
        left -= yen
        month = add_months(month, -1)
    if left > 0:
        found.append(UnpaidAmount(OPEN_DEBT, left, None))
    return Debts(
        tuple(reversed(found)), DebtQuestion.OLDEST_FIRST if len(found) > 1 else None, total=total
    )


def _read_parts(words: str, debt: DebtWords) -> list[_Part]:
    found: dict[date, _Part] = {}
    bare = _with_month_numbers(plain(words), debt.as_of)
    for match in _MONTH_AND_AMOUNT.finditer(bare):
        if match["late"]:
            continue
        months = _months_in(match["months"], debt.last_month)
        if span := _SPAN.search(bare[match.start() :]):
            months = _months_between(span, debt.last_month)
        yen = money(match["yen"]).yen if match["yen"] else None
        for month in months:
            found.setdefault(
                month,
                _Part(
                    month, yen if len(months) == 1 else None, bool(match["part"]) and yen is None
                ),
            )
    return list(found.values())


def _with_month_numbers(words: str, as_of: date) -> str:
    """Replace "last month" and "this month" by their numbers."""
    for name, back in (("先々月", -2), ("先月", -1), ("前月", -1), ("今月", 0), ("当月", 0)):
        words = words.replace(name, f"{add_months(as_of, back).month}月")
    return words


def _months_in(words: str, near: date) -> list[date]:
    return [
        date(int(year), int(month), 1)
        if year
        else date(2018 + int(era), int(month), 1)
        if era
        else _not_after(int(month), near)
        for year, era, month in _ONE_MONTH.findall(words)
    ]


def _months_between(span: re.Match[str], near: date) -> list[date]:
    last = _not_after(int(span[2]), near)
    count = (int(span[2]) - int(span[1])) % 12 + 1
    return [add_months(last, -n) for n in reversed(range(count))]


def _not_after(month: int, near: date) -> date:
    found = nearest_month(month, near)
    return found if found <= near else add_months(found, -12)


def _count_in(words: str) -> int:
    found = _SO_MANY.search(plain(words))
    months = read_months(found[0]) if found else None
    return 0 if months is None else int(months)


def _other_debt(words: str, *, is_detail: bool) -> str | None:
    bare = plain(words)
    if not is_detail and not re.search(r"未収は|未納は|滞納は", bare):
        return None
    return next((name for name, pattern in _OTHER_DEBTS if pattern.search(bare)), None)


def months_of(debts: Sequence[UnpaidAmount]) -> list[str]:
    """The names of the debts, as a proposal shows them."""
    return [debt.what for debt in debts]
