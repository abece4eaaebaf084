"""What was read of a rent roll: rooms, tenancies, their sums, and the questions about them."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from pms.arrivals.takeover.instructions import FileDays
from pms.arrivals.takeover.laid_rows import LaidRow, Passed
from pms.arrivals.takeover.own_terms import OwnTerms
from pms.arrivals.takeover.previews import SheetPreview
from pms.foundation.translations import deferred_texts, translate
from pms.rules.notices import FiledNotice
from pms.rules.roll_cells import PersonOfCell
from pms.rules.roll_debts import UnpaidAmount
from pms.rules.roll_heads import Meaning

WORDS: Final = deferred_texts(
    {
        "paid_behind": "Paid until {paid}. Were the months since then billed, and are they unpaid?",
        "month_unknown": "Which month is the column {title} of? Its marks are not read.",
        "deposit_differs": "{agreed:,} was agreed, and {held:,} is held. Is the amount held right?",
        "room_changes": "The remark mentions a move to another room. Nothing is booked for it. Book it after going live?",
        "broken_quotes": "The quotation marks of this row are broken. What are its values?",
        "too_many_cells": "This row has more cells than the header. Did a comma in an amount shift it?",
        "split_amount": "An amount of this row seems to be in two cells, divided at its comma. What are its values?",
        "too_few_cells": "This row has fewer cells than the header. Which one is missing?",
        "cell_error": "The spreadsheet has no value for this cell. What is it?",
        "room_changed": "The spreadsheet seems to have changed this room name. What is the room called?",
        "beds": "Is the bed a unit of its own, called {room}?",
        "two_columns": "{title} says {other}, and this column says {value}. Which one is right, or do both count?",
        "term_length": "The contract runs for {months} months. Does it end on {end}?",
        "term_differs": "The term says {start} to {end}, and the other columns say otherwise. Which one is right?",
        "open_ended": "No contract end is stated. Is the contract open-ended, or is the end missing?",
        "serial_day": "The number {value} is {day} if it counts days as a spreadsheet does. Is it that day?",
        "short_year": "The year has two digits. Is it {day}?",
        "code_unknown": "What does the code {value} mean?",
        "whole_house": "This row has an amount but no room. Is it for the whole building? It is not imported.",
        "room_not_in_the_roll": "This room is on no list of tenancies. Which tenancy does the amount belong to?",
        "tenancy_twice": "The same person rents this room in another row ({other}). Is it one contract with a changed rent?",
        "left_without_day": "The row says that the resident has moved out, but no day. Have they left, and when?",
        "left_owes": "The resident has moved out but {yen:,} is still open. Settle it here, or leave the contract out?",
        "rent_zero": "The rent is 0. Is that right, or is it missing?",
        "rent_differs": "The rent is {read:,} in one column and {shown:,} in the other",
        "kept_in_part": "A part of the deposit is kept at the end. Is {yen:,} held in full until then?",
        "billed_and_owed": "Paid until {paid}, and {yen:,} is unpaid. Was rent billed through {through}?",
        "pays_from_day_to_day": "Paid until {through}, which is not the end of a month. Is the next row the rest of that month?",
        "mark_of_free": "No rent was due for {months}. Is that right?",
        "no_names": "No column has the residents' names. Which one is it?",
        "column_without_title": "What does the column without a title mean? Its amounts are not imported.",
        "all_in_one": "{title} is one amount for everything. Bill it as rent, or split it?",
        "rent_from_total": "The file has no rent, only {title}. Is the rent that amount less the fees beside it?",
        "legend": "The file says: {value}. Is it so for {title}?",
        "codes": "The file says: {value}. Do the codes of {title} mean {codes}?",
        "balance_direction": "The file does not say which way {title} goes. Does a figure without a sign mean unpaid, or paid too much?",
        "sheet_is_old": "The file is of {as_of}. Were the months since then billed and paid elsewhere, or is there a newer file?",
        "nothing_read": "No tenancies were found in the file. Which row is the header, and what do its columns mean?",
        "rent_steps": "{name} lists how rents change, and no tenancies. It is not imported.",
        "sheet_not_read": "Nothing was read from {name}. Does it have tenancies, or what the others lack?",
        "hidden_sheet": "{name} is hidden in the workbook and was not read. Is it needed?",
        "cells_beside": "{count} cells are outside the tables that were read: {places}. Are they needed?",
        "as_of_and_billed": "The file does not say its date or the last month billed. Which are they?",
        "as_of": "The file has no date. On which day were these payments correct?",
        "billed_through": "The file only says {as_of}. Through which month was rent billed?",
        "house_without_name": "The file gives no name for the building. What is it called?",
        "new_fee": "{title} is not a fee here yet. Add it as a monthly fee?",
        "unknown_column": "What does the column {title} mean? Its amounts are not imported.",
        "no_deposits": "The file has no deposits. Are any held?",
        "total_differs": "The file's total of {title} is {shown:,}, but its rows add up to {read:,}. Is a row missing?",
        "counted_amount": "{yen:,}?",
        "not_an_amount": "This is not an amount",
        "no_starts": "The file does not say when contracts began. Enter one day for all, or add a file that has the days.",
        "day_or_month": "Which number is the day, and which is the month?",
        "minus_debt": "{yen:,} has a minus sign. Is it unpaid, or paid too much?",
        "carried_over": "{yen:,} was carried over. Is it still unpaid?",
        "hidden_row": "This row is hidden in the spreadsheet. Is the contract still running?",
        "same_name": "Does {name} rent this room too?",
        "vacant_with_name": "The room is marked vacant but names {name}. Is it vacant?",
        "part_month": "{yen:,} was paid for {months}, the first month. Was that the full amount?",
        "rent_changes": "The remark mentions another rent. Which one applies to the next bill?",
        "not_an_email": "This is not an email address that can be mailed",
        "not_a_day": "This is not a date",
        "room_missing": "The row has no room. Which room is it?",
        "rent_missing": "The row has no rent. How much is it?",
        "own_terms": "This cell was changed after the export. Export again, or leave it empty to use the other columns.",
        "start_missing": "The row has no start day. When did the contract begin?",
        "name_missing": "The row has no name. Who lives there?",
        "deposit_missing": "The file does not say how much deposit is held. How much is it?",
        "billed_missing": "The file does not say how far the rent was billed. Through which day?",
        "unpaid_not_billed": "The rent of a month after {through} is listed as unpaid, but was not billed yet",
        "room_taken": "Another reservation has the room from {first}",
        "renewal_is_end": "Does the contract end on the next renewal day?",
        "rent_small": "The rent is only {yen:,} yen. Is it in thousands, or did the row shift?",
        "fee_small": "A monthly fee is only {amounts} yen. Is it in thousands, or did the row shift?",
        "fee_large": "A monthly fee of {amounts} yen is more than the rent of {rent:,} yen. Is that right?",
        "deposit_small": "The deposit is only {yen:,} yen. Is it in thousands, or did the row shift?",
        "deposit_large": "The deposit of {yen:,} yen is more than six months of rent. Is that right?",
        "not_joined": "{name} has this room here already, and the contract is over or was billed here. It cannot be taken over.",
        "end_before_start": "The end {end} is before the start {start}",
        "room_twice": "The room is in the file twice, here and at {other}. Which one is right?",
        "two_rooms": "Are these {count} rooms on one contract: {room}?",
        "parking": "This is a parking space. Is it a fee for {name}, or a unit of its own?",
        "deposit_unknown": "A deposit is held. How much is it?",
        "deposit_of_which_rent": "Are the months counted in today's rent of {rent:,}, or in the rent of {year} ({old:,} in {title})?",
        "rent_includes_fee": "The common fee is included in the rent. Charge no separate fee?",
        "sum_differs": "Rent and fees add up to {read:,}, but the row's total is {shown:,}",
        "owner_use": "The owner uses this room. Add an owner resident, or block the room?",
        "company": "A company holds this contract. Who lives in the room?",
        "two_people": "{count} people are named. Does the first one hold the contract?",
        "two_people_surcharge": "{count} people are named. Does the first one hold the contract, and is {extra:,} a surcharge for the second?",
        "lost_zero": "The first zero is missing. Is the number {phone}?",
        "one_month": "This is one month's total. Is it for {months}?",
        "so_many_months": "This is the total of {count} months. Is it for {months}?",
        "months_of_the_remark": "The amount is in its column, but the months are only in the remark. Are they {months}?",
        "months_without_amount": "These months have no amount. Are they {months}?",
        "one_sum_of_some_months": "This is one total for several months ({months}). How much is for each?",
        "not_rent": "This debt is not rent ({what}). When is it due?",
        "months_not_told": "The file does not say what is unpaid. What is it, and when is it due?",
        "not_yet_due": "Due on {due}, after the date of the file. Is it unpaid, or not due yet?",
        "oldest_first": "If payments go to the oldest month first, {months} is unpaid. Is that right?",
        "remark_alone": "Only the remark says that {months} is unpaid. Is that right?",
        "mark_unclear": "What does this mark mean? How much of {months} is unpaid?",
        "month_unmarked": "{months} has no mark. Was it paid?",
        "paid_ahead": "{yen:,} was paid ahead. Keep it as an overpayment for the next bill, or was one more month billed?",
        "starts_later": "The contract starts after the date of the file. Was the move-in invoice sent elsewhere, and through which day?",
        "starts_later_paid": "The contract starts after the date of the file and the move-in costs are paid. Through which day?",
        "made_again": "A new contract was signed, but its dates are not in the file",
        "automatic_renewal": "Ended on {end} and renewed automatically. Until when, or is it month to month now?",
        "term_over": "Ended on {end}. Is it month to month now, or renewed until when?",
        "term_ends_soon": "Ends on {end}, but later days are billed. Is it month to month, or renewed until when?",
        "renewed_on": "Renewed on {renewed}. Keep {start} as the start of the contract?",
        "not_made_again": "No new contract. Does the resident move out on {end}? No notice is filed.",
        "notice_in_remark": "A remark does not count as a notice. File one?",
        "free_rent": "There are months without rent. Enter them as a full discount until that day?",
        "free_rent_over": "The rent-free months ended on {until}. Is nothing left to carry over?",
        "paid_late": "Something was paid late. Is everything paid now?",
        "guarantor_pays": "The guarantor was asked to pay. Does the resident still owe it?",
        "left_already": "The resident has moved out. Skip this contract?",
    }
)


@dataclass(frozen=True, slots=True)
class Question:
    """One question, about a row and a column of it, or about the whole file."""

    code: str
    at: str | None = None
    column: str | None = None
    value: str = ""
    proposal: Any = None
    blocks: bool = False
    facts: dict[str, Any] = field(default_factory=dict)
    meaning: Meaning | None = None
    """The meaning of the column that the question is about."""
    sheet: str | None = None
    """The key of the sheet that the question is about."""
    column_place: int | None = None
    """The column from 0 that a question about a whole column is about."""
    file: str = ""
    """The file whose days are asked."""
    is_file_named: bool = False
    """Whether the words begin with the name of the file, as where there are several."""

    def in_language(self, language: str) -> str:
        """Return the question in the reader's language."""
        text = translate(WORDS[self.code], language, **{"value": self.value, **self.facts})
        if not self.is_file_named:
            return text
        return translate("{file}: {text}", language, file=self.file, text=text)

    @property
    def why(self) -> str:
        """The question in English."""
        return self.in_language("en")

    def shape(self) -> dict[str, Any]:
        """Return the question as JSON data."""
        facts: dict[str, Any] = {}
        if self.at is not None:
            facts = {"at": self.at, "column": self.column, "value": self.value}
        facts["why"] = self.why
        if self.proposal is not None:
            facts["proposal"] = self.proposal
        facts["blocks"] = self.blocks
        return facts

    def place_shape(self) -> dict[str, Any]:
        """Return the question with its whole place as JSON data, for a program that judges it."""
        sheet = None if self.sheet is None else self.sheet.rpartition("/")[2]
        cell = None if self.at is None else self.at.rpartition("!")[2].rpartition(" / ")[2]
        return {
            "code": self.code,
            "at": self.at,
            "sheet": sheet,
            "cell": cell,
            "column": self.column,
            "value": self.value,
            "words": self.why,
            "proposal": self.proposal,
            "blocks": self.blocks,
        }


