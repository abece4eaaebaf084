"""What was read of a rent roll: rooms, tenancies, questions, and their sums."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pms.arrivals.takeover.layout import LaidRow, Passed
from pms.arrivals.takeover.own_terms import OwnTerms
from pms.arrivals.takeover.questions import Question
from pms.rules.notices import FiledNotice
from pms.rules.roll_cells import Person
from pms.rules.roll_debts import Debt


@dataclass(slots=True)
class ReadUnit:
    """A room that the file names, vacant or not."""

    at: str
    building: str | None
    room: str
    is_vacant: bool = False
    is_owner_use: bool = False
    asking_rent: int | None = None
    fees: dict[str, int] = field(default_factory=dict)
    included: tuple[str, ...] = ()
    owner_name: str = ""
    """Who of the owner's side lives there; empty where the room is only kept from being let."""

    def shape(self) -> dict[str, Any]:
        """The room as a program reads it."""
        told: dict[str, Any] = {
            "at": self.at,
            "building": self.building,
            "room": self.room,
            "vacant": self.is_vacant,
        }
        if self.is_owner_use:
            told["ownerUse"] = True
        if self.is_vacant:
            told["askingRent"] = self.asking_rent
            if self.fees:
                told["fees"] = self.fees
            if self.included:
                told["includedFees"] = list(self.included)
        return told


@dataclass(slots=True)
class ReadTenancy:
    """A tenancy that runs or is coming, as the file tells it; None where it says nothing."""

    at: str
    building: str | None
    room: str
    people: list[Person]
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
    unpaid: tuple[Debt, ...] = ()
    overpaid: int = 0
    guarantor: str | None = None
    has_guarantor: bool = False
    note: str = ""
    free_until: date | None = None
    """The last day without rent, where somebody said that such days are left."""
    notice: FiledNotice | None = None
    """A move-out notice that somebody said was filed elsewhere."""
    shown_monthly: int | None = None
    """What the row itself sums a month, where it has such a column."""
    own: OwnTerms | None = None
    """What an export of this program says, exactly."""

    @property
    def monthly(self) -> int:
        """Rent and fees of a month."""
        return (self.rent or 0) + sum(self.fees.values())

    def shape(self, *, keeps_notes: bool = True) -> dict[str, Any]:
        """The tenancy as a program reads it; a note of nothing only where the file keeps notes."""
        told: dict[str, Any] = {
            "at": self.at,
            "building": self.building,
            "room": self.room,
            "people": [self._person(place) for place in range(len(self.people))],
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
            told["includedFees"] = list(self.included)
        if self.has_guarantor:
            told["guarantor"] = self.guarantor
        if self.note or keeps_notes:
            told["note"] = self.note
        return told

    def _person(self, place: int) -> dict[str, Any]:
        person = self.people[place]
        told: dict[str, Any] = {
            "name": person.name,
            "kana": person.kana,
            "role": "coOccupant" if place else "contractHolder",
        }
        if place == 0 and self.phone is not None:
            told["phone"] = self.phone
        if place == 0 and self.email is not None:
            told["email"] = self.email
        if person.is_company:
            told["company"] = True
        return told


@dataclass(slots=True)
class TakeOver:
    """Everything that was read of one file."""

    file: str
    read_on: date
    encoding: str
    as_of: date | None = None
    billed_through: date | None = None
    sheets: list[dict[str, Any]] = field(default_factory=list)
    units: list[ReadUnit] = field(default_factory=list)
    tenancies: list[ReadTenancy] = field(default_factory=list)
    about_the_file: list[Question] = field(default_factory=list)
    about_rows: list[Question] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)
    shown_totals: dict[str, int] = field(default_factory=dict)
    """What the sheets themselves sum, of rent, deposits and debts."""
    keeps_notes: bool = True
    """Whether every sheet has a column of remarks."""
    rows: dict[str, LaidRow] = field(default_factory=dict)
    """The rows as the sheets write them, by their places."""

    @property
    def totals(self) -> dict[str, int]:
        """The sums of what was read."""
        lets = self.tenancies
        return {
            "units": len(self.units),
            "tenancies": len(lets),
            "vacant": sum(unit.is_vacant for unit in self.units),
            "people": sum(len(one.people) for one in lets),
            "rent": sum(one.rent or 0 for one in lets),
            "fees": sum(sum(one.fees.values()) for one in lets),
            "monthly": sum(one.monthly for one in lets),
            "depositHeld": sum(one.deposit_held or 0 for one in lets),
            "unpaid": sum(debt.yen for one in lets for debt in one.unpaid),
            "overpaid": sum(one.overpaid for one in lets),
        }

    def shape(self) -> dict[str, Any]:
        """What was read, as a program reads it."""
        return {
            "file": self.file,
            "encoding": self.encoding,
            "readOn": self.read_on,
            "asOf": self.as_of,
            "billedThrough": self.billed_through,
            "sheets": self.sheets,
            "totals": self.totals,
            "shownTotals": self.shown_totals,
            "askAboutTheFile": [one.shape() for one in self.about_the_file],
            "askAboutRows": [one.shape() for one in self.about_rows],
            "passOver": [{"at": one.at, "why": one.why} for one in self.passed],
            "units": [unit.shape() for unit in self.units],
            "tenancies": [one.shape(keeps_notes=self.keeps_notes) for one in self.tenancies],
        }
