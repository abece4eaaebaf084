"""Undoing a take-over until its first bill."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Table, delete, exists, or_, select, update
from sqlalchemy.orm import Session

from pms.arrivals.models import Takeover
from pms.arrivals.takeover.guides import stored_guide
from pms.catalogue.models import Building, ExternalBlock, Unit
from pms.departures.models import MoveOutNotice, NoticeFiling
from pms.foundation.audit import note_audit_event
from pms.foundation.db import Base
from pms.foundation.errors import Refused
from pms.foundation.prepared import one_of
from pms.foundation.work import Work
from pms.ledger.models import Allocation, EntryTotal, LedgerEntry, LedgerLine, Payment
from pms.ledger.opening import METHOD
from pms.pricing.models import PeriodFee, PricePeriod, PricingSnapshot
from pms.reservations.models import CoOccupant, Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EntryKind, TakeoverState
from pms.upkeep.turnovers import tend_turnovers
from pms.workspaces.models import Workspace

_PART: Final = 500
# One statement queries all tables that refer to the ids, and repeats each id per column.
_ASKED_AT_ONCE: Final = 200


def why_not_undone(session: Session, row: Takeover) -> Refused | None:
    """Return why a take-over that went live cannot be undone, or None."""
    if row.state is not TakeoverState.LIVE:
        return Refused("Only an import that is live can be undone.")
    for ids in _split_ids(_list_reservation_ids(row)):
        issued = select(LedgerEntry.reservation_id).where(
            LedgerEntry.reservation_id.in_(ids), LedgerEntry.kind != EntryKind.OPENING
        )
        paid = select(Payment.reservation_id).where(
            Payment.reservation_id.in_(ids), Payment.method != METHOD
        )
        for asked in (issued, paid):
            found = session.scalar(asked.limit(1))
            if found is not None:
                name: Any = session.scalar(select(Reservation.name).where(Reservation.id == found))
                return Refused(
                    "{name} has been billed or paid since. An import can only be undone before the first bill.",
                    name=name or "-",
                )
    return _held_elsewhere(session, row, _TENDED)


def _delete_written(session: Session, row: Takeover) -> None:
    """Delete what going live added, and take the take-over off what existed before."""
    for ids in _split_ids(_list_reservation_ids(row)):
        of_them = LedgerEntry.reservation_id.in_(ids) & (LedgerEntry.kind == EntryKind.OPENING)
        entries = select(LedgerEntry.id).where(of_them).scalar_subquery()
        paid = Payment.reservation_id.in_(ids) & (Payment.method == METHOD)
        _delete_rows(session, EntryTotal, EntryTotal.id.in_(entries))
        _delete_rows(session, Allocation, Allocation.entry_id.in_(entries))
        _delete_rows(session, Payment, paid)
        _delete_rows(session, LedgerLine, LedgerLine.entry_id.in_(entries))
        _delete_rows(session, LedgerEntry, of_them)
    for ids in _split_ids(row.made.get("joined", [])):
        session.execute(
            update(Reservation)
            .where(Reservation.id.in_(ids))
            .values(taken_over_on=None, billed_through_on=None, penalty_elsewhere_yen=0)
        )
    for ids in _split_ids(row.made.get("reservation", [])):
        notices = select(MoveOutNotice.id).where(MoveOutNotice.reservation_id.in_(ids))
        periods = select(PricePeriod.id).where(PricePeriod.reservation_id.in_(ids))
        _delete_rows(session, NoticeFiling, NoticeFiling.notice_id.in_(notices.scalar_subquery()))
        _delete_rows(session, MoveOutNotice, MoveOutNotice.reservation_id.in_(ids))
        _delete_rows(session, PeriodFee, PeriodFee.period_id.in_(periods.scalar_subquery()))
        for people_model in (PricePeriod, PricingSnapshot, CoOccupant):
            _delete_rows(session, people_model, people_model.reservation_id.in_(ids))
        _delete_rows(session, Reservation, Reservation.id.in_(ids))
    for model, name in ((ExternalBlock, "external_block"), (Unit, "unit"), (Building, "building")):
        for ids in _split_ids(row.made.get(name, [])):
            session.execute(delete(model).where(model.id.in_(ids)))


def undo_take_over(work: Work, takeover_id: str) -> Takeover:
    """Undo everything that going live wrote, until the first bill; the guide is open again.

    Rooms and reservations that existed before stay; of these reservations only what was taken over
    is removed.
    """
    stored_guide(work.session, takeover_id)
    asked = select(Takeover).where(Takeover.id == takeover_id).with_for_update()
    row = work.session.scalars(asked.execution_options(populate_existing=True)).one()
    refusal = why_not_undone(work.session, row)
    if refusal is not None:
        raise refusal
    # A database trigger lets opening entries be deleted only while the take-over is being undone.
    row.state = TakeoverState.UNDOING
    work.session.flush()
    # Cancel the stays so that their turnover cleanings are dropped; a begun cleaning stays.
    for ids in _split_ids(row.made.get("reservation", [])):
        which = Reservation.id.in_(ids)
        units = work.session.scalars(select(Reservation.unit_id).where(which)).all()
        work.session.execute(update(Reservation).where(which).values(cancelled_at=work.clock.now()))
        tend_turnovers(work.session, set(units))
    held = _held_elsewhere(work.session, row, frozenset())
    if held is not None:
        raise held
    _delete_written(work.session, row)
    row.state, row.undone_at, row.live_at, row.made = TakeoverState.OPEN, work.clock.now(), None, {}
    note_audit_event(work, AuditEvent.TAKEOVER_UNDONE, ("takeover", row.id))
    work.session.flush()
    work.session.expire_all()
    return row


def _list_reservation_ids(row: Takeover) -> list[str]:
    return [*row.made.get("reservation", []), *row.made.get("joined", [])]


def _split_ids(ids: Sequence[str], most: int = _PART) -> Iterator[Sequence[str]]:
    for first in range(0, len(ids), most):
        yield ids[first : first + most]


def _delete_rows(session: Session, model: type[Base], which: ColumnElement[bool]) -> None:
    session.execute(delete(model).where(which).execution_options(synchronize_session=False))


_OWN: Final = frozenset(
    {
        *("ledger_entry", "ledger_line", "payment", "allocation", "entry_total", "move_out_notice"),
        *("price_period", "pricing_snapshot", "co_occupant", "reservation", "unit"),
        *("external_block",),
    }
)
_TENDED: Final = frozenset({"task"})


def _held_elsewhere(session: Session, row: Takeover, besides: Collection[str]) -> Refused | None:
    """Return a refusal if other records refer to what was written, which would be lost."""
    for name in ("reservation", "unit", "building"):
        for ids in _split_ids(row.made.get(name, []), _ASKED_AT_ONCE):
            # Yield, for each table, whether a row of it refers to what was written.
            asked: list[ColumnElement[bool]] = []
            for model, columns in _list_referring_columns(name):
                condition_table = model.__tablename__
                where = or_(*(getattr(model, column).in_(ids) for column in columns))
                if name != "reservation" and condition_table in ("reservation", "unit"):
                    where &= ~one_of(model.id, row.made.get(condition_table, []))
                elif condition_table in _OWN or condition_table in besides:
                    continue
                asked.append(
                    exists().where(model.workspace_id == Workspace.id, where).label(condition_table)
                )
            # Select from the workspace row of the session: each exists() is limited to its
            # workspace.
            found = session.execute(select(*asked).select_from(Workspace)).one()
            table = next((key for key, is_held in found._mapping.items() if is_held), None)
            if table == "reservation":
                return Refused(
                    "A contract was added to a room that was taken over; it would be lost."
                )
            if table is not None:
                return Refused(
                    "Records were added after the import ({table}) and would be lost, so it cannot "
                    "be undone.",
                    table=table,
                )
    return None


def _list_referring_columns(name: str) -> Iterator[tuple[Any, list[str]]]:
    """Yield the mapped classes that refer to a table, with their referring columns."""
    for mapper in Base.registry.mappers:
        table = mapper.local_table
        if not isinstance(table, Table):
            continue
        columns = [
            element.parent.name
            for key in table.foreign_key_constraints
            if key.referred_table.name == name
            for element in key.elements
            if element.column.name == "id"
        ]
        if columns:
            yield mapper.class_, columns
