"""What a row states as unpaid and overpaid: sums, balances, marks, and debts as typed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, Protocol

from pms.arrivals.takeover.laid_rows import LaidRow, factor_of
from pms.arrivals.takeover.row_debts import debt_label
from pms.arrivals.takeover.sheet_months import is_marked, month_of_head
from pms.arrivals.takeover.taken import ReadTenancy
from pms.foundation.phrases import Bilingual
from pms.foundation.translations import translate
from pms.rules.days import month_first, month_last
from pms.rules.roll_cells import Stated, money, plain
from pms.rules.roll_dates import whole_day
from pms.rules.roll_debts import (
    DebtQuestion,
    Debts,
    DebtWords,
    UnpaidAmount,
    months_of,
    read_debts,
    rent_of,
)
from pms.rules.roll_heads import DayOrder, Meaning, SheetHead
from pms.rules.roll_legends import DAY_MARK, Mark, Sign
from pms.rules.roll_lines import DueRule, nearest_month
from pms.rules.roll_remarks import says_prepaid
from pms.rules.room_names import building_key, room_key

_PAID_MARK: Final = re.compile(
    r"[○◯〇◎✓✔☑レ●]+|済み?|入金済み?|支払済み?|完了|ok|paid|yes|y", re.IGNORECASE
)
_PAID_THROUGH: Final = re.compile(
    r"(?:20\d\d年)?(1[0-2]|0?[1-9])月分?(?:まで|迄)?(?:入金|支払い?|振込)?(?:済み?|ok|完了|paid)",
    re.IGNORECASE,
)
_UNPAID_MARK: Final = re.compile(
    r"[×✕✖✗☓X]+|未(?:納|払い?|入金?|収)?|滞納|延滞|ng|no|n|unpaid|overdue|late", re.IGNORECASE
)


DEBTS: Final = frozenset({Meaning.UNPAID, Meaning.OVERPAID, Meaning.DEPOSIT_HELD, Meaning.DEPOSIT})
"""Columns whose amounts a second sheet may state beside those of the roll."""
# A minus in some programs; behind ¥ it only ends the amount.
_MINUS_BEHIND: Final = re.compile(r"[\d,]+\s*[-−]")
_SAYS_YES: Final = re.compile(r"有り?|あり|yes|y|○", re.IGNORECASE)
# Columns beside which what was carried over is already known.
_WITH_CARRIED: Final = (
    Meaning.UNPAID,
    Meaning.UNPAID_DETAIL,
    Meaning.BALANCE,
)


@dataclass(frozen=True, slots=True)
class Whole:
    """What applies to every row of a sheet: its days, and what its columns have in common."""

    as_of: date
    billed_through: date
    """The last day billed, or the end of the month of `as_of` where it is not stated."""
    stated_billed_through: date | None
    due: DueRule = field(default_factory=DueRule)
    factor: int = 1
    usual_fees: dict[str, int] = field(default_factory=dict)
    phones_lost_zero: bool = False
    charged: dict[tuple[str, str], dict[date, int]] = field(default_factory=dict)
    month: date | None = None
    day_order: DayOrder | None = None
    read_on: date | None = None
    sign: Sign | None = None
    """What a balance without a sign is; None where the sheet leaves it open."""
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """What the marks of months mean, as the sheet explains them."""
    debts_have_minus: bool = False
    """Whether every debt in a column of debts has a minus."""


class Asking(Protocol):
    """A row being read: its cells, what applies to all rows, and a way to ask questions."""

    @property
    def row(self) -> LaidRow:
        """The row."""

    @property
    def whole(self) -> Whole:
        """What applies to every row."""

    def ask(self, code: str, meaning: Meaning, *, about: str | None = None, **given: Any) -> None:
        """Ask about the cell of a meaning."""

    def ask_of(self, code: str, title: str, value: str, **given: Any) -> None:
        """Ask about a cell by the title of its column."""


class RowMoney:
    """The money of one row: fills in unpaid and overpaid, and asks about what is unclear."""

    def __init__(self, reading: Asking, found: ReadTenancy) -> None:
        self._reading = reading
        self._row = reading.row
        self._whole = reading.whole
        self._found = found

    def read(self) -> None:
        """Read the columns that exist, the clearest first."""
        self._read_overpaid()
        if self._row.has(Meaning.UNPAID):
            self._read_unpaid(Meaning.UNPAID, None)
            amount = self._row.amount(Meaning.BALANCE, self._whole.factor)
            owed = sum(debt.yen for debt in self._found.unpaid)
            if amount.stated is Stated.YEN and abs(amount.yen) not in (
                owed,
                abs(owed - self._found.overpaid),
            ):
                facts = {"title": self._row.head(Meaning.UNPAID).title, "other": f"{owed:,}"}
                self._reading.ask("two_columns", Meaning.BALANCE, blocks=True, facts=facts)
            self._compare_flag()
        elif self._row.has(Meaning.UNPAID_DETAIL):
            self._take_debts(
                read_debts(self._build_debt_words(self._unpaid_detail, None)), Meaning.UNPAID_DETAIL
            )
        elif self._row.has(Meaning.BALANCE):
            self._read_unpaid(Meaning.BALANCE, self._billed_months())
        elif any(True for _ in self._row.under(Meaning.MONTH)):
            self._marked_months()
        elif self._row.has(Meaning.BILLED) and self._row.has(Meaning.PAID):
            self._read_billed_and_paid()
        elif self._row.has(Meaning.PAID):
            self._paid_alone()
        else:
            self._take_debts(read_debts(self._build_debt_words("", None)), Meaning.NOTE)
        has_both = self._row.has(Meaning.BILLED) and self._row.has(Meaning.PAID)
        if not has_both and not any(self._row.has(meaning) for meaning in _WITH_CARRIED):
            self._ask_about_carried()

    def _compare_flag(self) -> None:
        """Ask about a debt that only a column of yes and no states: 滞納有無."""
        if self._found.unpaid or not _SAYS_YES.fullmatch(plain(self._unpaid_detail)):
            return
        self._reading.ask("months_not_told", Meaning.UNPAID_DETAIL, blocks=True)

    def _read_overpaid(self) -> None:
        amount = money(self._row.cell(Meaning.OVERPAID), self._factor_of_meaning(Meaning.OVERPAID))
        if amount.stated not in (Stated.YEN, Stated.COUNTED) or amount.yen == 0:
            if amount.stated is Stated.WORD:
                self._reading.ask("not_an_amount", Meaning.OVERPAID, blocks=True)
            return
        sign = self._row.head(Meaning.OVERPAID).sign
        if sign is None and amount.yen < 0:
            facts = {"yen": -amount.yen}
            self._reading.ask("minus_debt", Meaning.OVERPAID, blocks=True, facts=facts)
        yen = abs(amount.yen)
        self._found.overpaid = yen
        if yen >= self._found.monthly > 0 or says_prepaid(self._found.note):
            proposal = {"overpaid": yen}
            self._reading.ask("paid_ahead", Meaning.OVERPAID, proposal=proposal, facts={"yen": yen})

    def _factor_of_meaning(self, meaning: Meaning) -> int:
        """Return how many yen a 1 in the column of a meaning is."""
        return factor_of(self._row.head(meaning), self._whole.factor)

    def _build_debt_words(
        self,
        cell: str,
        charged: dict[date, int] | None,
        detail: str | None = None,
        factor: int | None = None,
    ) -> DebtWords:
        last = self._found.billed_through or self._whole.billed_through
        return DebtWords(
            cell=cell,
            detail=self._unpaid_detail if detail is None else detail,
            remark=self._found.note,
            monthly=self._found.monthly,
            last_month=month_first(self._whole.month or last),
            as_of=self._whole.as_of,
            due=self._whole.due,
            end=self._found.end,
            charged=charged,
            factor=self._factor_of_meaning(Meaning.UNPAID) if factor is None else factor,
        )

    @property
    def _unpaid_detail(self) -> str:
        """Read the unpaid sum in words; a bare number under a head of months counts months."""
        cell = self._row.cell(Meaning.UNPAID_DETAIL)
        is_count = re.fullmatch(r"[1-9]\d?", plain(cell)) is not None
        return f"{plain(cell)}ヶ月" if is_count else "" if plain(cell) == "0" else cell

    def _billed_months(self, own_yen: int | None = None) -> dict[date, int] | None:
        """Return what was billed by month; `own_yen` is known of the sheet's own month."""
        if self._whole.month is None:
            return None
        key = (building_key(self._found.building or ""), room_key(self._found.room))
        charged = dict(self._whole.charged.get(key, {}))
        own = charged_in(self._row, self._whole.factor) if own_yen is None else own_yen
        charged.setdefault(self._whole.month, own or self._found.monthly)
        return charged

    def _read_unpaid(self, meaning: Meaning, charged: dict[date, int] | None) -> None:
        cell = self._row.cell(meaning)
        amount = money(cell, self._factor_of_meaning(meaning))
        if amount.stated is not Stated.YEN:
            self._take_debts(
                read_debts(
                    self._build_debt_words(cell, charged, factor=self._factor_of_meaning(meaning))
                ),
                meaning,
            )
            return
        if _MINUS_BEHIND.fullmatch(plain(cell)):
            self._reading.ask("minus_debt", meaning, blocks=True, facts={"yen": abs(amount.yen)})
        sign = self._row.head(meaning).sign
        if meaning is Meaning.BALANCE:
            # Asked about while the sheet leaves it open: 過不足 names the money ahead first.
            is_over_first = self._row.head(meaning).title.startswith("過不足")
            sign = sign or self._whole.sign or (Sign.AHEAD if is_over_first else None)
        owed = -amount.yen if sign is Sign.AHEAD else amount.yen
        if owed < 0 and sign is None and meaning is Meaning.UNPAID and self._whole.debts_have_minus:
            # More likely debts than credits; one word of a person is needed either way.
            self._found.unpaid = read_debts(
                self._build_debt_words(str(-owed), charged, factor=1)
            ).found
            self._reading.ask("minus_debt", meaning, blocks=True, facts={"yen": -owed})
            return
        if owed < 0:
            self._found.overpaid += -owed
            if sign is None and meaning is Meaning.UNPAID:
                self._reading.ask("minus_debt", meaning, blocks=True, facts={"yen": -owed})
            elif -owed >= self._found.monthly > 0:
                proposal, facts = {"overpaid": -owed}, {"yen": -owed}
                self._reading.ask("paid_ahead", meaning, proposal=proposal, facts=facts)
        else:
            self._take_debts(
                read_debts(self._build_debt_words(str(owed), charged, factor=1)), meaning
            )

    def _read_billed_and_paid(self) -> None:
        billed = self._row.amount(Meaning.BILLED, self._whole.factor)
        paid = self._row.amount(Meaning.PAID, self._whole.factor)
        if billed.stated is not Stated.YEN:
            self._ask_about_carried()
            return
        is_on_top = self._is_carried_on_top(billed.yen)
        left = billed.yen - (paid.yen if paid.stated is Stated.YEN else 0)
        left += self._carried_yen if is_on_top else 0
        if left < 0:
            self._found.overpaid += -left
        elif left:
            charged = self._billed_months(billed.yen if is_on_top else None)
            self._take_debts(
                read_debts(self._build_debt_words(str(left), charged, factor=1)), Meaning.PAID
            )

    @property
    def _carried_yen(self) -> int:
        """The amount carried over from the month before; negative for an overpayment."""
        carried = self._row.amount(Meaning.CARRIED, self._whole.factor)
        return carried.yen if carried.stated is Stated.YEN else 0

    def _is_carried_on_top(self, billed_yen: int) -> bool:
        """Whether the amount billed is without what was carried over; ask if neither is told."""
        carried, monthly = self._carried_yen, self._found.monthly
        if not carried:
            return False
        if _bills_one_month(self._row) or billed_yen == monthly:
            return True
        if billed_yen != monthly + carried:
            self._ask_about_carried()
        return False

    def _ask_about_carried(self) -> None:
        if yen := self._carried_yen:
            self._reading.ask("carried_over", Meaning.CARRIED, blocks=True, facts={"yen": yen})

    def _paid_alone(self) -> None:
        """Read what was paid of the last month, without a billed column: amount, mark or words."""
        head = self._row.head(Meaning.PAID)
        cell = self._row.cell(Meaning.PAID)
        bare = plain(cell)
        last = self._build_debt_words("", None).last_month
        amount = money(cell, self._factor_of_meaning(Meaning.PAID))
        if amount.stated is Stated.YEN:
            is_part = 0 < amount.yen < self._found.monthly
            left = (
                self._open_of_amount(last, cell, head, amount.yen)
                if is_part
                else self._found.monthly - amount.yen
            )
            self._found.overpaid += max(-left, 0)
            words = self._build_debt_words(str(max(left, 0)), self._billed_months(), factor=1)
            self._take_debts(read_debts(words), Meaning.PAID)
        elif through := _PAID_THROUGH.fullmatch(bare):
            paid = nearest_month(int(through[1]), last)
            count = (last.year - paid.year) * 12 + last.month - paid.month
            if count > 0:
                self._take_debts(
                    read_debts(self._build_debt_words(f"{count}ヶ月", None)), Meaning.PAID
                )
        else:
            found = read_debts(self._build_debt_words("", None, cell))
            if found.found:
                self._take_debts(found, Meaning.PAID)
            elif (open_yen := self._open_in(last, cell, head)) > 0:
                words = self._build_debt_words(str(open_yen), self._billed_months(), factor=1)
                self._take_debts(read_debts(words), Meaning.PAID)

    def _take_debts(self, debts: Debts, meaning: Meaning) -> None:
        self._found.unpaid = debts.found
        if debts.doubt is None:
            return
        column = Meaning.UNPAID_DETAIL if debts.is_in_detail else meaning
        first = debts.found[0] if debts.found else None
        facts = {
            "months": _list_debts(debts.found),
            "count": len(debts.found),
            "what": debt_label(first.what) if first else "",
            "due": str(first.due_on) if first else "",
        }
        proposal: Any = None
        if not debts.found:
            pass
        elif debts.doubt in (DebtQuestion.NOT_YET_DUE, DebtQuestion.NOT_RENT):
            proposal = debts.found[0].due_on
        elif debts.doubt is DebtQuestion.ONE_SUM_OF_SOME_MONTHS:
            proposal = [debt.yen for debt in debts.found]
        elif debts.doubt is DebtQuestion.MONTHS_WITHOUT_AMOUNT:
            proposal = debts.total
        elif debts.doubt is not DebtQuestion.MONTHS_NOT_STATED:
            proposal = months_of(debts.found)
        self._reading.ask(
            debts.doubt.value,
            column,
            proposal=proposal,
            blocks=debts.doubt is DebtQuestion.MONTHS_NOT_STATED,
            facts=facts,
        )

    def _marked_months(self) -> None:
        """Read a column for every month: unpaid, paid in part, and paid before it was billed."""
        found: list[UnpaidAmount] = []
        ahead: list[tuple[SheetHead, str]] = []
        last = self._found.billed_through or self._whole.billed_through
        for head, cell in self._row.under(Meaning.MONTH):
            month = month_of_head(head, self._whole.as_of)
            if month is None:
                continue
            if month > last:
                ahead += [(head, cell)] if is_marked(cell) else []
                continue
            if self._is_outside(month):
                continue
            open_yen = self._open_in(month, cell, head)
            if open_yen > 0:
                found.append(
                    UnpaidAmount(rent_of(month), open_yen, self._whole.due.of_month(month))
                )
            elif open_yen < 0:
                self._found.overpaid -= open_yen
        self._found.unpaid = tuple(sorted(found, key=lambda debt: debt.what))
        # Read marks of months after the last one billed: money that came ahead.
        yens = [self._ahead_of(head, cell) for head, cell in ahead]
        if not ahead:
            return
        title = ", ".join(head.title for head, _ in ahead)
        value = ", ".join(dict.fromkeys(cell.strip() for _, cell in ahead))
        known = [yen for yen in yens if yen is not None]
        total = sum(known)
        self._found.overpaid += total
        facts = {"yen": total, "months": title}
        self._reading.ask_of(
            "paid_ahead" if len(known) == len(yens) else "mark_unclear",
            title,
            value,
            proposal={"overpaid": total},
            blocks=len(known) < len(yens),
            facts=facts,
            meaning=Meaning.OVERPAID,
        )

    def _ahead_of(self, head: SheetHead, cell: str) -> int | None:
        """Return the yen that came ahead for a month by its mark; None when it is unclear."""
        bare = plain(cell)
        amount = money(cell, factor_of(head, self._whole.factor))
        if amount.stated is Stated.YEN and not is_day_alone(bare):
            return amount.yen
        open_yen = self._of_mark(bare)
        return None if open_yen is None else self._found.monthly - open_yen

    def _is_outside(self, month: date) -> bool:
        """Whether a month is before the tenancy or after the last day billed."""
        last = self._found.billed_through or self._whole.billed_through
        start = self._found.start
        return month > last or (start is not None and month_last(month) < start)

    def _open_in(self, month: date, cell: str, head: SheetHead) -> int:
        bare = plain(cell).strip()
        facts = {"months": debt_label(rent_of(month))}
        if not is_marked(cell):
            if not bare:
                self._ask_month("month_unmarked", cell, head, facts)
            return 0
        marked = self._of_mark(bare)
        if marked is not None:
            return marked
        written = re.sub(r"^[△▲×✕✖✗☓○◯〇]\s*(?=\d)", "", bare)
        amount = money(written, factor_of(head, self._whole.factor))
        if amount.stated in (Stated.YEN, Stated.COUNTED):
            if self._whole.marks.get(bare[0]) is Mark.PART:
                self._ask_month("mark_unclear", cell, head, facts | {"proposal": amount.yen})
                return self._found.monthly - amount.yen
            return self._open_of_amount(month, cell, head, amount.yen)
        rest = re.fullmatch(r"\D*?(?:残|未|不足)\D*([\d,]+)円?\D*", bare)
        if rest is not None:
            factor = 1 if "円" in bare else factor_of(head, self._whole.factor)
            return int(rest[1].replace(",", "")) * factor
        self._ask_month("mark_unclear", cell, head, facts, blocks=True)
        return 0

    def _open_of_amount(self, month: date, cell: str, head: SheetHead, yen: int) -> int:
        """Return the open yen of a month's cell: the amount after an unpaid mark, else the rest."""
        bare = plain(cell).strip()
        facts = {"months": debt_label(rent_of(month))}
        if bare[0] in "△▲" or _UNPAID_MARK.match(bare):
            self._ask_month("mark_unclear", cell, head, facts | {"proposal": yen})
            return yen
        # Whether the tenancy began within the month, so that only a part of it was owed.
        start = self._found.start
        is_begun_in = start is not None and start.day > 1 and month_first(start) == month
        if is_begun_in and 0 < yen < self._found.monthly:
            self._ask_month("part_month", cell, head, facts | {"yen": yen})
            return 0
        return self._found.monthly - yen

    def _of_mark(self, bare: str) -> int | None:
        """Return the open amount by a mark or a payment day; None for anything else."""
        is_day = is_day_alone(bare) or (not bare.isdigit() and whole_day(bare) is not None)
        meaning_of_mark = self._whole.marks.get(DAY_MARK if is_day else bare)
        if meaning_of_mark in (Mark.PAID, Mark.FREE, Mark.AHEAD):
            return 0
        if meaning_of_mark is Mark.UNPAID:
            return self._found.monthly
        if meaning_of_mark is None and (_PAID_MARK.fullmatch(bare) or is_day):
            return 0
        is_unpaid = meaning_of_mark is None and _UNPAID_MARK.fullmatch(bare)
        return self._found.monthly if is_unpaid else None

    def _ask_month(
        self, code: str, cell: str, head: SheetHead, facts: dict[str, Any], *, blocks: bool = False
    ) -> None:
        self._reading.ask_of(
            code,
            head.title,
            cell,
            proposal=facts.pop("proposal", None),
            blocks=blocks,
            facts=facts,
            meaning=Meaning.UNPAID,
        )


def is_day_alone(bare: str) -> bool:
    """Whether a mark is a day without a year: the day on which money came."""
    return re.fullmatch(r"\d{1,2}[/月]\d{1,2}日?", bare) is not None


def charged_in(row: LaidRow, factor: int) -> int | None:
    """Return what a month's sheet bills for that month alone, without what was carried over."""
    billed, carried = row.amount(Meaning.BILLED, factor), row.amount(Meaning.CARRIED, factor)
    if billed.stated is not Stated.YEN:
        return None
    if _bills_one_month(row):
        return billed.yen
    return billed.yen - (carried.yen if carried.stated is Stated.YEN else 0)


def _bills_one_month(row: LaidRow) -> bool:
    """Whether the head of the amount billed says that it is of its month alone."""
    title = row.head(Meaning.BILLED).title
    return re.search(r"当月|今月|current", title, re.IGNORECASE) is not None


def _list_debts(debts: Sequence[UnpaidAmount]) -> Bilingual:
    return Bilingual(
        *(
            translate(", ", language).join(
                translate("{yen:,} of {debt}", language, yen=debt.yen, debt=debt_label(debt.what))
                for debt in debts
            )
            for language in Bilingual._fields
        )
    )
