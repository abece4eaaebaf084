"""Takes over what was read of a rent roll: houses, rooms, people, prices and opening entries, at once."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from pms.arrivals.bookings import writing_at_once
from pms.arrivals.catalogue_imports import CataloguePlan
from pms.arrivals.reservation_plan import ReservationPlan
from pms.arrivals.sheets.resident_rows import ResidentRow
from pms.arrivals.takeover.taken import ReadTenancy, ReadUnit, TakeOver
from pms.arrivals.taking_over import refuse_take_over, write_taken_over
from pms.catalogue.names import building_key, room_key
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.pricing.models import PeriodFee, PricePeriod
from pms.reservations.models import Reservation
from pms.rules.enumerations import (
    EsignStatus,
    FeeCategory,
    Locale,
    PaymentStatus,
    ReservationKind,
    TaxTreatment,
    UnitType,
)
from pms.rules.roll_heads import Meaning
from pms.rules.taking_over import OpeningDebt, TakenOver

CHUNK: Final = 500
_WORDS: Final = {
    Meaning.PARKING.value: ("駐車場", "Parking", TaxTreatment.TAXABLE_10),
    Meaning.NEIGHBOURHOOD.value: ("町会費", "Neighbourhood association", TaxTreatment.EXEMPT),
    Meaning.OTHER_FEE.value: ("その他月額", "Other monthly fees", TaxTreatment.EXEMPT),
    Meaning.GUEST_SURCHARGE.value: ("同居人追加料金", "Guest surcharge", TaxTreatment.EXEMPT),
}

Progress = Callable[[int, int], None]


class RefusedRow(NamedTuple):
    """A row that was not taken over, and why."""

    at: str
    house: str
    room: str
    name: str
    why: str


@dataclass(slots=True)
class TakeOverRun:
    """What a run wrote, and every row it left out."""

    units: int = 0
    tenancies: int = 0
    unchanged: int = 0
    deposit_held_yen: int = 0
    unpaid_yen: int = 0
    overpaid_yen: int = 0
    refused: list[RefusedRow] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Answers:
    """What the operator answers for the whole file: the last day billed, and the house's name."""

    billed_through_on: date | None = None
    building: str | None = None


def run_take_over(
    session: Session,
    clock: Clock,
    actor: str,
    read: TakeOver,
    *,
    answers: Answers | None = None,
    progress: Progress | None = None,
) -> TakeOverRun:
    """Write everything that needs no more answer in this transaction, and name what does.

    A row that blocks is left out; what was taken over before stays as it is, so that the same file
    may be run again once it is mended.
    """
    run = TakeOverRun()
    plan = _Plan(session, clock, read, answers or Answers(), run)
    with writing_at_once(session):
        plan.write_places(actor)
        found = plan.write_people(actor)
        done = 0
        for first in range(0, len(found), CHUNK):
            part = dict(list(found.items())[first : first + CHUNK])
            write_taken_over(session, clock, actor, part)
            done += len(part)
            if progress is not None:
                progress(done, len(found))
    for one in found.values():
        run.tenancies += 1
        run.deposit_held_yen += one.deposit_held_yen
        run.unpaid_yen += sum(debt.yen for debt in one.unpaid)
        run.overpaid_yen += one.overpaid_yen
    return run


