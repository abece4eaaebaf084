"""Reads the cells of one row of a rent roll: days, amounts, names, debts, and a question for each doubt."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import cached_property
from typing import Any, Final

from pms.arrivals.sheets import cells
from pms.arrivals.takeover.laid_rows import LaidRow, factor_of, is_code, is_sum
from pms.arrivals.takeover.row_money import Whole
from pms.arrivals.takeover.sheet_months import own_month
from pms.arrivals.takeover.taken import Question
from pms.arrivals.takeover.whole_file import tells_start
from pms.rules.days import month_last
from pms.rules.plausible_amounts import OddAmount
from pms.rules.roll_cells import (
    Money,
    Stated,
    house_and_room,
    is_nothing,
    money,
    plain,
    read_room,
    telephone,
)
from pms.rules.roll_dates import (
    has_year_last,
    is_serial,
    last_of_length,
    length_in,
    short_year_day,
    term_in,
    whole_day,
    whole_month,
)
from pms.rules.roll_heads import FEES, Meaning, fold_title, head_of
from pms.sheets.grid import is_changed, is_error
from pms.sheets.refusals import Unreadable

_HOUSE_AND_ROOM: Final = re.compile(
    r"(?:物件|建物).*(?:部屋|室)|(?:building|property).*(?:room|unit)"
)
_WHOLE_HOUSE: Final = re.compile(
    r"(?:建物|物件|棟|家)?全体|共用(?:部分?)?|共有部?|一棟|全(?:室|戸|館)|(?:whole|entire) (?:house|building)|common(?: areas?)?|shared",
    re.IGNORECASE,
)
# A day of 2009 to 2036 as a spreadsheet counts it.
_DAY_NUMBER: Final = re.compile(r"4\d{4}")
_DAYS_OF_A_TERM: Final = 1
# Columns of which a row may have several without one contradicting the other.
_MAY_BE_SEVERAL: Final = frozenset(
    {*FEES, Meaning.MONTH, Meaning.NOTE, Meaning.CO_OCCUPANTS, Meaning.OCCUPANT}
    | {Meaning.PASSED_OVER, Meaning.ITEM, Meaning.INCLUDED, Meaning.UNPAID_DETAIL}
    | {Meaning.GUARANTOR, Meaning.RENEWAL, Meaning.OLD_RENT}
)
_FOR_INFORMATION: Final = frozenset(
    {Meaning.PHONE, Meaning.EMAIL, Meaning.KANA, Meaning.STATUS, Meaning.FAMILY_KANA}
    | {Meaning.GIVEN_KANA, Meaning.ASKING_RENT, Meaning.NUMBER}
)
_NO_FEE: Final = re.compile(r"[×✕✖✗xX]")


def house_beside_room(row: LaidRow) -> str | None:
    """Return the building in the same cell as the room, where the column's head says so."""
    if not _HOUSE_AND_ROOM.search(fold_title(row.head(Meaning.ROOM).title)):
        return None
    return house_and_room(row.cell(Meaning.ROOM))[0]


def room_of(row: LaidRow) -> str:
    """Return the room of a row, without a building in the same cell."""
    written = row.cell(Meaning.ROOM)
    has_house = house_beside_room(row) is not None
    room = house_and_room(written)[1] if has_house else read_room(written)
    bed = read_room(row.cell(Meaning.BED))
    return f"{room}-{bed}" if room and bed and not is_nothing(bed) else room


def meaning_of_odd(what: OddAmount, fees: Mapping[str, int], yen: int) -> Meaning:
    """Return the column of an amount that is most likely wrong."""
    if what is OddAmount.RENT_SMALL:
        return Meaning.RENT
    if what in (OddAmount.DEPOSIT_SMALL, OddAmount.DEPOSIT_LARGE):
        return Meaning.DEPOSIT
    return next(fee for fee in FEES if fees.get(fee.value) == yen)


