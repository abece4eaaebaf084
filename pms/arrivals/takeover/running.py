"""Writes what was read of a rent roll: buildings, rooms, people, prices and opening entries."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from pms.arrivals.booking_checks import check_nights
from pms.arrivals.bookings import writing_at_once
from pms.arrivals.catalogue_imports import CataloguePlan
from pms.arrivals.reservation_plan import ReservationPlan
from pms.arrivals.takeover.already_here import HeldRooms, room_taken
from pms.arrivals.takeover.answered import has_unbilled_debt
from pms.arrivals.takeover.own_writing import (
    FEE_LABELS,
    period_fee,
    resident_of_owner,
    resident_of_tenancy,
)
from pms.arrivals.takeover.taken import ReadTenancy, TakeOver
from pms.arrivals.takeover.whole_file import tells_start
from pms.arrivals.takeover.written_terms import write_own_terms
from pms.arrivals.taking_over import file_notices_given_before, refuse_take_over, write_taken_over
from pms.catalogue.blocks import add_block
from pms.catalogue.models import ExternalBlock
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.pricing.models import PeriodFee, PricePeriod
from pms.reservations.models import Reservation
from pms.rules.contract_dates import ContractTerm
from pms.rules.days import ONE_DAY
from pms.rules.enumerations import (
    BlockSource,
    UnitType,
)
from pms.rules.notices import FiledNotice
from pms.rules.room_names import building_key, room_key
from pms.rules.taking_over import OpeningDebt, TakenOver
from pms.upkeep.turnovers import tend_turnovers
from pms.workspaces.queries import policy

CHUNK: Final = 500


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
    """What a run wrote, and every row that it left out."""

    units: int = 0
    tenancies: int = 0
    owners: int = 0
    """Rooms of owners: owner residents, and rooms blocked from letting."""
    unchanged: int = 0
    deposit_held_yen: int = 0
    unpaid_yen: int = 0
    overpaid_yen: int = 0
    refused: list[RefusedRow] = field(default_factory=list)
    made: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """The ids of the rows written, by table, for undoing; `joined` reservations existed before."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The operator's answers for the whole file: the last day billed and the building's name."""

    billed_through_on: date | None = None
    building: str | None = None
    start_on: date | None = None
    """The start of the tenancies where no sheet has a column for it."""


def run_take_over(
    work: Work, read: TakeOver, *, answers: Answers | None = None, progress: Progress | None = None
) -> TakeOverRun:
    """Write in this transaction all that needs no answer, and report the rows that do.

    A blocked row is left out. What was taken over before stays as it is, so that the same file can
    be run again after a correction.
    """
    run = TakeOverRun()
    plan = _Plan(work.session, work.clock, read, answers or Answers(), run)
    with writing_at_once(work.session):
        plan.write_places(work.actor)
        found = plan.write_people(work.actor)
        done = 0
        for first in range(0, len(found), CHUNK):
            part = dict(list(found.items())[first : first + CHUNK])
            write_taken_over(work, part)
            done += len(part)
            if progress is not None:
                progress(done, len(found))
        file_notices_given_before(work, plan.notices)
        plan.write_owners_rooms(work.actor)
    tend_turnovers(work.session, plan.units_with_other_nights())
    for row in found.values():
        run.tenancies += 1
        run.deposit_held_yen += row.deposit_held_yen
        run.unpaid_yen += sum(debt.yen for debt in row.unpaid)
        run.overpaid_yen += row.overpaid_yen
    return run


