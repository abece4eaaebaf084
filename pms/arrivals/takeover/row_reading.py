"""Reads one row of a rent roll into a tenancy or a vacant room, with questions for each doubt."""

import re
from collections import Counter
from datetime import date
from decimal import Decimal
from typing import Any, Final

from pms.arrivals.sheets import cells
from pms.arrivals.sheets.cells import Unreadable
from pms.arrivals.takeover.laid_rows import LaidRow
from pms.arrivals.takeover.row_money import RowMoney, Whole
from pms.arrivals.takeover.taken import Question, ReadTenancy, ReadUnit
from pms.arrivals.takeover.whole_file import own_month, tells_start
from pms.rules.days import month_last
from pms.rules.roll_cells import (
    Money,
    Person,
    Stated,
    deposit_money,
    house_and_room,
    is_ditto,
    is_nothing,
    is_same_person,
    money,
    months_beside_yen,
    of_rent,
    people_in,
    plain,
    read_room,
    reading,
    telephone,
)
from pms.rules.roll_dates import has_year_last, term_in, whole_day, whole_month
from pms.rules.roll_heads import FEES, Meaning, fold_title
from pms.rules.roll_line_kinds import begins_vacant, is_owner_use, is_vacant
from pms.rules.roll_remarks import Row as RemarkRow
from pms.rules.roll_remarks import asked_of, read_surcharge, says_company_let

_HAS_LEFT: Final = re.compile(
    r"退去済|^退去$|^退去者$|解約済|契約終了|退去しました|^終了|moved.?out|^ended|terminated",
    re.IGNORECASE,
)
_SEVERAL_ROOMS: Final = re.compile(r"\d{1,5}(?:\s?[・、,&+と]\s?\d{1,5}){1,9}")
_HOUSE_AND_ROOM: Final = re.compile(
    r"(?:物件|建物).*(?:部屋|室)|(?:building|property).*(?:room|unit)"
)
_NO_FEE: Final = re.compile(r"[×✕✖✗xX]")
_DEPOSITS: Final = (
    Meaning.DEPOSIT,
    Meaning.DEPOSIT_HELD,
    Meaning.DEPOSIT_AND_KEY_MONEY,
)
_OWED_SUMS: Final = (Meaning.UNPAID, Meaning.BALANCE, Meaning.CARRIED)
_LEAST_RENT: Final = 1_000
_OLD_CONTRACT_DAYS: Final = 3 * 365


def house_beside_room(row: LaidRow) -> str | None:
    """Return the building in the same cell as the room, where the column's head says so."""
    if not _HOUSE_AND_ROOM.search(fold_title(row.head(Meaning.ROOM).title)):
        return None
    return house_and_room(row.cell(Meaning.ROOM))[0]


def room_of(row: LaidRow) -> str:
    """Return the room of a row, without a building in the same cell."""
    written = row.cell(Meaning.ROOM)
    has_house = house_beside_room(row) is not None
    return house_and_room(written)[1] if has_house else read_room(written)