class RowCells:
    """The cells of a row as typed values, and the questions that they raise."""

    def __init__(self, row: LaidRow, building: str | None, whole: Whole) -> None:
        self.row = _with_words_of_codes(row)
        self.building = building
        self.whole = whole
        self.room = room_of(row)
        self.questions: list[Question] = []
        self.included: tuple[str, ...] = ()

    def ask(self, code: str, meaning: Meaning, *, about: str | None = None, **given: Any) -> None:
        """Ask about the cell of a meaning; `facts` fill in the question's text."""
        value = self.row.cell(meaning) if about is None else about
        title = self.row.head(meaning).title
        self.ask_of(code, title, value, meaning=meaning, **given)

    def ask_of(self, code: str, title: str, value: str, **given: Any) -> None:
        """Ask about a cell by the title of its column."""
        self.questions.append(Question(code, self.row.at, title, value.strip(), **given))

    def ask_about_broken_cells(self) -> None:
        """Ask about cells that are an error, and about codes that nobody explains."""
        for place, (head, cell) in enumerate(zip(self.row.heads, self.row.cells, strict=True)):
            if head.meaning in (None, Meaning.PASSED_OVER) or not cell.strip():
                continue
            if place in self.row.broken or is_error(cell):
                blocks = head.meaning is not Meaning.NOTE
                self.ask_of("cell_error", head.title, cell, blocks=blocks, meaning=head.meaning)
            elif head.meaning is Meaning.STATUS and is_code(cell):
                self.ask_of("code_unknown", head.title, cell, blocks=True, meaning=head.meaning)
        # Ask about two columns of one meaning that say different things; nothing is dropped.
        for meaning, places in self.row.heads.places.items():
            if meaning is None or meaning in _MAY_BE_SEVERAL or len(places) < 2:
                continue
            found = [(head, cell) for head, cell in self.row.under(meaning) if not is_nothing(cell)]
            for head, cell in found[1:]:
                if _same_value(cell) == _same_value(found[0][1]):
                    continue
                facts = {"title": found[0][0].title, "other": found[0][1].strip()}
                blocks = meaning not in _FOR_INFORMATION
                titles = f"{found[0][0].title} / {head.title}"
                self.ask_of(
                    "two_columns", titles, cell, blocks=blocks, meaning=meaning, facts=facts
                )

    def ask_about_the_room(self) -> None:
        """Ask about a room whose name a spreadsheet changed, and about a bed as a unit."""
        written = (self.row.cell(Meaning.ROOM), self.row.cell(Meaning.BED))
        if any(is_changed(name) or _DAY_NUMBER.fullmatch(plain(name)) for name in written):
            self.ask("room_changed", Meaning.ROOM, blocks=True)
        elif self.row.cell(Meaning.BED).strip() and self.row.cell(Meaning.ROOM).strip():
            self.ask("beds", Meaning.BED, proposal=self.room, facts={"room": self.room})

    @property
    def is_of_the_house(self) -> bool:
        """Whether the room is the whole house, or what everybody shares."""
        return _WHOLE_HOUSE.fullmatch(plain(self.row.cell(Meaning.ROOM))) is not None

    @property
    def first_money(self) -> Meaning:
        """The meaning of the first cell with an amount."""
        return next(
            (
                head.meaning
                for head, cell in zip(self.row.heads, self.row.cells, strict=True)
                if head.meaning is not None
                and is_sum(cell, head)
                and head.meaning is not Meaning.NOTE
            ),
            Meaning.ROOM,
        )

    @cached_property
    def name_cell(self) -> str:
        """The text of the name column; a name in two columns is joined."""
        whole = self.row.cell(Meaning.NAME)
        parts = (self.row.cell(Meaning.FAMILY).strip(), self.row.cell(Meaning.GIVEN).strip())
        return whole or " ".join(part for part in parts if part) or self.row.cell(Meaning.OCCUPANT)

    @property
    def remark(self) -> str:
        """All remarks of the row, in the order of their columns."""
        texts = [
            cell.strip()
            for head, cell in zip(self.row.heads, self.row.cells, strict=True)
            if cell.strip()
            and (
                head.meaning is Meaning.NOTE
                or (head.meaning is Meaning.RENEWAL and whole_day(cell) is None)
            )
        ]
        return " ".join(texts)

    def whole_day(self, meaning: Meaning) -> date | None:
        """The day in the cell of a meaning; None where it is no whole day."""
        return self._read_day(meaning)

    def stated_day(self, meaning: Meaning) -> date | None:
        cell = self.row.cell(meaning)
        if is_nothing(cell):
            return None
        found = self._read_day(meaning)
        if found is not None:
            self._ask_about_serial(meaning, cell, found)
            return found
        short = short_year_day(cell, self.whole.as_of)
        if short is not None:
            self.ask("short_year", meaning, proposal=short, facts={"day": str(short)})
            return short
        if has_year_last(cell):
            self.ask("day_or_month", meaning, blocks=True)
            return None
        month = whole_month(cell)
        if month is not None:
            day = month_last(month) if meaning is Meaning.END else month
            self.ask("not_a_day", meaning, proposal=day)
            return day
        is_open = meaning is Meaning.END and re.search(r"更新|定め|未定|なし|open", plain(cell))
        term = None if is_open else term_in(cell)
        if term is None and not is_open:
            self.ask("not_a_day", meaning, blocks=True)
        return None if term is None else term[0]

    def _read_day(self, meaning: Meaning) -> date | None:
        form = self.row.head(meaning).days or self.whole.day_order
        return whole_day(self.row.cell(meaning), form)

    def _ask_about_serial(self, meaning: Meaning, cell: str, found: date) -> None:
        """Ask about a serial number that is a text: only a number of a workbook is surely a day."""
        if self.row.head(meaning).days is not None or not is_serial(cell):
            return
        place = next(
            n
            for n, (head, other) in enumerate(zip(self.row.heads, self.row.cells, strict=True))
            if head.meaning is meaning and other == cell
        )
        if place in self.row.texts:
            self.ask("serial_day", meaning, proposal=found, facts={"day": str(found)})

    def term(self) -> tuple[date | None, date | None]:
        """The first and the last day of the term, from one cell or two."""
        start, end = self.stated_day(Meaning.START), self.stated_day(Meaning.END)
        start, end = self._with_term(start, end)
        end = end or self._day_of_renewal()
        is_asked = any(question.blocks for question in self.questions) or not tells_start(self.row)
        if start is None and not is_asked:
            self.ask("start_missing", Meaning.START, blocks=True)
        if start is not None and end is not None and end < start:
            facts = {"start": str(start), "end": str(end)}
            self.ask("end_before_start", self.end_meaning, blocks=True, facts=facts)
        return start, end

    def _with_term(self, start: date | None, end: date | None) -> tuple[date | None, date | None]:
        """Return the days with what the cell of the whole term says: two days, or a length."""
        cell = self.row.cell(Meaning.TERM)
        if is_nothing(cell):
            return start, end
        months = length_in(_with_unit_of_head(cell, self.row.head(Meaning.TERM).title))
        if months is not None:
            if start is None:
                return start, end
            last = last_of_length(start, months)
            if end is None:
                facts = {"months": months, "end": str(last)}
                self.ask("term_length", Meaning.TERM, proposal={"end": last}, facts=facts)
            elif abs((end - last).days) > _DAYS_OF_A_TERM:
                facts = {"start": str(start), "end": str(last)}
                self.ask("term_differs", Meaning.TERM, facts=facts)
            return start, end or last
        term = term_in(cell)
        if term is None:
            if start is None or not is_words_on_term(cell):
                self.ask("not_a_day", Meaning.TERM, blocks=True)
            return start, end
        if (start or term[0]) != term[0] or (end or term[1]) != (term[1] or end):
            facts = {"start": str(term[0]), "end": str(term[1] or "-")}
            self.ask("term_differs", Meaning.TERM, blocks=True, facts=facts)
        if term[1] is None and end is None and not is_words_on_term(cell):
            self.ask("open_ended", Meaning.TERM)
        return start or term[0], end or term[1]

    @property
    def end_meaning(self) -> Meaning:
        """The column that states the end."""
        return Meaning.END if self.row.cell(Meaning.END) else Meaning.TERM

    def _day_of_renewal(self) -> date | None:
        """Use the next renewal day as the end when no column states one, and ask about it."""
        found = self.whole_day(Meaning.RENEWAL)
        if found is None or self.row.has(Meaning.END) or self.row.has(Meaning.TERM):
            return None
        self.ask("renewal_is_end", Meaning.RENEWAL, proposal={"end": found})
        return found

    def phone(self) -> str | None:
        """The telephone number; a lost zero at its beginning is asked about."""
        number, lost = telephone(self.row.cell(Meaning.PHONE))
        if lost and not self.whole.phones_lost_zero:
            self.ask("lost_zero", Meaning.PHONE, proposal=number, facts={"phone": number})
        return number

    def email(self) -> str | None:
        """The address of mail; what is none is asked about."""
        try:
            return cells.email(self.row.cell(Meaning.EMAIL))
        except Unreadable:
            self.ask("not_an_email", Meaning.EMAIL, blocks=True)
            return None

    def amount(self, meaning: Meaning) -> int | None:
        """The yen in the cell of a meaning; None where nothing is written."""
        cell = self.row.cell(meaning)
        found = money(cell, self.factor(meaning))
        if found.is_included and meaning is Meaning.RENT:
            self.included = (Meaning.COMMON_FEE.value,)
        if found.stated is Stated.NOTHING:
            return None
        return self.yen(found, meaning, cell)

    def yen(self, found: Money, meaning: Meaning, cell: str) -> int | None:
        """The yen of an amount that was read; a doubtful one is asked about."""
        if found.stated is Stated.COUNTED:
            facts = {"yen": found.yen}
            self.ask("counted_amount", meaning, about=cell, proposal=found.yen, facts=facts)
        if found.stated in (Stated.YEN, Stated.COUNTED) and found.yen >= 0:
            return found.yen
        self.ask("not_an_amount", meaning, about=cell, blocks=True)
        return None

    def factor(self, meaning: Meaning) -> int:
        """How many yen a 1 in the column of a meaning is."""
        return factor_of(self.row.head(meaning), self.whole.factor)

    def fees(self, *, is_vacant: bool = False) -> dict[str, int]:
        """Return the recurring fees beside the rent, by name, without those that are blank or 0."""
        found: Counter[str] = Counter()
        if self.row.head(Meaning.RENT).includes_common_fee:
            self.included = (Meaning.COMMON_FEE.value,)
        for head, cell in self.row.under(Meaning.INCLUDED):
            # Contained in the rent or the total as its head says, and so never added again.
            if money(cell).yen:
                part = head_of(re.sub(r"^\W*(?:内|うち|内訳)\W*", "", head.title)).meaning
                self.included = (*self.included, (part or Meaning.COMMON_FEE).value)
        for meaning in FEES:
            for head, cell in self.row.under(meaning):
                amount = money(cell, factor_of(head, self.whole.factor))
                if amount.is_included and amount.stated is Stated.NOTHING:
                    self.included = (*self.included, meaning.value)
                elif is_vacant and not cell.strip() and meaning is Meaning.COMMON_FEE:
                    found[meaning.value] += self.whole.usual_fees.get(self.building or "", 0)
                elif amount.stated is not Stated.NOTHING and not _NO_FEE.fullmatch(plain(cell)):
                    found[meaning.value] += self.yen(amount, meaning, cell) or 0
        return {name: yen for name, yen in found.items() if yen}

    @property
    def own_billed_through(self) -> date | None:
        """The last day billed as the row itself states it: by a month or a day."""
        return own_month(self.row)


