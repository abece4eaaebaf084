"""Going live: writing a guide in one transaction, and undoing it until the first bill."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Table, delete, exists, or_, select, update
from sqlalchemy.orm import Session

from pms.arrivals.models import Takeover
from pms.arrivals.takeover.checking import Check, check_guide
from pms.arrivals.takeover.guides import Guide, open_as_read, stored_guide
from pms.arrivals.takeover.running import Progress, TakeOverRun, run_take_over
from pms.catalogue.models import Building, ExternalBlock, Unit
from pms.departures.models import MoveOutNotice, NoticeFiling
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.db import Base
from pms.foundation.errors import Refused
from pms.foundation.phrases import Phrase, join_with_commas
from pms.foundation.prepared import one_of
from pms.foundation.runs import Run, ask_run
from pms.foundation.work import Work
from pms.ledger.models import Allocation, EntryTotal, LedgerEntry, LedgerLine, Payment
from pms.ledger.opening import METHOD
from pms.pricing.models import PeriodFee, PricePeriod, PricingSnapshot
from pms.reservations.models import CoOccupant, Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EntryKind, RunKind, TakeoverState
from pms.upkeep.turnovers import tend_turnovers
from pms.workspaces.models import Workspace

MOST_AT_ONCE: Final = 500
"""With more tenancies than this a background worker goes live, and its progress is shown."""
_PART: Final = 500
# One statement queries all tables that refer to the ids, and repeats each id per column.
_ASKED_AT_ONCE: Final = 200


def ask_to_go_live(work: Work, guide: Guide, *, leaves_waiting: bool = False) -> TakeOverRun | Run:
    """Go live at once, or by a worker for many rows; return the result or the started run.

    In both cases a check that is not settled is refused here.
    """
    row = open_as_read(work.session, guide)
    check = check_guide(work.session, guide, work.clock.today())
    if len(check.bills) <= MOST_AT_ONCE:
        return go_live(work, guide, leaves_waiting=leaves_waiting)
    _refuse_unsettled(check, leaves_waiting=leaves_waiting)
    asked = {"file": row.name, "leaves_waiting": leaves_waiting}
    run = ask_run(work, kind=RunKind.TAKEOVER.value, subject=guide.id, **asked)
    run.total = len(check.bills)
    work.session.flush()
    return run


def go_live(
    work: Work,
    guide: Guide,
    *,
    leaves_waiting: bool = False,
    progress: Progress | None = None,
) -> TakeOverRun:
    """Write everything of a guide; refuse one whose check is not settled, or that was changed since.

    Rows that wait for an answer are left out only with `leaves_waiting`; they stay in the guide, to
    be downloaded and read again.
    """
    row = open_as_read(work.session, guide)
    check = check_guide(work.session, guide, work.clock.today())
    _refuse_unsettled(check, leaves_waiting=leaves_waiting)
    run = run_take_over(work, guide.prepared.build_take_over(), progress=progress)
    row.state, row.live_at = TakeoverState.LIVE, work.clock.now()
    facts = {
        "units": run.units,
        "tenancies": run.tenancies,
        "deposit_held_yen": run.deposit_held_yen,
        "unpaid_yen": run.unpaid_yen,
        "overpaid_yen": run.overpaid_yen,
    }
    row.made = {
        **run.made,
        "refused": [[refusal.at, refusal.why] for refusal in run.refused],
        "facts": facts | {"unchanged": run.unchanged, "owners": run.owners},
    }
    about = ("takeover", row.id)
    note_audit_event(work, AuditEvent.TAKEOVER_WENT_LIVE, about, after=facts)
    work.session.flush()
    return run


def _refuse_unsettled(check: Check, *, leaves_waiting: bool) -> None:
    if check.about_files:
        raise Refused(
            "Answer what is asked about the files first. Open questions: {count}.",
            count=len(check.about_files),
        )
    if check.waiting and not leaves_waiting:
        raise Refused(
            "leaveWaiting: rows without an answer: {count}. Answer them or leave them out.",
            count=len(check.waiting),
        )
    if check.is_nothing_new:
        raise Refused("Everything in these files is here already. There is nothing to take over.")
    if not check.is_settled:
        raise Refused(
            "The check is not finished: {what}. Correct a row, enter the total of your books or give "
            "a reason.",
            what=join_with_commas([*_open_sums(check), *_open_bills(check)]),
        )


def _open_sums(check: Check) -> Iterator[Phrase]:
    """Yield each sum that is missing or differs, and by how much."""
    for total in check.open_sums:
        what = _SUMS[total.name]
        if total.expected_yen is None:
            yield Phrase("the total of {what} is missing", what=what)
        else:
            yield Phrase(
                "{what} are {rows} yen in the rows and {books} yen in your books",
                what=what,
                rows=total.rows_yen + total.here_yen,
                books=total.expected_yen,
            )


def _open_bills(check: Check) -> Iterator[Phrase]:
    """Yield the first bills that differ without a reason, and how many more there are."""
    differing = check.open_bills
    for bill in differing[:_BILLS_NAMED]:
        values = bill.row.values
        yield Phrase(
            "the bill of {room} {name} is {bill} yen, the file says {file} yen",
            room=values["room"],
            name=values["name"],
            bill=bill.bill_yen,
            file=bill.sheet_yen,
        )
    if len(differing) > _BILLS_NAMED:
        yield Phrase("{count} more bills differ", count=len(differing) - _BILLS_NAMED)


_BILLS_NAMED: Final = 3
_SUMS: Final = {
    "depositHeld": Phrase("deposits held"),
    "unpaid": Phrase("unpaid amounts"),
    "overpaid": Phrase("overpaid amounts"),
}


class WrittenTakeover(NamedTuple):
    """What going live wrote: counts, and sums in yen."""

    tenancies: int
    joined: int
    rooms: int
    buildings: int
    owners: int
    unchanged: int
    refused: int
    held_yen: int
    unpaid_yen: int
    overpaid_yen: int


def count_written(row: Takeover) -> WrittenTakeover:
    """Return what a guide that went live wrote."""
    made, facts = row.made, row.made.get("facts", {})
    written = {name: len(made.get(name, ())) for name in ("reservation", "joined")}
    return WrittenTakeover(
        tenancies=facts.get("tenancies", sum(written.values())),
        joined=written["joined"],
        rooms=len(made.get("unit", ())),
        buildings=len(made.get("building", ())),
        owners=facts.get("owners", 0),
        unchanged=facts.get("unchanged", 0),
        refused=len(made.get("refused", ())),
        held_yen=facts.get("deposit_held_yen", 0),
        unpaid_yen=facts.get("unpaid_yen", 0),
        overpaid_yen=facts.get("overpaid_yen", 0),
    )


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
                return _refuse_used(session, found)
    return _held_elsewhere(session, row, _TENDED)


def _delete_written(session: Session, row: Takeover) -> None:
    """Delete what going live added, and take the take-over off what existed before."""
    for ids in _split_ids(_list_reservation_ids(row)):
        _delete_openings(session, ids)
    for ids in _split_ids(row.made.get("joined", [])):
        session.execute(
            update(Reservation)
            .where(Reservation.id.in_(ids))
            .values(taken_over_on=None, billed_through_on=None, penalty_elsewhere_yen=0)
        )
    for ids in _split_ids(row.made.get("reservation", [])):
        _delete_people(session, ids)
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
    _let_cleanings_go(work.session, work.clock, row)
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


def _let_cleanings_go(session: Session, clock: Clock, row: Takeover) -> None:
    """Cancel the stays so that their turnover cleanings are dropped; a begun cleaning stays."""
    for ids in _split_ids(row.made.get("reservation", [])):
        which = Reservation.id.in_(ids)
        units = session.scalars(select(Reservation.unit_id).where(which)).all()
        session.execute(update(Reservation).where(which).values(cancelled_at=clock.now()))
        tend_turnovers(session, set(units))


def _delete_openings(session: Session, ids: Sequence[str]) -> None:
    of_them = LedgerEntry.reservation_id.in_(ids) & (LedgerEntry.kind == EntryKind.OPENING)
    entries = select(LedgerEntry.id).where(of_them).scalar_subquery()
    paid = Payment.reservation_id.in_(ids) & (Payment.method == METHOD)
    _delete_rows(session, EntryTotal, EntryTotal.id.in_(entries))
    _delete_rows(session, Allocation, Allocation.entry_id.in_(entries))
    _delete_rows(session, Payment, paid)
    _delete_rows(session, LedgerLine, LedgerLine.entry_id.in_(entries))
    _delete_rows(session, LedgerEntry, of_them)


def _delete_people(session: Session, ids: Sequence[str]) -> None:
    notices = select(MoveOutNotice.id).where(MoveOutNotice.reservation_id.in_(ids))
    periods = select(PricePeriod.id).where(PricePeriod.reservation_id.in_(ids))
    _delete_rows(session, NoticeFiling, NoticeFiling.notice_id.in_(notices.scalar_subquery()))
    _delete_rows(session, MoveOutNotice, MoveOutNotice.reservation_id.in_(ids))
    _delete_rows(session, PeriodFee, PeriodFee.period_id.in_(periods.scalar_subquery()))
    for model in (PricePeriod, PricingSnapshot, CoOccupant):
        _delete_rows(session, model, model.reservation_id.in_(ids))
    _delete_rows(session, Reservation, Reservation.id.in_(ids))


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
            asked = list(_list_reference_conditions(row, name, ids, besides))
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


def _list_reference_conditions(
    row: Takeover, name: str, ids: Sequence[str], besides: Collection[str]
) -> Iterator[ColumnElement[bool]]:
    """Yield, for each table, whether a row of it refers to what was written."""
    for model, columns in _list_referring_columns(name):
        table = model.__tablename__
        where = or_(*(getattr(model, column).in_(ids) for column in columns))
        if name != "reservation" and table in ("reservation", "unit"):
            where &= ~one_of(model.id, row.made.get(table, []))
        elif table in _OWN or table in besides:
            continue
        yield exists().where(model.workspace_id == Workspace.id, where).label(table)


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


def _refuse_used(session: Session, reservation_id: str) -> Refused:
    name: Any = session.scalar(select(Reservation.name).where(Reservation.id == reservation_id))
    return Refused(
        "{name} has been billed or paid since. An import can only be undone before the first bill.",
        name=name or "-",
    )
