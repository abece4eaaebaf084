"""Reads one row of a rent roll into a tenancy or a vacant room, with questions for each doubt."""

import re
from datetime import date
from decimal import Decimal
from typing import Any, Final

from pms.arrivals.takeover.row_cells import RowCells, meaning_of_odd
from pms.arrivals.takeover.row_money import RowMoney
from pms.arrivals.takeover.taken import ReadTenancy, ReadUnit
from pms.rules.days import add_months, month_first, month_last
from pms.rules.plausible_amounts import find_odd_amounts
from pms.rules.roll_cells import (
    PersonOfCell,
    Stated,
    deposit_money,
    is_ditto,
    is_kept_in_part,
    is_nothing,
    is_same_person,
    money,
    months_beside_yen,
    of_rent,
    people_in,
    plain,
    reading,
)
from pms.rules.roll_dates import whole_month
from pms.rules.roll_heads import Meaning
from pms.rules.roll_legends import Sign
from pms.rules.roll_line_kinds import begins_vacant, is_owner_use, is_vacant
from pms.rules.roll_remarks import RemarkedTenancy, asked_of, read_surcharge, says_company_let

_HAS_LEFT: Final = re.compile(
    r"退去済|^退去$|^退去者$|解約済|契約終了|退去しました|^終了|moved.?out|^ended|terminated",
    re.IGNORECASE,
)
_SEVERAL_ROOMS: Final = re.compile(r"\d{1,5}(?:\s?[・、,&+と]\s?\d{1,5}){1,9}")
_LEFT_IN_REMARK: Final = re.compile(r"^(?:left|moved.?out)\b|退去済|退去しました", re.IGNORECASE)
_OF_THE_OWNERS: Final = re.compile(
    r"^(?:owner|landlord)'?s? (?:son|daughter|family|relative|wife|husband|mother|father)"
    r"|(?:オーナー|家主|大家)(?:様)?の?(?:息子|娘|家族|親族|親戚|身内|長男|次男|妻)",
    re.IGNORECASE,
)
_NAMES: Final = (Meaning.NAME, Meaning.FAMILY, Meaning.OCCUPANT, Meaning.KANA)
_ALL_IN_ONE: Final = (Meaning.COMMON_FEE.value, Meaning.UTILITIES.value)
_DEPOSITS: Final = (
    Meaning.DEPOSIT,
    Meaning.DEPOSIT_HELD,
    Meaning.DEPOSIT_AND_KEY_MONEY,
)
_OWED_SUMS: Final = (Meaning.UNPAID, Meaning.BALANCE, Meaning.CARRIED)
_OLD_CONTRACT_DAYS: Final = 3 * 365


