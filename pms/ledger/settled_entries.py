"""Parts the entries of a day: nearly all are paid to the yen, and only the others need the rules.

What an entry paid to the yen adds to a balance is plain: it holds its deposit and owes nothing.
The database finds the others in one pass (docs/decisions/ledger.md); each of them goes through
`pms.rules.ledger_entries`, so that the law is written down once.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, func, or_, select
from sqlalchemy.orm import Session, aliased

from pms.foundation.kept_answers import KeptAnswers
from pms.foundation.versions import LEDGER
from pms.ledger.ledger_days import histories_of_entries
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine
from pms.rules.enumerations import EntryKind
from pms.rules.ledger_entries import Standing, standings_on
from pms.workspaces.queries import counters

_Other = aliased(LedgerEntry)


class PartedEntries(NamedTuple):
    """The entries of a day by reservation.

    `collected_yen` is the deposit held by those paid to the yen; `standings` are all the others.
    """

    collected_yen: Mapping[str, int]
    standings: Mapping[str, tuple[Standing, ...]]


_PARTED: Final = KeptAnswers()


def parted_entries(session: Session, on: date) -> PartedEntries:
    """Return the entries of a workspace at the end of a day, in six questions (Deposit 1, 2).

    While the ledger is not written to, the same day is told again without asking.
    """
    state = counters(session, LEDGER)
    return _PARTED.answer(session, on, state, lambda: _parted(session, on))


def _parted(session: Session, on: date) -> PartedEntries:
    deposits = session.execute(_deposits(on)).all()
    # A deposit of less than nothing is a debt, which only the rule can tell.
    below_nothing = [entry_id for entry_id, _, yen in deposits if yen < 0]
    unsettled = {*session.scalars(_unsettled(on)), *below_nothing}
    collected: defaultdict[str, int] = defaultdict(int)
    for entry_id, reservation_id, yen in deposits:
        if entry_id not in unsettled:
            collected[reservation_id] += int(yen)
    return PartedEntries(collected, _standings(session, unsettled, on))


def _standings(
    session: Session, entry_ids: Iterable[str], on: date
) -> Mapping[str, tuple[Standing, ...]]:
    found = histories_of_entries(session, entry_ids)
    return {id_: standings_on(entries, on) for id_, entries in found.items()}


def _deposits(on: date) -> Select[str, str, int]:
    """The deposit that each entry bills by the day."""
    # Added up first: lines are walked in the order of their entries, and each entry is met once.
    billed = (
        select(LedgerLine.entry_id, func.sum(LedgerLine.amount_yen).label("yen"))
        .where(LedgerLine.is_deposit.is_(True), LedgerLine.posted_on <= on)
        .group_by(LedgerLine.workspace_id, LedgerLine.entry_id)
        .subquery()
    )
    return (
        select(LedgerEntry.id, LedgerEntry.reservation_id, billed.c.yen)
        .join(billed, billed.c.entry_id == LedgerEntry.id)
        .where(LedgerEntry.kind != EntryKind.OPPOSITE, LedgerEntry.issued_on <= on)
    )


def _unsettled(on: date) -> Select[str]:
    """Entries not paid to the yen, voided ones, and arrears charges with the entries they name."""
    return select(LedgerEntry.id).where(
        # Written so that no index is chosen by the day: nearly all entries are older, and only in
        # the order of their ids do the lines and allocations lie beside each other.
        func.coalesce(LedgerEntry.issued_on, on) <= on,
        or_(
            _billed_yen(on).is_distinct_from(_paid_yen(on)),
            LedgerEntry.id.in_(_named(_Other.opposes_id)),
            LedgerEntry.id.in_(_named(_Other.arrears_of_id)),
            LedgerEntry.id.in_(select(_Other.id).where(_Other.arrears_of_id.is_not(None))),
        ),
    )


def _named(column: Any) -> Select[*tuple[Any, ...]]:
    return select(column).where(column.is_not(None))


def _billed_yen(on: date) -> Any:
    return (
        select(func.coalesce(func.sum(LedgerLine.amount_yen), 0))
        .where(
            LedgerLine.workspace_id == LedgerEntry.workspace_id,
            LedgerLine.entry_id == LedgerEntry.id,
            LedgerLine.posted_on <= on,
        )
        .correlate(LedgerEntry)
        .scalar_subquery()
    )


def _paid_yen(on: date) -> Any:
    return (
        select(func.coalesce(func.sum(Allocation.amount_yen), 0))
        .where(
            Allocation.workspace_id == LedgerEntry.workspace_id,
            Allocation.entry_id == LedgerEntry.id,
            Allocation.allocated_on <= on,
        )
        .correlate(LedgerEntry)
        .scalar_subquery()
    )
