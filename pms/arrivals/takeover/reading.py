"""Reads a file of running tenancies: all its sheets, and the questions about the whole."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, NamedTuple

from pms.arrivals.takeover.cell_uses import preview_of
from pms.arrivals.takeover.file_questions import (
    ask_about_columns,
    ask_about_sheets,
    ask_about_the_file,
)
from pms.arrivals.takeover.instructions import NO_INSTRUCTIONS, FileDays, Instructions
from pms.arrivals.takeover.laid_rows import (
    Heads,
    LaidRow,
    LaidSheet,
    Passed,
    has_money,
    is_parking_space,
    sheet_key,
    states_money,
)
from pms.arrivals.takeover.layout import lay_sheet
from pms.arrivals.takeover.own_terms import UnreadableTermsError
from pms.arrivals.takeover.own_writing import exported_tenancy, tables_of_export
from pms.arrivals.takeover.row_cells import house_beside_room, room_of
from pms.arrivals.takeover.row_money import DEBTS, Whole, charged_in
from pms.arrivals.takeover.row_reading import RowReading
from pms.arrivals.takeover.sheet_months import days_of_file, earlier_months, is_of_a_month, marks_of
from pms.arrivals.takeover.sheet_roles import add_summaries, is_of_rent_steps, role_of_sheet
from pms.arrivals.takeover.shown_totals import shown_totals, totals_on_top
from pms.arrivals.takeover.taken import Question, ReadTenancy, ReadUnit, TakeOver, overlap
from pms.arrivals.takeover.whole_file import (
    debts_have_minus,
    holder_of,
    is_of_the_head,
    number_in,
    order_of_days,
    sign_of_balance,
    tells_rent,
    tells_start,
)
from pms.rules.days import month_last
from pms.rules.roll_cells import Stated, is_ditto, is_nothing, money, people_in, plain, telephone
from pms.rules.roll_heads import FEES, DayOrder, Meaning, SheetHead
from pms.rules.roll_line_kinds import begins_vacant, is_parking, is_vacant
from pms.rules.roll_lines import DueRule, RollSection, facts_of
from pms.rules.room_names import building_key, room_key
from pms.sheets.grid import read_grid
from pms.sheets.refusals import SheetRefused
from pms.sheets.tables import Table, open_all_tables

_KNOWN_FEES: Final = frozenset(
    {Meaning.COMMON_FEE, Meaning.UTILITIES, Meaning.PARKING, Meaning.GUEST_SURCHARGE}
)

MOST_ROWS: Final = 6_000
"""How many rows of tenancies and rooms are read at once."""
MOST_QUESTIONS: Final = 30_000
_EARLIER: Final = "earlier month; only its balance is read"

Key = tuple[str, str]


def read_takeover(
    data: bytes, file: str, read_on: date, instructions: Instructions = NO_INSTRUCTIONS
) -> TakeOver:
    """Return what a file states of running tenancies on a day; refuse a file that is no sheet."""
    return read_files([open_file(file, data)], read_on, instructions)


class OpenedFile(NamedTuple):
    """A file by its name, and its tables."""

    name: str
    tables: Sequence[Table]


def open_file(name: str, data: bytes) -> OpenedFile:
    """Return a file with its tables; refuse one that is no sheet.

    This takes time, and so does reading: not while a transaction is open to write.
    """
    return OpenedFile(name, tables_of_export(open_all_tables(data)))


def read_files(
    files: Sequence[OpenedFile],
    read_on: date,
    instructions: Instructions = NO_INSTRUCTIONS,
    *,
    takes_proposed_days: bool = False,
) -> TakeOver:
    """Return what several files state together, as if their sheets were in one workbook.

    One may have the rooms, another the tenants, a third the debts. What the instructions say
    overrides the files. With `takes_proposed_days` the days that are asked for are read as they are
    proposed; the questions stay.
    """
    sheets: list[LaidSheet] = []
    encoding = ""
    for name, tables in files:
        encoding = encoding or tables[0].encoding
        for table in tables:
            reading = instructions.of_sheet(sheet_key(name, table.name))
            is_alone = len(files) == 1
            sheets.append(
                lay_sheet(read_grid(table), reading, instructions.learnt, name, is_alone=is_alone)
            )
    names = ", ".join(file.name for file in files)
    read = _Reader(TakeOver(names, read_on, encoding), sheets, instructions).read()
    days = dict(instructions.days)
    if takes_proposed_days:
        # The answered days of each file, else those that its questions propose.
        for question in read.about_the_file:
            if question.file and isinstance(question.proposal, dict):
                own, proposed = instructions.days_of(question.file), question.proposal
                days[question.file] = FileDays(
                    own.as_of or proposed.get("asOf"),
                    own.billed_through or proposed.get("billedThrough"),
                )
    if days != instructions.days:
        asked = read.about_the_file
        instructions = replace(instructions, days=days)
        read = _Reader(TakeOver(names, read_on, encoding), sheets, instructions).read()
        read.about_the_file = asked
    return read


class _Reader:
    """Reads the sheets of one file in order, and keeps what later rows need."""

    def __init__(
        self,
        taken: TakeOver,
        sheets: Sequence[LaidSheet],
        instructions: Instructions = NO_INSTRUCTIONS,
    ) -> None:
        self._taken = taken
        self._instructions = instructions
        self._sheets = sheets
        self._facts = {
            sheet.key: facts_of(sheet.words, sheet.name, taken.read_on) for sheet in sheets
        }
        for sheet in sheets:
            sheet.settle_months(taken.read_on)
            self._facts[sheet.key].building = (
                sheet.reading.building or self._facts[sheet.key].building
            )
        self._earlier = earlier_months(sheets, self._facts)
        self._charged: dict[Key, dict[date, int]] = {}
        self._beside: dict[Key, LaidRow] = {}
        self._used_beside: set[str] = set()
        self._units: dict[Key, ReadUnit] = {}
        self._lets: dict[Key, list[ReadTenancy]] = {}
        self._asked_once: set[tuple[str, str | None]] = set()
        self._fee_titles: dict[str, LaidSheet] = {}
        self._last: ReadTenancy | None = None

    @property
    def _rent_rolls(self) -> list[LaidSheet]:
        rolls = [
            sheet
            for sheet in self._sheets
            if sheet.is_roll and sheet.key not in self._earlier and not is_of_rent_steps(sheet)
        ]
        with_rent = [sheet for sheet in rolls if tells_rent(sheet)]
        return with_rent or rolls

    def read(self) -> TakeOver:
        """Read every sheet; earlier months first, since they show how old a debt is."""
        count = sum(len(sheet.rows) for sheet in self._rent_rolls)
        if count > MOST_ROWS:
            raise SheetRefused("takeover_rows", count=count, most=MOST_ROWS)
        self._whole_file()
        for sheet in self._sheets:
            if sheet.key in self._earlier:
                self._read_earlier(sheet)
        self._read_beside()
        beside = any(tells_start(row) for row in self._beside.values())
        self._taken.lacks_starts = not beside and any(
            not tells_start(row) for sheet in self._rent_rolls for row in sheet.rows[:1]
        )
        for sheet in self._rent_rolls:
            self._read_roll(sheet)
        self._ask_about_unused()
        for sheet in self._sheets:
            role = self._roles_by_sheet[sheet.key]
            if sheet.name:
                facts: dict[str, Any] = {"name": sheet.name, "role": role}
                if sheet.file:
                    facts["file"] = sheet.file
                if role in ("roll", "beside the roll", "earlier month"):
                    facts["headerRows"] = sheet.header_rows
                    if sheet.hidden_titles:
                        facts["hiddenColumns"] = sheet.hidden_titles
                self._taken.sheets.append(facts)
            if role in ("roll", "beside the roll"):
                self._taken.passed += [
                    row for row in sheet.passed if not is_of_the_head(sheet, row)
                ]
        add_summaries(self._taken, self._sheets)
        ask_about_the_file(self._taken, self._fee_titles, self._rent_rolls)
        taken, rolls = self._taken, self._rent_rolls
        taken.keeps_notes = all(sheet.rows[0].has(Meaning.NOTE) for sheet in rolls)
        taken.rows = {row.at: row for sheet in self._sheets for row in sheet.rows}
        ask_about_sheets(taken, self._sheets, rolls)
        taken.previews = [
            preview_of(
                sheet, taken, self._facts[sheet.key].building, self._roles_by_sheet[sheet.key]
            )
            for sheet in self._sheets
        ]
        return taken

    def _whole_file(self) -> None:
        """Find the days of each file with tenancies; a list beside them may state them for all."""
        taken, rolls = self._taken, self._rent_rolls
        names = dict.fromkeys(sheet.file_name for sheet in rolls or self._sheets)
        for name in names:
            others = [
                self._facts[sheet.key]
                for sheet in self._sheets
                if sheet.file_name == name or sheet.file_name not in names
            ]
            own = [sheet for sheet in rolls if sheet.file_name == name]
            answered = self._instructions.days_of(name)
            taken.days[name] = days_of_file(own, others, self._facts, taken.read_on, answered)

    @property
    def _roles_by_sheet(self) -> Mapping[str, str]:
        rolls = self._rent_rolls
        return {sheet.key: role_of_sheet(sheet, self._earlier, rolls) for sheet in self._sheets}

    def _read_earlier(self, sheet: LaidSheet) -> None:
        month = self._facts[sheet.key].month
        passed = {left.at: left for left in sheet.passed if not is_of_the_head(sheet, left)}
        for row, building in self._with_building(sheet):
            charged = charged_in(row, self._facts[sheet.key].factor)
            key = _key_of_room(building, room_of(row))
            if month is not None and charged is not None and key[1]:
                self._charged.setdefault(key, {})[month] = charged
            is_free = is_vacant(row.cell(Meaning.NAME))
            why = "vacant in an earlier month" if is_free else _EARLIER
            passed[row.at] = Passed(row.at, why)
        self._taken.passed += sorted(passed.values(), key=lambda row: number_in(row.at))

    def _with_building(self, sheet: LaidSheet) -> Iterable[tuple[LaidRow, str | None]]:
        """Yield each row with its building: its own, one above in merged cells, or the sheet's."""
        above, heading = None, None
        for row in sheet.rows:
            if row.heading != heading:
                above, heading = None, row.heading
            own = row.cell(Meaning.BUILDING).strip() or house_beside_room(row) or ""
            is_filled = bool(own) and not is_nothing(own) and not is_ditto(own)
            above = own if is_filled else above
            yield row, above or row.heading or self._facts[sheet.key].building

    def _read_roll(self, sheet: LaidSheet) -> None:
        whole, self._last = self._whole_of(sheet), None
        if whole.factor > 1:
            self._taken.factors |= {row.at: whole.factor for row in sheet.rows}
        rows = list(self._with_building(sheet))
        shown = {
            _key_of_room(building, room_of(row)) for row, building in rows if not row.is_hidden
        }
        for row, building in rows:
            reading = RowReading(
                self._with_beside(self._apply_typed_amounts(row), building), building, whole
            )
            self._note_titles(sheet, row)
            self._take_row(reading, shown)
            # Keep the questions of a row; one that is the same for a whole building is asked
            # once.
            if reading.included and not reading.row.head(Meaning.MONTHLY).is_all_in_one:
                once = ("rent_includes_fee", reading.building)
                if once not in self._asked_once and not reading.is_vacant:
                    self._asked_once.add(once)
                    rent = money(reading.row.cell(Meaning.RENT)).yen
                    reading.ask("rent_includes_fee", Meaning.RENT, proposal={"rent": rent})
            asked = self._taken.about_rows
            asked += [replace(question, sheet=sheet.key) for question in reading.questions]
            if len(asked) > MOST_QUESTIONS:
                column, _ = Counter(question.column for question in asked).most_common(1)[0]
                at = next(question.at for question in asked if question.column == column)
                raise SheetRefused(
                    "takeover_questions", most=MOST_QUESTIONS, title=column or "-", at=at or "-"
                )
        ask_about_columns(self._taken, sheet, whole)
        self._compare_totals(sheet, whole)

    def _apply_typed_amounts(self, row: LaidRow) -> LaidRow:
        """Return the row with the rents and fees that a person typed over its cells."""
        typed = self._instructions.typed.get(row.at, {})
        for meaning, yen in typed.items():
            heads = (
                head._replace(meaning=Meaning.PASSED_OVER) if head.meaning is meaning else head
                for head in row.heads
            )
            own = SheetHead(row.head(meaning).title, meaning, has_unit=True)
            row = replace(row, heads=Heads((*heads, own)), cells=(*row.cells, str(yen)))
        return row

    def _compare_totals(self, sheet: LaidSheet, whole: Whole) -> None:
        """Add the sheet's sums, and ask about one that differs from the rows if none is blocked."""
        places, taken = {row.at for row in sheet.rows}, self._taken
        taken.shown_totals |= {
            name: yen
            for name, yen in totals_on_top(sheet).items()
            if name not in taken.shown_totals
        }
        lets = [let for let in taken.tenancies if let.at in places]
        units = [unit for unit in taken.units if unit.at in places]
        taken.rolls += bool(lets)
        is_whole = not any(
            question.blocks and question.at in places for question in taken.about_rows
        )
        for total in shown_totals(sheet, whole.factor, whole.sign, lets, units):
            taken.sheets_with_total[total.name] += bool(lets)
            taken.shown_totals[total.name] = taken.shown_totals.get(total.name, 0) + total.yen
            if is_whole and not total.is_read:
                facts = {"title": total.title, "shown": total.yen, "read": total.read_yen}
                taken.about_the_file.append(
                    Question("total_differs", column=total.title, facts=facts, sheet=sheet.key)
                )

    def _with_beside(self, row: LaidRow, building: str | None) -> LaidRow:
        """Return the row with the data of the same room from another sheet, such as its debts."""
        room = room_key(room_of(row))
        extra = self._beside.get(_key_of_room(building, room)) or self._beside.get(("", room))
        if extra is None:
            return row
        self._used_beside.add(extra.at)
        own = {head.meaning for head in row.heads}
        more = [
            (head, cell)
            for head, cell in zip(extra.heads, extra.cells, strict=True)
            if head.meaning is not None
            and (head.meaning not in own or (head.meaning in DEBTS and cell.strip()))
        ]
        heads = Heads((*row.heads, *(head for head, _ in more)))
        return replace(row, heads=heads, cells=(*row.cells, *(cell for _, cell in more)))

    def _read_beside(self) -> None:
        """Read the sheets without rents: debts or deposits of rooms in the roll."""
        rolls = self._rent_rolls
        for sheet in self._sheets:
            if sheet.is_roll and sheet not in rolls and sheet.key not in self._earlier:
                for row, building in self._with_building(sheet):
                    own = row.cell(Meaning.BUILDING).strip() or house_beside_room(row)
                    has_building = bool(own or row.heading)
                    key = _key_of_room(building if has_building else None, room_of(row))
                    if is_of_rent_steps(sheet):
                        continue
                    self._beside.setdefault(key, row)

    def _ask_about_unused(self) -> None:
        """Ask about the rows beside the rolls that belong to none of their rooms."""
        for sheet in self._sheets:
            is_beside = sheet.is_roll and sheet not in self._rent_rolls
            if not is_beside or sheet.key in self._earlier or is_of_rent_steps(sheet):
                continue
            for row in sheet.rows:
                if row.at not in self._used_beside and states_money(row):
                    head = row.head(Meaning.ROOM)
                    self._taken.about_rows.append(
                        Question(
                            "room_not_in_the_roll",
                            row.at,
                            head.title,
                            row.cell(Meaning.ROOM).strip(),
                            blocks=True,
                            meaning=Meaning.ROOM,
                            sheet=sheet.key,
                        )
                    )

    def _whole_of(self, sheet: LaidSheet) -> Whole:
        taken, facts = self._taken, self._facts[sheet.key]
        answered, found = self._instructions.days_of(sheet.file_name), taken.days[sheet.file_name]
        as_of = answered.as_of or facts.as_of or found.as_of or taken.read_on
        through = answered.billed_through or facts.billed_through or found.billed_through
        phones = [row.cell(Meaning.PHONE) for row in sheet.rows if row.cell(Meaning.PHONE)]
        # The most frequent common fee of each building, for vacant rooms without one.
        fees_of: dict[str, Counter[int]] = {}
        for row, building in self._with_building(sheet):
            amount = row.amount(Meaning.COMMON_FEE, facts.factor)
            if amount.stated is Stated.YEN and amount.yen > 0:
                fees_of.setdefault(building or "", Counter())[amount.yen] += 1
        usual_fees = {name: fees.most_common(1)[0][0] for name, fees in fees_of.items()}
        return Whole(
            as_of=as_of,
            billed_through=through or month_last(as_of),
            stated_billed_through=through,
            due=facts.due or DueRule(),
            factor=facts.factor,
            usual_fees=usual_fees,
            phones_lost_zero=len(phones) > 1 and all(telephone(phone)[1] for phone in phones),
            charged=self._charged,
            month=facts.month if is_of_a_month(sheet) else None,
            day_order=DayOrder.SERIAL_1904
            if sheet.grid.counts_from_1904
            else order_of_days(
                roll for roll in self._rent_rolls if roll.file_name == sheet.file_name
            ),
            read_on=taken.read_on,
            sign=sign_of_balance(sheet, facts.factor),
            marks=marks_of(sheet),
            debts_have_minus=debts_have_minus(sheet, facts.factor),
        )

    def _take_row(self, reading: RowReading, shown: Collection[Key]) -> None:
        """Take a row as a tenancy or a unit; `shown` are the rooms of its sheet's shown rows."""
        row, key = reading.row, _key_of_room(reading.building, reading.room)
        if row.fault is not None:
            reading.ask(row.fault.value, Meaning.ROOM, blocks=True)
            return
        if row.cell(Meaning.OWN_TERMS).strip():
            self._take_exported(reading)
            return
        reading.ask_about_broken_cells()
        if row.section is RollSection.FORMER:
            reading.ask("left_already", Meaning.NAME, blocks=reading.contradicts_former)
            return
        if reading.has_left and not begins_vacant(row.cell(Meaning.STATUS)):
            if row.is_hidden:
                self._taken.passed.append(Passed(row.at, "hidden row, moved out"))
            if not row.is_hidden or reading.owes_something:
                reading.ask_about_leaving()
        elif row.is_hidden and key in shown:
            # Take a hidden row whose room is in a shown one: an old one, or somebody still there.
            end = reading.whole_day(Meaning.END)
            is_over = end is not None and end < reading.whole.as_of and not reading.owes_something
            if reading.is_vacant or is_over:
                why = "hidden row; the room stands in a shown one"
                self._taken.passed.append(Passed(reading.row.at, why))
            else:
                reading.ask("hidden_row", Meaning.ROOM, blocks=True)
        elif not reading.room or is_parking_space(row) or reading.is_of_the_house:
            self._take_without_room(reading)
        else:
            self._take_room(key, reading)

    def _take_room(self, key: Key, reading: RowReading) -> None:
        row = reading.row
        reading.ask_about_the_room()
        if reading.is_owner_use:
            self._add_unit(key, ReadUnit(row.at, reading.building, reading.room, is_owner_use=True))
            reading.ask_about_the_owner()
        elif reading.is_vacant:
            self._add_unit(key, reading.vacant_unit())
        else:
            self._add_tenancy(key, reading)

    def _take_exported(self, reading: RowReading) -> None:
        """Take a contract of an export from its own cell; the other cells are for people."""
        row, room = reading.row, reading.row.cell(Meaning.ROOM).strip()
        cell = row.cell(Meaning.OWN_TERMS)
        if not room:
            reading.ask("room_missing", Meaning.ROOM, blocks=True)
            return
        try:
            found = exported_tenancy(row.at, reading.building, room, cell)
        except UnreadableTermsError:
            reading.ask("own_terms", Meaning.OWN_TERMS, about=cell[:80], blocks=True)
            return
        self._add_unit(
            _key_of_room(reading.building, room), ReadUnit(row.at, reading.building, room)
        )
        self._taken.tenancies.append(found)

    def _add_unit(self, key: Key, unit: ReadUnit) -> None:
        if key in self._units:
            return
        self._units[key] = unit
        self._taken.units.append(unit)

    def _add_tenancy(self, key: Key, reading: RowReading) -> None:
        found = reading.tenancy()
        for other in self._lets.get(key, []):
            if overlap(other, found):
                reading.ask("room_twice", Meaning.ROOM, blocks=True, facts={"other": other.at})
                break
            # Whether two tenancies of a room are of one person, so that they are one with a
            # changed rent.
            names = [building_key(let.people[0].name) for let in (other, found) if let.people]
            is_same_holder = len(names) == 2 and names[0] == names[1]
            if is_same_holder:
                reading.ask("tenancy_twice", Meaning.NAME, blocks=True, facts={"other": other.at})
                break
        known = self._units.get(key)
        if known is not None and known.is_vacant:
            known.is_vacant, known.asking_rent, known.fees = False, None, {}
        self._add_unit(key, ReadUnit(reading.row.at, reading.building, reading.room))
        self._lets.setdefault(key, []).append(found)
        self._last = found
        self._taken.tenancies.append(found)

    def _take_without_room(self, reading: RowReading) -> None:
        """Read a line without a room: a co-occupant of the room above, or a parking space."""
        row, last, name = reading.row, self._last, reading.name_cell
        is_named = bool(name) and not has_money(row) and not states_money(row)
        if not row.cell(Meaning.ROOM) and last is not None and is_named:
            kana = row.cell(Meaning.KANA)
            last.people += [
                person._replace(kana=person.kana or plain(kana) or None)
                for person in people_in(name)
            ]
            reading.ask(
                "two_people",
                Meaning.NAME,
                proposal=last.people[0].name,
                facts={"count": len(last.people)},
            )
            return
        is_space = is_parking_space(row) or is_parking(name)
        if not is_space:
            is_of_house = not name.strip() and not row.cell(Meaning.START)
            reading.ask(
                "whole_house" if is_of_house else "room_missing",
                reading.first_money if is_of_house else Meaning.ROOM,
                blocks=not is_of_house,
            )
            return
        holder = holder_of(self._taken, name) or (last if is_parking(name) else None)
        sums = (Meaning.PARKING, Meaning.RENT, Meaning.MONTHLY)
        of_space = next((price for price in sums if row.cell(price)), Meaning.RENT)
        amount = row.amount(of_space, reading.whole.factor)
        meaning = Meaning.ROOM if row.cell(Meaning.ROOM) else Meaning.NAME
        if holder is None or amount.stated is not Stated.YEN:
            who = name.strip() or "nobody"
            reading.ask("parking", meaning, blocks=bool(name.strip()), facts={"name": who})
            return
        fees = holder.fees
        fees[Meaning.PARKING.value] = fees.get(Meaning.PARKING.value, 0) + amount.yen
        proposal = {"parking": amount.yen, "room": holder.room}
        reading.ask("parking", meaning, proposal=proposal, facts={"name": holder.people[0].name})

    def _note_titles(self, sheet: LaidSheet, row: LaidRow) -> None:
        if row.has(Meaning.OWN_TERMS):
            return
        for head, cell in zip(row.heads, row.cells, strict=True):
            if head.meaning in FEES and head.meaning not in _KNOWN_FEES:
                amount = money(cell)
                if amount.stated is Stated.YEN and amount.yen > 0:
                    self._fee_titles.setdefault(head.title, sheet)


def _key_of_room(building: str | None, room: str) -> Key:
    return building_key(building or ""), room_key(room)