class RowReading(RowCells):
    """A row being read into a tenancy or a vacant room."""

    @property
    def is_vacant(self) -> bool:
        """Whether the room is vacant by its name, state or remark, or because there is no name."""
        name = self.name_cell
        if is_vacant(name):
            return True
        if name.strip() and not is_nothing(name):
            return begins_vacant(self.row.cell(Meaning.STATUS))
        if not any(self.row.has(meaning) for meaning in _NAMES):
            return begins_vacant(self.row.cell(Meaning.STATUS))
        texts = (self.row.cell(Meaning.STATUS), self.row.cell(Meaning.NOTE))
        terms = (self.row.cell(Meaning.START), self.row.cell(Meaning.TERM))
        has_term = not all(is_nothing(term) for term in terms)
        return any(begins_vacant(text) for text in texts) or not has_term

    @property
    def has_left(self) -> bool:
        """Whether the state, the remark or the move-out day says that the tenant has left."""
        if _HAS_LEFT.search(plain(self.row.cell(Meaning.STATUS))):
            return True
        if not self.name_cell.strip():
            return False
        out = self.whole_day(Meaning.MOVE_OUT)
        if out is not None and out < self.whole.as_of:
            return True
        return bool(_LEFT_IN_REMARK.search(plain(self.remark))) and self._left_on is not None

    @property
    def _left_on(self) -> date | None:
        """The day on which the tenant left, by a column; None where no day says so."""
        out = self.whole_day(Meaning.MOVE_OUT)
        end = self.whole_day(Meaning.END)
        days = [day for day in (out, end) if day is not None and day < self.whole.as_of]
        return days[0] if days else None

    @property
    def owes_something(self) -> bool:
        """Whether a column says that something is unpaid or paid ahead."""
        sums = (*_OWED_SUMS, Meaning.OVERPAID)
        return any(money(self.row.cell(meaning), self.factor(meaning)).yen for meaning in sums)

    def ask_about_leaving(self) -> None:
        """Ask whether somebody who left is skipped: offered only when a day says so."""
        for meaning in (*_OWED_SUMS, Meaning.OVERPAID):
            yen = money(self.row.cell(meaning), self.factor(meaning)).yen
            if yen:
                self.ask("left_owes", meaning, blocks=True, facts={"yen": abs(yen)})
                return
        is_certain = self._left_on is not None
        self.ask(
            "left_already" if is_certain else "left_without_day",
            self.left_meaning,
            blocks=not is_certain,
        )

    @property
    def contradicts_former(self) -> bool:
        """Whether a row below a heading of former tenants has a debt or a term that still runs."""
        if any(money(self.row.cell(meaning), self.factor(meaning)).yen for meaning in _OWED_SUMS):
            return True
        end = self.whole_day(Meaning.END)
        return not self.has_left and end is not None and end >= self.whole.as_of

    @property
    def left_meaning(self) -> Meaning:
        """The column that says that the tenant has left."""
        if self.whole_day(Meaning.MOVE_OUT) is not None:
            return Meaning.MOVE_OUT
        is_state = bool(_HAS_LEFT.search(plain(self.row.cell(Meaning.STATUS))))
        return Meaning.STATUS if is_state else Meaning.NOTE

    @property
    def is_owner_use(self) -> bool:
        """Whether the owner uses the room."""
        states = (self.row.cell(Meaning.STATUS),)
        is_certain = is_owner_use(self.name_cell) or any("owner" in s.casefold() for s in states)
        return is_certain or self._is_of_the_owners

    @property
    def _is_of_the_owners(self) -> bool:
        """Whether the name is a relative of the owner, and the row has no rent."""
        is_relative = _OF_THE_OWNERS.search(plain(self.name_cell)) is not None
        return is_relative and not money(self.row.cell(Meaning.RENT)).yen

    def ask_about_the_owner(self) -> None:
        """Ask whether the owner's side lives in the room, or the room is only blocked."""
        meaning = Meaning.NOTE if self._is_of_the_owners and self.remark else Meaning.NAME
        self.ask("owner_use", meaning, proposal="block")

    def vacant_unit(self) -> ReadUnit:
        """Return the room as a vacant one, with its asking rent."""
        if not is_vacant(self.name_cell) and not is_nothing(self.name_cell):
            facts = {"name": self.name_cell.strip()}
            self.ask("vacant_with_name", Meaning.STATUS, blocks=self._still_lives, facts=facts)
        asked = Meaning.ASKING_RENT if self.row.cell(Meaning.ASKING_RENT).strip() else Meaning.RENT
        rent = self.amount(asked)
        fees = self.fees(is_vacant=True)
        if rent is None and (monthly := self.amount(Meaning.MONTHLY)) is not None:
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
            money(self.row.cell(meaning), self.factor(meaning)).yen
            for meaning in (*_DEPOSITS, *_OWED_SUMS)
        )
        return any(not is_nothing(self.row.cell(meaning)) for meaning in terms) or any(sums)

    def tenancy(self) -> ReadTenancy:
        """Return the tenancy of the row."""
        found = ReadTenancy(self.row.at, self.building, self.room, self._read_people())
        if not found.people:
            self.ask("name_missing", Meaning.NAME, blocks=True)
        found.phone, found.email = self.phone(), self.email()
        found.start, found.end = self.term()
        found.rent = self.amount(Meaning.RENT)
        found.fees = self.fees()
        self._rent_from_sum(found)
        found.included = tuple(dict.fromkeys(self.included))
        found.note = self.remark
        held = self._deposit_of(Meaning.DEPOSIT_HELD, found)
        agreed = self._deposit_of(Meaning.DEPOSIT, found)
        if agreed is None:
            agreed = self._deposit_of(Meaning.DEPOSIT_AND_KEY_MONEY, found)
        found.deposit = held if agreed is None else agreed
        found.deposit_held = agreed if held is None else held
        if held and agreed and held != agreed:
            deposit_facts = {"agreed": agreed, "held": held}
            self.ask("deposit_differs", Meaning.DEPOSIT_HELD, proposal=held, facts=deposit_facts)
        found.has_guarantor = self.row.has(Meaning.GUARANTOR)
        cell = self.row.cell(Meaning.GUARANTOR)
        found.guarantor = None if is_nothing(cell) else plain(cell)
        found.billed_through = self._billed_through(found)
        for odd in find_odd_amounts(found.rent, found.fees.values(), found.deposit_held):
            facts = {
                "yen": odd.yens[0],
                "amounts": ", ".join(f"{yen:,}" for yen in odd.yens),
                "rent": found.rent or 0,
            }
            meaning = meaning_of_odd(odd.what, found.fees, odd.yens[0])
            self.ask(odd.what.value, meaning, blocks=True, facts=facts)
        cash = RowMoney(self, found)
        cash.read()
        self._about_people(found)
        self._about_remark(found)
        return found

    def _read_people(self) -> list[PersonOfCell]:
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
                found += [
                    person
                    for person in people_in(others)
                    if _squeeze_name(person.name) not in known
                ]
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

    def _rent_from_sum(self, found: ReadTenancy) -> None:
        shown = money(self.row.cell(Meaning.MONTHLY), self.factor(Meaning.MONTHLY))
        fees = sum(found.fees.values())
        found.shown_monthly = shown.yen if shown.stated is Stated.YEN and shown.yen else None
        if found.rent is None and not self.row.cell(Meaning.RENT).strip():
            if shown.stated is Stated.YEN and shown.yen > fees:
                found.rent = shown.yen - fees
                if self.row.head(Meaning.MONTHLY).is_all_in_one:
                    self.included = tuple(dict.fromkeys((*self.included, *_ALL_IN_ONE)))
            else:
                self.ask("rent_missing", Meaning.RENT, blocks=True)
        elif found.rent == 0:
            self.ask("rent_zero", Meaning.RENT, blocks=True)
        elif shown.stated is Stated.YEN and shown.yen not in (0, found.monthly, found.rent):
            facts = {"read": found.monthly, "shown": shown.yen}
            self.ask("sum_differs", Meaning.MONTHLY, facts=facts)

    def _deposit_of(self, meaning: Meaning, found: ReadTenancy) -> int | None:
        if not self.row.has(meaning):
            return None
        cell = self.row.cell(meaning)
        amount = deposit_money(cell, self.factor(meaning))
        if amount.stated is Stated.NOTHING:
            return 0
        self._ask_of_both(meaning, found)
        if amount.stated is Stated.MONTHS:
            yen = of_rent(amount.months, found.rent or 0)
            if is_kept_in_part(cell):
                self.ask("kept_in_part", meaning, proposal=yen, facts={"yen": yen})
            elif amount.months % 1:
                self.ask("counted_amount", meaning, proposal=yen, facts={"yen": yen})
            self._ask_which_rent(meaning, amount.months, found)
            return yen
        if is_kept_in_part(cell) and amount.stated is Stated.YEN:
            self.ask("kept_in_part", meaning, proposal=amount.yen, facts={"yen": amount.yen})
        if amount.stated is Stated.WORD:
            self.ask("deposit_unknown", meaning, blocks=True)
            return None
        return self.yen(amount, meaning, cell)

    def _ask_of_both(self, meaning: Meaning, found: ReadTenancy) -> None:
        """Ask about a deposit whose months of rent are not the yen in the same cell.

        In a column of deposit and key money the second amount is the key money.
        """
        cell, factor = self.row.cell(meaning), self.factor(meaning)
        both = months_beside_yen(cell, factor)
        has_key_money = meaning is Meaning.DEPOSIT_AND_KEY_MONEY and "/" in plain(cell)
        if both is None or has_key_money or not found.rent:
            return
        of_months, stated = of_rent(both[0], found.rent), both[1]
        if of_months != stated:
            read = deposit_money(cell, factor)
            yen = of_months if read.stated is Stated.MONTHS else read.yen
            self.ask("counted_amount", meaning, proposal=yen, facts={"yen": yen})

    def _ask_which_rent(self, meaning: Meaning, months: Decimal, found: ReadTenancy) -> None:
        old = money(self.row.cell(Meaning.OLD_RENT), self.factor(Meaning.OLD_RENT))
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

    def _billed_through(self, found: ReadTenancy) -> date | None:
        own = self.own_billed_through
        if own is not None:
            return own
        if not is_nothing(self.row.cell(Meaning.BILLED_THROUGH)):
            self.ask("not_a_day", Meaning.BILLED_THROUGH, blocks=True)
        if not is_nothing(self.row.cell(Meaning.PAID_UNTIL)):
            return self._billed_by_payment(found)
        if found.start is not None and found.start > self.whole.as_of:
            return None
        return self.whole.stated_billed_through

    def _billed_by_payment(self, found: ReadTenancy) -> date | None:
        """Return the last day billed by the day until which rent was paid, and what is owed since."""
        month = whole_month(self.row.cell(Meaning.PAID_UNTIL))
        paid = month_last(month) if month is not None else self.stated_day(Meaning.PAID_UNTIL)
        if paid is None:
            return None
        owed = self._owed_yen
        if owed > 0 and found.monthly > 0 and owed % found.monthly == 0:
            through = month_last(add_months(month_first(paid), owed // found.monthly))
            facts = {"paid": str(paid), "yen": owed, "through": str(through)}
            proposal = {"billedThrough": through}
            self.ask("billed_and_owed", Meaning.PAID_UNTIL, proposal=proposal, facts=facts)
            return through
        if owed <= 0 and paid < month_first(self.whole.as_of):
            # Rent of a month is due on its eve: what came since was billed and is unpaid, or not billed.
            self.ask("paid_behind", Meaning.PAID_UNTIL, blocks=True, facts={"paid": str(paid)})
        elif paid != month_last(paid):
            facts, proposal = {"through": str(paid)}, {"billedThrough": paid}
            self.ask("pays_from_day_to_day", Meaning.PAID_UNTIL, proposal=proposal, facts=facts)
        elif owed > 0:
            facts = {"paid": str(paid), "yen": owed, "through": str(paid)}
            self.ask("billed_and_owed", Meaning.PAID_UNTIL, blocks=True, facts=facts)
        return paid

    @property
    def _owed_yen(self) -> int:
        """What is unpaid by the row's own columns; negative for money ahead."""
        unpaid = self.row.amount(Meaning.UNPAID, self.whole.factor)
        if unpaid.stated in (Stated.YEN, Stated.COUNTED):
            return unpaid.yen
        balance = self.row.amount(Meaning.BALANCE, self.whole.factor)
        sign = self.row.head(Meaning.BALANCE).sign or self.whole.sign
        return -balance.yen if sign is Sign.AHEAD else balance.yen

    def _about_remark(self, found: ReadTenancy) -> None:
        status = self.row.cell(Meaning.STATUS)
        out = self.whole_day(Meaning.MOVE_OUT)
        leaves = f"{out}退去" if out is not None else ""
        remark = " ".join(part for part in (found.note, status.strip(), leaves) if part)
        own = self.own_billed_through
        has_own_month = own is not None and (found.start is None or own >= found.start)
        row = RemarkedTenancy(
            remark=remark,
            start=found.start,
            end=found.end,
            as_of=self.whole.as_of,
            billed_through=found.billed_through or self.whole.billed_through,
            read_on=self.whole.read_on or self.whole.as_of,
            has_debt=bool(found.unpaid),
            debt_is_renewal=any(debt.what == "renewal fee" for debt in found.unpaid),
            has_own_month=has_own_month,
        )
        columns = {
            "start": Meaning.START if self.row.cell(Meaning.START) else Meaning.TERM,
            "end": self.end_meaning,
        }
        for question in asked_of(row):
            meaning = columns.get(question.column) or self._remark_meaning()
            self.ask(
                question.doubt.value,
                meaning,
                proposal=question.proposal,
                blocks=question.blocks,
                facts=question.facts,
            )

    def _remark_meaning(self) -> Meaning:
        if self.whole_day(Meaning.MOVE_OUT) is not None:
            return Meaning.MOVE_OUT
        return next(
            (
                meaning
                for meaning in (Meaning.NOTE, Meaning.RENEWAL, Meaning.STATUS)
                if self.row.cell(meaning)
            ),
            Meaning.NOTE,
        )


def _squeeze_name(name: str) -> str:
    return re.sub(r"\s+", "", plain(name)).casefold()
