"""What a workspace has already of the rows of a take-over: its tenancies, and the rooms they hold."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.models import Takeover, TakeoverFile
from pms.arrivals.reservation_plan import ReservationPlan
from pms.arrivals.sheets.listed_rows import ResidentRow
from pms.arrivals.takeover.answered import PreparedRow, PreparedRows, RowQuestion, RowRelation
from pms.arrivals.takeover.fields_of_meaning import fields_of
from pms.arrivals.takeover.own_writing import resident_of_tenancy
from pms.arrivals.takeover.taken import Question, ReadTenancy
from pms.arrivals.taking_over import refuse_take_over
from pms.catalogue.models import Building, Unit
from pms.catalogue.romanising import has_kanji
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.prepared import one_of
from pms.reservations.changes import stay_of
from pms.reservations.models import Reservation
from pms.rules.enumerations import TakeoverState
from pms.rules.policy import Policy
from pms.rules.room_names import building_key, room_key
from pms.rules.search_text import fold
from pms.rules.taking_over import TakenOver
from pms.rules.unit_stays import Span, Stay, overlaps, span_of
from pms.workspaces.queries import policy


def earlier_take_overs(session: Session, row: Takeover) -> dict[str, Takeover]:
    """Return, by the name of a file of this guide, the newest other guide with the same bytes."""
    own = {
        file.file_key: file.name
        for file in session.scalars(select(TakeoverFile).where(TakeoverFile.takeover_id == row.id))
    }
    asked = (
        select(TakeoverFile.file_key, Takeover)
        .join(Takeover, Takeover.id == TakeoverFile.takeover_id)
        .where(
            TakeoverFile.file_key.in_(own),
            Takeover.id != row.id,
            Takeover.state.in_((TakeoverState.OPEN, TakeoverState.LIVE)),
        )
        .order_by(Takeover.started_at)
    )
    return {own[key]: other for key, other in session.execute(asked)}


def compare_with_workspace(session: Session, clock: Clock, prepared: PreparedRows) -> None:
    """Set what each row is to the workspace, and ask about rows whose room somebody else holds.

    A tenancy that was taken over before stays as it is: nothing is asked about its row any more.
    """
    building_ids = dict(session.execute(select(Building.name_key, Building.id)).all())
    unit_ids = _find_units(session, prepared.rows, building_ids)
    for row in prepared.rows:
        row.is_new_room = row.unit is not None and unit_ids[row.at] is None
    new = (row.values["building"] for row in prepared.rows if row.is_new_room)
    prepared.unread_names = [
        name
        for name in dict.fromkeys(new)
        if has_kanji(name) and building_key(name) not in building_ids
    ]
    units = {id_ for id_ in unit_ids.values() if id_ is not None}
    people = ReservationPlan(session, clock.now(), clock.today(), units)
    held = HeldRooms(people.by_unit, clock.today(), policy(session))
    for row in prepared.rows:
        let, unit_id = row.let, unit_ids[row.at]
        if let is None or not let.people:
            continue
        stated = resident_of_tenancy(let)
        stored = _find_stored(people, unit_id, stated, let)
        if stored is not None:
            row.reservation_id = stored.id
            if stored.taken_over_on is not None:
                row.standing = RowRelation.TAKEN_OVER
                row.questions = []
                continue
            row.standing = RowRelation.JOINED
            if row.is_waiting or row.let is None or row.let.billed_through is None:
                continue
            taken = TakenOver(clock.today(), row.let.billed_through, row.let.deposit_held or 0)
            try:
                refuse_take_over(session, stored, taken)
            except Refused:
                _add_question(
                    row, Question("not_joined", row.at, blocks=True, facts={"name": stored.name})
                )
        elif let.start is not None and not row.is_waiting:
            place = f"{building_key(row.values['building'])}\n{room_key(row.values['room'])}"
            other = held.take(unit_id or place, stated, let)
            if other is not None:
                _add_question(row, room_taken(row.at, other.first_on))


def _find_units(
    session: Session, rows: Iterable[PreparedRow], building_ids: Mapping[str, str]
) -> Mapping[str, str | None]:
    """Return the unit of each row that the workspace has already, by the row's place."""
    named = {
        row.at: (building_ids.get(building_key(row.values["building"])), row.values["room"])
        for row in rows
    }
    buildings = {building_id for building_id, _ in named.values() if building_id is not None}
    units = session.execute(
        select(Unit.building_id, Unit.name_key, Unit.id).where(one_of(Unit.building_id, buildings))
    )
    known = {(building_id, key): id_ for building_id, key, id_ in units}
    return {
        at: known.get((building_id, room_key(room))) if building_id is not None else None
        for at, (building_id, room) in named.items()
    }


def _find_stored(
    people: ReservationPlan, unit_id: str | None, stated: ResidentRow, let: ReadTenancy
) -> Reservation | None:
    """Return the reservation that a row restates; without a start, one taken over for the person."""
    if unit_id is None:
        return None
    if let.start is not None or let.own is not None:
        return people.find_restated_reservation(unit_id, stated)
    return next(
        (
            stored
            for stored in people.by_unit.get(unit_id, ())
            if stored.taken_over_on is not None and fold(stored.name) == fold(stated.name)
        ),
        None,
    )


def _add_question(row: PreparedRow, question: Question) -> None:
    row.questions.append(RowQuestion(question, True, fields_of(question.code, None)))


class HeldRooms:
    """The nights for which rooms are taken, by stored reservations and by accepted rows."""

    def __init__(
        self, stored: Mapping[str, Sequence[Reservation]], today: date, figures: Policy
    ) -> None:
        self._stored, self._today, self._figures = stored, today, figures
        self._spans: dict[str, list[Span]] = {}

    def take(self, room: str, stated: ResidentRow, let: ReadTenancy) -> Span | None:
        """Return the conflicting stay, or None once the row's nights are taken.

        `room` is the id of the unit, or any other key for a room that is not stored yet.
        """
        if room not in self._spans:
            stays = (stay_of(row) for row in self._stored.get(room, ()))
            spans = (span_of(stay, self._today, self._figures) for stay in stays)
            self._spans[room] = [span for span in spans if span is not None]
        leaves = stated.move_out_date if let.notice is None else let.notice.move_out_on
        is_forced = let.own is not None and let.own.forced_at is not None
        stay = Stay(
            "", stated.start_on, stated.end_on, leaves, is_forced=is_forced, kind=stated.kind
        )
        span = span_of(stay, self._today, self._figures)
        if span is None:
            return None
        other = next((taken for taken in self._spans[room] if overlaps(span, taken)), None)
        if other is None:
            self._spans[room].append(span)
        return other


def room_taken(at: str, first_on: date) -> Question:
    """Return the question about a row whose room another reservation takes."""
    return Question("room_taken", at, "", "", blocks=True, facts={"first": str(first_on)})