@dataclass(slots=True)
class ReadUnit:
    """A room named in the file, vacant or not."""

    at: str
    building: str | None
    room: str
    is_vacant: bool = False
    is_owner_use: bool = False
    asking_rent: int | None = None
    fees: dict[str, int] = field(default_factory=dict)
    included: tuple[str, ...] = ()
    owner_name: str = ""
    """The person of the owner's side who lives there; empty when the room is only blocked."""

    def shape(self) -> dict[str, Any]:
        """Return the room as JSON data."""
        facts: dict[str, Any] = {
            "at": self.at,
            "building": self.building,
            "room": self.room,
            "vacant": self.is_vacant,
        }
        if self.is_owner_use:
            facts["ownerUse"] = True
        if self.is_vacant:
            facts["askingRent"] = self.asking_rent
            if self.fees:
                facts["fees"] = self.fees
            if self.included:
                facts["includedFees"] = list(self.included)
        return facts


@dataclass(slots=True)
class ReadTenancy:
    """A running or future tenancy as the file states it; None where it does not say."""

    at: str
    building: str | None
    room: str
    people: list[PersonOfCell]
    phone: str | None = None
    email: str | None = None
    start: date | None = None
    end: date | None = None
    rent: int | None = None
    fees: dict[str, int] = field(default_factory=dict)
    included: tuple[str, ...] = ()
    deposit: int | None = None
    deposit_held: int | None = None
    billed_through: date | None = None
    unpaid: tuple[UnpaidAmount, ...] = ()
    overpaid: int = 0
    guarantor: str | None = None
    has_guarantor: bool = False
    note: str = ""
    free_until: date | None = None
    """The last rent-free day, where an answer states that some are left."""
    notice: FiledNotice | None = None
    """A move-out notice filed elsewhere, as stated in an answer."""
    shown_monthly: int | None = None
    """The monthly sum in the row itself, where it has such a column."""
    own: OwnTerms | None = None
    """The exact terms from an export of this program."""

    @property
    def monthly(self) -> int:
        """The rent and fees of a month."""
        return (self.rent or 0) + sum(self.fees.values())

    def shape(self, *, keeps_notes: bool = True) -> dict[str, Any]:
        """Return the tenancy as JSON data; an empty note only where the file has notes."""
        facts: dict[str, Any] = {
            "at": self.at,
            "building": self.building,
            "room": self.room,
            "people": [self._person_shape(place) for place in range(len(self.people))],
            "start": self.start,
            "end": self.end,
            "rent": self.rent,
            "fees": self.fees,
            "deposit": self.deposit,
            "depositHeld": self.deposit_held,
            "billedThrough": self.billed_through,
            "unpaid": [
                {"for": debt.what, "amount": debt.yen, "dueOn": debt.due_on} for debt in self.unpaid
            ],
            "overpaid": self.overpaid,
        }
        if self.included:
            facts["includedFees"] = list(self.included)
        if self.has_guarantor:
            facts["guarantor"] = self.guarantor
        if self.note or keeps_notes:
            facts["note"] = self.note
        return facts

    def _person_shape(self, place: int) -> dict[str, Any]:
        person = self.people[place]
        facts: dict[str, Any] = {
            "name": person.name,
            "kana": person.kana,
            "role": "coOccupant" if place else "contractHolder",
        }
        if place == 0 and self.phone is not None:
            facts["phone"] = self.phone
        if place == 0 and self.email is not None:
            facts["email"] = self.email
        if person.is_company:
            facts["company"] = True
        return facts