class _Plan:
    """The rows of a file beside what is stored, until they are written."""

    def __init__(
        self, session: Session, clock: Clock, read: TakeOver, answers: Answers, run: TakeOverRun
    ) -> None:
        self._session, self._clock, self._read = session, clock, read
        self._answers, self._run = answers, run
        self._catalogue = CataloguePlan(session, clock.now())
        self._people = ReservationPlan(session, clock.now(), clock.today())
        self._blocked: dict[str, list[str]] = defaultdict(list)
        for question in read.about_rows:
            if question.blocks and question.at is not None:
                self._blocked[question.at].append(question.why)
        self._lets = {one.at: one for one in read.tenancies}

    def write_places(self, actor: str) -> None:
        """The houses and rooms that are new."""
        for unit in self._read.units:
            house = unit.building or self._answers.building
            if house is None:
                continue
            planned, _ = self._catalogue.building(building_key(house), house)
            key = (building_key(house), room_key(unit.room))
            room, is_new = self._catalogue.unit(key, unit.room, planned)
            if is_new:
                self._run.units += 1
                room.row |= self._facts(unit)
        self._catalogue.write(self._clock, actor)

    def _facts(self, unit: ReadUnit) -> dict[str, Any]:
        let = self._lets.get(unit.at)
        rent = unit.asking_rent if let is None else let.rent
        return {"type": UnitType.APARTMENT, "rent_yen": rent}

    def write_people(self, actor: str) -> dict[Reservation, TakenOver]:
        """The people who are new, with their prices; return everybody who is to be taken over."""
        ids: dict[str, ReadTenancy] = {}
        known: dict[str, Reservation] = {}
        self._refuse_rows_without_tenancy()
        for let in self._read.tenancies:
            why = self._why_not(let)
            if why:
                self._refuse(let, why)
                continue
            unit_id, stated = self._unit_id(let), _stated(let)
            stored = self._people.known(unit_id, stated)
            if stored is None:
                ids[self._people.add(unit_id, stated)] = let
            elif stored.taken_over_on is not None:
                self._run.unchanged += 1
            else:
                ids[stored.id], known[stored.id] = let, stored
        self._people.write(self._clock, actor)
        self._write_fees({id_: let for id_, let in ids.items() if id_ not in known})
        rows = known | {row.id: row for row in self._rows([i for i in ids if i not in known])}
        return dict(self._sound(rows, ids, known))

    def _sound(
        self,
        rows: Mapping[str, Reservation],
        ids: Mapping[str, ReadTenancy],
        known: Mapping[str, Reservation],
    ) -> Iterator[tuple[Reservation, TakenOver]]:
        for id_, let in ids.items():
            taken = self._taken(let)
            try:
                if id_ in known or taken.unpaid:
                    refuse_take_over(self._session, rows[id_], taken)
            except Refused as refusal:
                self._refuse(let, [refusal.message])
                continue
            yield rows[id_], taken

    def _rows(self, ids: Sequence[str]) -> Iterator[Reservation]:
        for first in range(0, len(ids), CHUNK):
            asked = select(Reservation).where(Reservation.id.in_(ids[first : first + CHUNK]))
            yield from self._session.scalars(asked)

    def _unit_id(self, let: ReadTenancy) -> str:
        house = let.building or self._answers.building or ""
        return self._catalogue.units[building_key(house), room_key(let.room)].id

    def _billed_through(self, let: ReadTenancy) -> date | None:
        return let.billed_through or self._answers.billed_through_on

    def _why_not(self, let: ReadTenancy) -> list[str]:
        why = list(self._blocked.get(let.at, ()))
        if (let.building or self._answers.building) is None:
            why.append("the house has no name: tell it")
        if self._billed_through(let) is None:
            why.append("through which day was it billed? Tell it for the whole file")
        if let.deposit_held is None and not why:
            why.append("how much deposit is held? The file does not say")
        return why

    def _refuse(self, let: ReadTenancy, why: Iterable[str]) -> None:
        name = let.people[0].name if let.people else ""
        row = RefusedRow(let.at, let.building or "", let.room, name, "; ".join(why))
        self._run.refused.append(row)

    def _refuse_rows_without_tenancy(self) -> None:
        """Rows that were read as no tenancy at all and block: nothing is lost without a word."""
        for at, why in self._blocked.items():
            if at not in self._lets:
                self._run.refused.append(RefusedRow(at, "", "", "", "; ".join(why)))

    def _taken(self, let: ReadTenancy) -> TakenOver:
        today = self._clock.today()
        through = self._billed_through(let) or today
        # A debt of which nobody knows when it was due is due from the day it came here.
        debts = tuple(OpeningDebt(debt.what, debt.yen, debt.due_on or today) for debt in let.unpaid)
        return TakenOver(today, through, let.deposit_held or 0, debts, let.overpaid)

    def _write_fees(self, ids: Mapping[str, ReadTenancy]) -> None:
        """Monthly fees that have no column of their own in a price, each with its name."""
        wanted = {id_: let for id_, let in ids.items() if _WORDS.keys() & let.fees.keys()}
        periods: dict[str, str] = {}
        names = list(wanted)
        for first in range(0, len(names), CHUNK):
            asked = select(PricePeriod.reservation_id, PricePeriod.id).where(
                PricePeriod.reservation_id.in_(names[first : first + CHUNK])
            )
            periods.update((id_, period_id) for id_, period_id in self._session.execute(asked))
        rows = [
            _fee(periods[id_], code, yen)
            for id_, let in wanted.items()
            for code, yen in let.fees.items()
            if code in _WORDS
        ]
        if rows:
            self._session.execute(insert(PeriodFee), rows)


def _fee(period_id: str, code: str, yen: int) -> dict[str, Any]:
    ja, en, tax = _WORDS[code]
    return {
        "period_id": period_id,
        "code": code,
        "label_ja": ja,
        "label_en": en,
        "category": FeeCategory.OTHER,
        "tax_treatment": tax,
        "amount_yen": yen,
    }


def _stated(let: ReadTenancy) -> ResidentRow:
    holder = let.people[0]
    fees = Counter(let.fees)
    return ResidentRow(
        kind=ReservationKind.RESIDENT,
        name=holder.name,
        name_kana=holder.kana,
        email=let.email,
        phone=let.phone,
        building=let.building or "",
        unit=let.room,
        move_in_date=let.start or date.min,
        contract_end_date=let.end,
        override_move_in_date=None,
        override_contract_end_date=None,
        arrival_date=None,
        move_out_date=None,
        rent_yen=let.rent,
        utilities_yen=fees[Meaning.UTILITIES.value],
        building_maintenance_yen=fees[Meaning.COMMON_FEE.value],
        deposit_yen=let.deposit,
        # What was agreed elsewhere is signed there; money is told by the opening entries.
        payment_status=PaymentStatus.PAID,
        esign_status=EsignStatus.SIGNED,
        co_occupants=tuple(person.name for person in let.people[1:]),
        locale=Locale.JA,
        note=let.note or None,
    )