class _Plan:
    """The rows of a file compared with what is stored, until they are written."""

    def __init__(
        self, session: Session, clock: Clock, read: TakeOver, answers: Answers, run: TakeOverRun
    ) -> None:
        self._session, self._clock, self._read = session, clock, read
        self._answers, self._run = answers, run
        self._catalogue = CataloguePlan(session, clock.now())
        self._people = ReservationPlan(session, clock.now(), clock.today())
        self._figures = policy(session)
        self._held = HeldRooms(self._people.by_unit, clock.today(), self._figures)
        self._blocked: dict[str, list[str]] = defaultdict(list)
        for question in read.about_rows:
            if question.blocks and question.at is not None:
                self._blocked[question.at].append(question.why)
        for let in read.tenancies:
            row = read.rows.get(let.at)
            if row is not None and not tells_start(row):
                let.start = let.start or answers.start_on
        self._lets = {let.at: let for let in read.tenancies}
        self._of_id: dict[str, ReadTenancy] = {}
        self.notices: dict[Reservation, FiledNotice] = {}

    def write_places(self, actor: str) -> None:
        """Write the new buildings and rooms."""
        for unit in self._read.units:
            house = unit.building or self._answers.building
            if house is None or not unit.room:
                continue
            name = building_key(house)
            planned, is_new = self._catalogue.building(name, house, self._read.readings.get(name))
            if is_new:
                self._run.made["building"].append(planned.id)
            room, is_new = self._catalogue.unit((name, room_key(unit.room)), unit.room, planned)
            if is_new:
                self._run.units += 1
                self._run.made["unit"].append(room.id)
                let = self._lets.get(unit.at)
                rent = unit.asking_rent if let is None else let.rent
                room.row |= {"type": UnitType.APARTMENT, "rent_yen": rent}
        self._catalogue.write(self._clock, actor)

    def units_with_other_nights(self) -> set[str]:
        """Return the units of new reservations and of notices that were taken over."""
        noted = {row.unit_id for row in self.notices}
        return self._people.units_with_other_nights() | noted

    def write_owners_rooms(self, actor: str) -> None:
        """Block the rooms that owners use, unless such a block exists already."""
        today = self._clock.today()
        for unit in self._read.units:
            unit_id = self._unit_id(unit.building, unit.room)
            if not unit.is_owner_use or unit.owner_name or unit_id is None:
                continue
            held = select(ExternalBlock.id).where(
                ExternalBlock.unit_id == unit_id, ExternalBlock.source == BlockSource.OWNER_USE
            )
            if self._session.scalar(held.limit(1)) is None:
                block_id = add_block(
                    Work(self._session, self._clock, actor),
                    unit_id=unit_id,
                    source=BlockSource.OWNER_USE,
                    first_on=today,
                )
                self._run.owners += 1
                self._run.made["external_block"].append(block_id)

    def write_people(self, actor: str) -> dict[Reservation, TakenOver]:
        """Write the new people with their prices; return all reservations to be taken over."""
        known: dict[str, Reservation] = {}
        ids = self._of_id
        # Refuse blocked rows that were read as no tenancy, so that none is lost silently.
        for at, tenancy_why in self._blocked.items():
            if at not in self._lets:
                self._run.refused.append(RefusedRow(at, "", "", "", "; ".join(tenancy_why)))
        for let in self._read.tenancies:
            why = self._why_not(let)
            unit_id = self._unit_id(let.building, let.room)
            if why or unit_id is None:
                self._refuse_tenancy(
                    let, why or ["The building has no name. Enter one for the file."]
                )
                continue
            stated = resident_of_tenancy(let)
            try:
                check_nights(
                    stated.kind,
                    ContractTerm(stated.start_on, stated.move_out_date or stated.end_on),
                    self._figures,
                )
            except Refused as refusal:
                self._refuse_tenancy(let, [refusal.message])
                continue
            stored = self._people.find_restated_reservation(unit_id, stated)
            if stored is None:
                other = self._held.take(unit_id, stated, let)
                if other is not None:
                    self._refuse_tenancy(let, [room_taken(let.at, other.first_on).why])
                    continue
                ids[self._people.add(unit_id, stated)] = let
            elif stored.taken_over_on is not None:
                self._run.unchanged += 1
            else:
                ids[stored.id], known[stored.id] = let, stored
        owners = self._add_owners()
        self._people.write(self._clock, actor)
        new = {id_: let for id_, let in ids.items() if id_ not in known}
        self._run.made["reservation"] += [*new, *owners]
        self._run.made["joined"] += known
        self._write_prices(new)
        own = {id_: let.own for id_, let in new.items() if let.own}
        write_own_terms(Work(self._session, self._clock, actor), own)
        rows = known | {row.id: row for row in self._read_reservations(list(new))}
        return dict(self._list_acceptable_rows(rows, ids, known))

    def _add_owners(self) -> list[str]:
        """Plan owner residents for the persons of an owner's side who live in a room."""
        found = []
        for unit in self._read.units:
            unit_id = self._unit_id(unit.building, unit.room)
            if not unit.owner_name or unit_id is None or self._people.by_unit.get(unit_id):
                continue
            found.append(self._people.add(unit_id, resident_of_owner(unit, self._clock.today())))
            self._run.owners += 1
        return found

    def _list_acceptable_rows(
        self,
        rows: Mapping[str, Reservation],
        ids: Mapping[str, ReadTenancy],
        known: Mapping[str, Reservation],
    ) -> Iterator[tuple[Reservation, TakenOver]]:
        for id_, let in ids.items():
            today = self._clock.today()
            through = self._billed_through(let) or today
            # A debt without a known due day is due on the day of the take-over.
            debts = tuple(
                OpeningDebt(debt.what, debt.yen, debt.due_on or today) for debt in let.unpaid
            )
            taken = TakenOver(today, through, let.deposit_held or 0, debts, let.overpaid)
            try:
                if id_ in known:
                    refuse_take_over(self._session, rows[id_], taken)
            except Refused as refusal:
                self._refuse_tenancy(let, [refusal.message])
                continue
            notice = let.own.notice if let.own else let.notice
            if notice is not None and (let.own is None or id_ not in known):
                self.notices[rows[id_]] = notice
            yield rows[id_], taken

    def _read_reservations(self, ids: Sequence[str]) -> Iterator[Reservation]:
        for first in range(0, len(ids), CHUNK):
            asked = select(Reservation).where(Reservation.id.in_(ids[first : first + CHUNK]))
            yield from self._session.scalars(asked)

    def _unit_id(self, building: str | None, room: str) -> str | None:
        house = building or self._answers.building or ""
        found = self._catalogue.units.get((building_key(house), room_key(room)))
        return None if found is None else found.id

    def _billed_through(self, let: ReadTenancy) -> date | None:
        return let.billed_through or self._answers.billed_through_on

    def _why_not(self, let: ReadTenancy) -> list[str]:
        why = list(self._blocked.get(let.at, ()))
        if (let.building or self._answers.building) is None:
            why.append("The building has no name. Enter one for the file.")
        if let.start is None and let.own is None and not why:
            why.append("When did the contract begin? Enter one day for the whole file.")
        if self._billed_through(let) is None:
            why.append("through which day was it billed? Tell it for the whole file")
        elif not why and has_unbilled_debt(let, self._billed_through(let)):
            why.append("rent of a month after the last day billed is told as unpaid")
        if let.deposit_held is None and not why:
            why.append("how much deposit is held? The file does not say")
        return why

    def _refuse_tenancy(self, let: ReadTenancy, why: Iterable[str]) -> None:
        name = let.people[0].name if let.people else ""
        row = RefusedRow(let.at, let.building or "", let.room, name, "; ".join(why))
        self._run.refused.append(row)

    def _write_prices(self, new: Mapping[str, ReadTenancy]) -> None:
        """Write rent-free days that remain, and the workspace's own fees, of new prices."""
        wanted = {
            id_: let
            for id_, let in new.items()
            if let.own is None
            and (FEE_LABELS.keys() & let.fees.keys() or _free_until(let) is not None)
        }
        periods: list[PricePeriod] = []
        names = list(wanted)
        for first in range(0, len(names), CHUNK):
            asked = select(PricePeriod).where(
                PricePeriod.reservation_id.in_(names[first : first + CHUNK])
            )
            periods += self._session.scalars(asked)
        fees: list[dict[str, Any]] = []
        for period in periods:
            let = wanted[period.reservation_id]
            ids = [period.id, *self._free_first(period, _free_until(let))]
            fees += [
                period_fee(id_, code, yen)
                for id_ in ids
                for code, yen in let.fees.items()
                if code in FEE_LABELS
            ]
        self._session.flush()
        if fees:
            self._session.execute(insert(PeriodFee), fees)

    def _free_first(self, period: PricePeriod, until: date | None) -> Iterator[str]:
        """Make a period rent-free through a day, and begin the agreed rent on the next day."""
        if until is None or until < period.first_on:
            return
        agreed = PricePeriod(
            id=new_id(),
            reservation_id=period.reservation_id,
            first_on=until + ONE_DAY,
            last_on=None,
            base_rent_yen=period.base_rent_yen,
            utilities_yen=period.utilities_yen,
            building_maintenance_yen=period.building_maintenance_yen,
            short_term_surcharge_yen=period.short_term_surcharge_yen,
            guest_surcharge_yen=period.guest_surcharge_yen,
        )
        period.base_rent_yen, period.last_on = 0, until
        self._session.add(agreed)
        yield agreed.id


def _free_until(let: ReadTenancy) -> date | None:
    """Return the last rent-free day, when there are rent-free days still to be billed."""
    through = let.billed_through
    is_left = let.free_until is not None and (through is None or through < let.free_until)
    return let.free_until if is_left else None