class RowReading:
    """A row being read: its values, and the questions it raises."""

    def __init__(self, row: LaidRow, building: str | None, whole: Whole) -> None:
        self.row = row
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

    @property
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
            and (head.meaning is Meaning.NOTE or _is_words_on_renewal(head.meaning, cell))
        ]
        return " ".join(texts)

    @property
    def is_vacant(self) -> bool:
        """Whether the room is vacant by its name, state or remark, or because there is no name."""
        name = self.name_cell
        if is_vacant(name):
            return True
        if name.strip() and not is_nothing(name):
            return begins_vacant(self.row.cell(Meaning.STATUS))
        texts = (self.row.cell(Meaning.STATUS), self.row.cell(Meaning.NOTE))
        terms = (self.row.cell(Meaning.START), self.row.cell(Meaning.TERM))
        has_term = not all(is_nothing(term) for term in terms)
        return any(begins_vacant(one) for one in texts) or not has_term

    @property
    def has_left(self) -> bool:
        """Whether the state, the remark or the move-out day says that the tenant has left."""
        if _HAS_LEFT.search(plain(self.row.cell(Meaning.STATUS))):
            return True
        out = self._whole_day(Meaning.MOVE_OUT)
        return out is not None and out < self.whole.as_of and bool(self.name_cell.strip())

    @property
    def contradicts_former(self) -> bool:
        """Whether a row below a heading of former tenants has a debt or a term that still runs."""
        if any(money(self.row.cell(one), self._factor(one)).yen for one in _OWED_SUMS):
            return True
        end = self._whole_day(Meaning.END)
        return not self.has_left and end is not None and end >= self.whole.as_of

    def _whole_day(self, meaning: Meaning) -> date | None:
        return whole_day(self.row.cell(meaning), self.whole.day_order)

    @property
    def left_meaning(self) -> Meaning:
        """The column that says that the tenant has left."""
        is_day = self._whole_day(Meaning.MOVE_OUT) is not None
        return Meaning.MOVE_OUT if is_day else Meaning.STATUS

    @property
    def is_owner_use(self) -> bool:
        """Whether the owner uses the room."""
        states = (self.row.cell(Meaning.STATUS),)
        return is_owner_use(self.name_cell) or any("owner" in one.casefold() for one in states)

    def vacant_unit(self) -> ReadUnit:
        """Return the room as a vacant one, with its asking rent."""
        if not is_vacant(self.name_cell) and not is_nothing(self.name_cell):
            facts = {"name": self.name_cell.strip()}
            self.ask("vacant_with_name", Meaning.STATUS, blocks=self._still_lives, facts=facts)
        asked = Meaning.ASKING_RENT if self.row.cell(Meaning.ASKING_RENT).strip() else Meaning.RENT
        rent = self._amount(asked)
        fees = self.fees(is_vacant=True)
        if rent is None and (monthly := self._amount(Meaning.MONTHLY)) is not None:
            rent = monthly - sum(fees.values())
        return ReadUnit(
            self.row.at,
            self.building,
            self.room,
            is_vacant=True,
            asking_rent=rent,
            fees=fees,
            included=self.included,
        )

    @property
    def _still_lives(self) -> bool:
        """Whether a row with a vacant state has the terms or the debt of someone still there."""
        if self.has_left:
            return False
        terms = (Meaning.START, Meaning.TERM)
        sums = (
            money(self.row.cell(one), self._factor(one)).yen for one in (*_DEPOSITS, *_OWED_SUMS)
        )
        return any(not is_nothing(self.row.cell(one)) for one in terms) or any(sums)

    def tenancy(self) -> ReadTenancy:
        """Return the tenancy of the row."""
        found = ReadTenancy(self.row.at, self.building, self.room, self._people())
        if not found.people:
            self.ask("name_missing", Meaning.NAME, blocks=True)
        found.phone, found.email = self._phone(), self._email()
        found.start, found.end = self._term()
        found.rent = self._amount(Meaning.RENT)
        found.fees = self.fees()
        self._rent_from_sum(found)
        found.included = self.included
        found.note = self.remark
        self._deposit(found)
        self._guarantor(found)
        found.billed_through = self._billed_through(found)
        cash = RowMoney(self, found)
        cash.read()
        self._about_people(found)
        self._about_remark(found)
        return found

    def _people(self) -> list[Person]:
        found = list(people_in(self.name_cell))
        parts = (self.row.cell(Meaning.FAMILY_KANA), self.row.cell(Meaning.GIVEN_KANA))
        beside = self.row.cell(Meaning.KANA) or " ".join(part for part in parts if part.strip())
        kana = [reading(line) for line in re.split(r"[\r\n]+", beside)]
        for place, person in enumerate(found):
            if person.kana is None and place < len(kana):
                found[place] = person._replace(kana=kana[place])
        known = {_squeeze_name(person.name) for person in found}
        for meaning in (Meaning.OCCUPANT, Meaning.CO_OCCUPANTS):
            for _, others in self.row.under(meaning):
                if is_nothing(others) or is_ditto(others) or is_same_person(others):
                    continue
                found += [one for one in people_in(others) if _squeeze_name(one.name) not in known]
        return found

    def _about_people(self, found: ReadTenancy) -> None:
        if rooms := _SEVERAL_ROOMS.fullmatch(self.room):
            count = len(re.findall(r"\d+", rooms[0]))
            self.ask("two_rooms", Meaning.ROOM, facts={"count": count, "room": self.room})
        if Meaning.NAME in self.row.repeated:
            self.ask("same_name", Meaning.NAME, facts={"name": found.people[0].name})
        if self.row.is_hidden:
            self.ask("hidden_row", Meaning.ROOM, blocks=True)
        if found.people and found.people[0].is_company and len(found.people) == 1:
            in_remark = says_company_let(found.note)
            self.ask("company", Meaning.NOTE if in_remark else Meaning.NAME)
        holders = len(people_in(self.name_cell))
        if holders < 2:
            return
        extra = read_surcharge(found.note)
        fee = found.fees.get(Meaning.COMMON_FEE, 0)
        if 0 < extra < fee:
            proposal: Any = {"commonFee": fee - extra, "guestSurcharge": extra}
            facts = {"count": holders, "extra": extra}
            self.ask("two_people_surcharge", Meaning.NAME, proposal=proposal, facts=facts)
        else:
            name = found.people[0].name
            self.ask("two_people", Meaning.NAME, proposal=name, facts={"count": holders})

    def _phone(self) -> str | None:
        number, lost = telephone(self.row.cell(Meaning.PHONE))
        if lost and not self.whole.phones_lost_zero:
            self.ask("lost_zero", Meaning.PHONE, proposal=number, facts={"phone": number})
        return number

    def _email(self) -> str | None:
        try:
            return cells.email(self.row.cell(Meaning.EMAIL))
        except Unreadable:
            self.ask("not_an_email", Meaning.EMAIL, blocks=True)
            return None

    def _term(self) -> tuple[date | None, date | None]:
        start, end = self._day(Meaning.START), self._day(Meaning.END)
        cell = self.row.cell(Meaning.TERM)
        if cell and start is None:
            term = term_in(cell)
            if term is None:
                self.ask("not_a_day", Meaning.TERM, blocks=True)
            else:
                start, end = term[0], term[1] if term[1] is not None else end
        end = end or self._day_of_renewal()
        is_asked = any(one.blocks for one in self.questions) or not tells_start(self.row)
        if start is None and not is_asked:
            self.ask("start_missing", Meaning.START, blocks=True)
        if start is not None and end is not None and end < start:
            facts = {"start": str(start), "end": str(end)}
            self.ask("end_before_start", self.end_meaning, blocks=True, facts=facts)
        return start, end

    @property
    def end_meaning(self) -> Meaning:
        """The column that states the end."""
        return Meaning.END if self.row.cell(Meaning.END) else Meaning.TERM

    def _day_of_renewal(self) -> date | None:
        """Use the next renewal day as the end when no column states one, and ask about it."""
        found = self._whole_day(Meaning.RENEWAL)
        if found is None or self.row.has(Meaning.END) or self.row.has(Meaning.TERM):
            return None
        self.ask("renewal_is_end", Meaning.RENEWAL, proposal={"end": found})
        return found

    def _day(self, meaning: Meaning) -> date | None:
        cell = self.row.cell(meaning)
        if is_nothing(cell):
            return None
        found = whole_day(cell, self.whole.day_order)
        if found is not None:
            return found
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

    def _amount(self, meaning: Meaning) -> int | None:
        cell = self.row.cell(meaning)
        found = money(cell, self._factor(meaning))
        if found.is_included and meaning is Meaning.RENT:
            self.included = (Meaning.COMMON_FEE.value,)
        if found.stated is Stated.NOTHING:
            return None
        return self._yen(found, meaning, cell)

    def _yen(self, found: Money, meaning: Meaning, cell: str) -> int | None:
        if found.stated is Stated.COUNTED:
            facts = {"yen": found.yen}
            self.ask("counted_amount", meaning, about=cell, proposal=found.yen, facts=facts)
        if found.stated in (Stated.YEN, Stated.COUNTED) and found.yen >= 0:
            return found.yen
        self.ask("not_an_amount", meaning, about=cell, blocks=True)
        return None

    def _factor(self, meaning: Meaning) -> int:
        own = self.row.head(meaning).factor
        return own if own > 1 else self.whole.factor

    def fees(self, *, is_vacant: bool = False) -> dict[str, int]:
        """Return the recurring fees beside the rent, by name, without those that are blank or 0."""
        found: Counter[str] = Counter()
        if self.row.head(Meaning.RENT).includes_common_fee:
            self.included = (Meaning.COMMON_FEE.value,)
        for meaning in FEES:
            for head, cell in self.row.under(meaning):
                amount = money(cell, head.factor if head.factor > 1 else self.whole.factor)
                if amount.is_included and amount.stated is Stated.NOTHING:
                    self.included = (*self.included, meaning.value)
                elif is_vacant and not cell.strip() and meaning is Meaning.COMMON_FEE:
                    found[meaning.value] += self.whole.usual_fees.get(self.building or "", 0)
                elif amount.stated is not Stated.NOTHING and not _NO_FEE.fullmatch(plain(cell)):
                    found[meaning.value] += self._yen(amount, meaning, cell) or 0
        return {name: yen for name, yen in found.items() if yen}

    def _rent_from_sum(self, found: ReadTenancy) -> None:
        shown = money(self.row.cell(Meaning.MONTHLY), self._factor(Meaning.MONTHLY))
        fees = sum(found.fees.values())
        found.shown_monthly = shown.yen if shown.stated is Stated.YEN and shown.yen else None
        if found.rent is None and not self.row.cell(Meaning.RENT).strip():
            if shown.stated is Stated.YEN and shown.yen > fees:
                found.rent = shown.yen - fees
            else:
                self.ask("rent_missing", Meaning.RENT, blocks=True)
        elif found.rent is not None and 0 < found.rent < _LEAST_RENT:
            self.ask("rent_small", Meaning.RENT, blocks=True, facts={"yen": found.rent})
        elif shown.stated is Stated.YEN and shown.yen not in (0, found.monthly, found.rent):
            facts = {"read": found.monthly, "shown": shown.yen}
            self.ask("sum_differs", Meaning.MONTHLY, facts=facts)

    def _deposit(self, found: ReadTenancy) -> None:
        held = self._deposit_of(Meaning.DEPOSIT_HELD, found)
        agreed = self._deposit_of(Meaning.DEPOSIT, found)
        if agreed is None:
            agreed = self._deposit_of(Meaning.DEPOSIT_AND_KEY_MONEY, found)
        found.deposit = held if agreed is None else agreed
        found.deposit_held = agreed if held is None else held

    def _deposit_of(self, meaning: Meaning, found: ReadTenancy) -> int | None:
        if not self.row.has(meaning):
            return None
        cell = self.row.cell(meaning)
        amount = deposit_money(cell, self._factor(meaning))
        if amount.stated is Stated.NOTHING:
            return 0
        self._ask_of_both(meaning, found)
        if amount.stated is Stated.MONTHS:
            rent = found.rent or 0
            self._ask_of_which_rent(meaning, amount.months, found)
            return of_rent(amount.months, rent)
        if amount.stated is Stated.WORD:
            self.ask("deposit_unknown", meaning, blocks=True)
            return None
        return self._yen(amount, meaning, cell)

    def _ask_of_both(self, meaning: Meaning, found: ReadTenancy) -> None:
        """Ask about a deposit whose months of rent are not the yen in the same cell.

        In a column of deposit and key money the second amount is the key money.
        """
        cell, factor = self.row.cell(meaning), self._factor(meaning)
        both = months_beside_yen(cell, factor)
        has_key_money = meaning is Meaning.DEPOSIT_AND_KEY_MONEY and "/" in plain(cell)
        if both is None or has_key_money or not found.rent:
            return
        of_months, stated = of_rent(both[0], found.rent), both[1]
        if of_months != stated:
            read = deposit_money(cell, factor)
            yen = of_months if read.stated is Stated.MONTHS else read.yen
            self.ask("counted_amount", meaning, proposal=yen, facts={"yen": yen})

    def _ask_of_which_rent(self, meaning: Meaning, months: Decimal, found: ReadTenancy) -> None:
        old = money(self.row.cell(Meaning.OLD_RENT), self._factor(Meaning.OLD_RENT))
        if old.stated is not Stated.YEN or old.yen == found.rent or found.start is None:
            return
        if (self.whole.as_of - found.start).days > _OLD_CONTRACT_DAYS:
            title = self.row.head(Meaning.OLD_RENT).title
            facts = {
                "rent": found.rent or 0,
                "old": old.yen,
                "year": found.start.year,
                "title": title,
            }
            proposal = of_rent(months, found.rent or 0)
            self.ask("deposit_of_which_rent", meaning, proposal=proposal, facts=facts)

    def _guarantor(self, found: ReadTenancy) -> None:
        found.has_guarantor = self.row.has(Meaning.GUARANTOR)
        cell = self.row.cell(Meaning.GUARANTOR)
        found.guarantor = None if is_nothing(cell) else plain(cell)

    def _billed_through(self, found: ReadTenancy) -> date | None:
        own = self.own_billed_through
        if own is not None:
            return own
        if not is_nothing(self.row.cell(Meaning.BILLED_THROUGH)):
            self.ask("not_a_day", Meaning.BILLED_THROUGH, blocks=True)
        if found.start is not None and found.start > self.whole.as_of:
            return None
        return self.whole.stated_billed_through

    @property
    def own_billed_through(self) -> date | None:
        """The last day billed as the row itself states it: by a month or a day."""
        return own_month(self.row)

    def _about_remark(self, found: ReadTenancy) -> None:
        status = self.row.cell(Meaning.STATUS)
        out = self._whole_day(Meaning.MOVE_OUT)
        leaves = f"{out}退去" if out is not None else ""
        remark = " ".join(part for part in (found.note, status.strip(), leaves) if part)
        row = RemarkRow(
            remark=remark,
            start=found.start,
            end=found.end,
            as_of=self.whole.as_of,
            billed_through=found.billed_through or self.whole.billed_through,
            has_debt=bool(found.unpaid),
            debt_is_renewal=any(debt.what == "renewal fee" for debt in found.unpaid),
            has_own_month=self.own_billed_through is not None,
        )
        columns = {
            "start": Meaning.START if self.row.cell(Meaning.START) else Meaning.TERM,
            "end": self.end_meaning,
        }
        for one in asked_of(row):
            meaning = columns.get(one.column) or self._remark_meaning()
            self.ask(
                one.doubt.value, meaning, proposal=one.proposal, blocks=one.blocks, facts=one.facts
            )

    def _remark_meaning(self) -> Meaning:
        if self._whole_day(Meaning.MOVE_OUT) is not None:
            return Meaning.MOVE_OUT
        return next(
            (one for one in (Meaning.NOTE, Meaning.RENEWAL, Meaning.STATUS) if self.row.cell(one)),
            Meaning.NOTE,
        )


def _squeeze_name(name: str) -> str:
    return re.sub(r"\s+", "", plain(name)).casefold()


def _is_words_on_renewal(meaning: Meaning | None, cell: str) -> bool:
    return meaning is Meaning.RENEWAL and whole_day(cell) is None