def _with_unit_of_head(cell: str, title: str) -> str:
    """Return a length with the unit that only its head has: 2 under 契約年数."""
    if not re.fullmatch(r"\d{1,3}(?:\.0)?", plain(cell)):
        return cell
    number = plain(cell).removesuffix(".0")
    if re.search(r"月|month", plain(title), re.IGNORECASE):
        return f"{number}ヶ月"
    return f"{number}年" if re.search(r"年|year", plain(title), re.IGNORECASE) else cell


def is_words_on_term(cell: str) -> bool:
    """Whether a cell says in words that a term has no end."""
    return bool(re.search(r"更新|定め|未定|なし|無|open", plain(cell), re.IGNORECASE))


def _same_value(cell: str) -> str:
    amount = money(cell)
    bare = re.sub(r"\s+", "", plain(cell)).casefold()
    return f"{amount.yen}" if amount.stated is Stated.YEN else str(whole_day(cell) or bare)


def _with_words_of_codes(row: LaidRow) -> LaidRow:
    """Return the row with the words that its heads have for the codes in the cells."""
    if not any(head.codes for head in row.heads):
        return row
    cells = tuple(
        dict(head.codes).get(plain(cell).casefold(), cell) if head.codes else cell
        for head, cell in zip(row.heads, row.cells, strict=True)
    )
    return replace(row, cells=cells)