def overlap(tenancy: ReadTenancy, other: ReadTenancy) -> bool:
    """Whether two tenancies of a room overlap."""
    first, second = sorted((tenancy, other), key=lambda found: found.start or date.min)
    return first.end is None or second.start is None or second.start <= first.end


@dataclass(slots=True)
class TakeOver:
    """Everything that was read of one file."""

    file: str
    read_on: date
    encoding: str
    days: dict[str, FileDays] = field(default_factory=dict)
    """The days of each file with tenancies, by its name."""
    sheets: list[dict[str, Any]] = field(default_factory=list)
    units: list[ReadUnit] = field(default_factory=list)
    tenancies: list[ReadTenancy] = field(default_factory=list)
    about_the_file: list[Question] = field(default_factory=list)
    about_rows: list[Question] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)
    shown_totals: dict[str, int] = field(default_factory=dict)
    """The sums in the sheets themselves, of rent, deposits and debts."""
    factors: dict[str, int] = field(default_factory=dict)
    """The yen that a 1 in a row is, by place, where its sheet counts in thousands or more."""
    lacks_starts: bool = False
    """Whether a sheet has no column for the start of a tenancy."""
    rolls: int = 0
    """The number of sheets with tenancies."""
    sheets_with_total: Counter[str] = field(default_factory=Counter)
    """How many of these sheets show a sum of rents, deposits or debts, by the name of the sum."""
    keeps_notes: bool = True
    """Whether every sheet has a column of remarks."""
    previews: list[SheetPreview] = field(default_factory=list)
    """Every sheet of every file, those too of which nothing was read."""
    rows: dict[str, LaidRow] = field(default_factory=dict)
    """The rows as the sheets write them, by their places."""
    readings: dict[str, str] = field(default_factory=dict)
    """The readings of buildings that a person gave, by the keys of their names."""

    @property
    def as_of(self) -> date | None:
        """The day that all files are of; None where it is not known, or differs."""
        found = {days.as_of for days in self.days.values()}
        return found.pop() if len(found) == 1 else None

    @property
    def billed_through(self) -> date | None:
        """The last day billed of all files; None where it is not known, or differs."""
        found = {days.billed_through for days in self.days.values()}
        return found.pop() if len(found) == 1 else None

    @property
    def whole_totals(self) -> dict[str, int]:
        """The sheets' sums of everything, without sums that only some of the rolls show."""
        return {
            name: yen
            for name, yen in self.shown_totals.items()
            if self.sheets_with_total[name] in (0, self.rolls)
        }

    @property
    def totals(self) -> dict[str, int]:
        """The sums of what was read."""
        lets = self.tenancies
        return {
            "units": len(self.units),
            "tenancies": len(lets),
            "vacant": sum(unit.is_vacant for unit in self.units),
            "people": sum(len(let.people) for let in lets),
            "rent": sum(let.rent or 0 for let in lets),
            "fees": sum(sum(let.fees.values()) for let in lets),
            "monthly": sum(let.monthly for let in lets),
            "depositHeld": sum(let.deposit_held or 0 for let in lets),
            "unpaid": sum(debt.yen for let in lets for debt in let.unpaid),
            "overpaid": sum(let.overpaid for let in lets),
        }

    def shape(self) -> dict[str, Any]:
        """Return what was read as JSON data."""
        return {
            "file": self.file,
            "encoding": self.encoding,
            "readOn": self.read_on,
            "asOf": self.as_of,
            "billedThrough": self.billed_through,
            "sheets": self.sheets,
            "totals": self.totals,
            "shownTotals": self.shown_totals,
            "questions": [
                question.place_shape() for question in (*self.about_the_file, *self.about_rows)
            ],
            "columns": [preview.shape() for preview in self.previews],
            "askAboutTheFile": [question.shape() for question in self.about_the_file],
            "askAboutRows": [question.shape() for question in self.about_rows],
            "passOver": [{"at": row.at, "why": row.why} for row in self.passed],
            "units": [unit.shape() for unit in self.units],
            "tenancies": [let.shape(keeps_notes=self.keeps_notes) for let in self.tenancies],
        }
