"""The classes of consumption tax of a workspace: those it decided itself, and those of its fees."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.audit import note_audit_event, subject_of
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.prepared import PreparedInWorkspace
from pms.foundation.versions import asked_once
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TaxTreatment
from pms.rules.tax_classes import UNALTERABLE, ItemClass, TaxBasis, TaxedItem
from pms.workspaces.models import Fee, TaxClassRow

_DECIDED = PreparedInWorkspace(select(TaxClassRow.item, TaxClassRow.from_on, TaxClassRow.treatment))
_FEES = PreparedInWorkspace(select(Fee.code, Fee.tax_treatment))

IN_CATALOGUE: Final = frozenset(
    {
        TaxedItem.KEY_MONEY,
        TaxedItem.RENEWAL_FEE,
        TaxedItem.RENEWAL_HANDLING,
        TaxedItem.PARKING,
        TaxedItem.KEY_EXCHANGE,
        TaxedItem.GUARANTEE_FEE,
        TaxedItem.GUARANTEE_COMPANY_FEE,
    }
)
"""Items that are fees of the catalogue, where their class is chosen."""


def workspace_taxes(session: Session) -> TaxBasis:
    """Return what the workspace decided, and the classes of its fees by code; no tenancy yet."""
    return asked_once(session, _read_taxes)


def _read_taxes(session: Session) -> TaxBasis:
    decided = tuple(
        ItemClass(TaxedItem(item), from_on, TaxTreatment(treatment) if treatment else None)
        for item, from_on, treatment in _DECIDED.all(session)
    )
    fees = {code: TaxTreatment(treatment) for code, treatment in _FEES.all(session)}
    return TaxBasis(policy=decided, fees=fees)


class DecidedClass(NamedTuple):
    """What a workspace decided for an item from a day on; None is the default again."""

    id: str
    item: TaxedItem
    from_on: date
    treatment: TaxTreatment | None


def decided_classes(session: Session) -> Sequence[DecidedClass]:
    """Return all decisions, by item and day."""
    rows = session.scalars(select(TaxClassRow).order_by(TaxClassRow.item, TaxClassRow.from_on))
    return [DecidedClass(row.id, row.item, row.from_on, row.treatment) for row in rows]


def decide_class(
    work: Work, *, item: TaxedItem, from_on: date, treatment: TaxTreatment | None
) -> str:
    """Write the class of an item from a day on and return its id; another of that day is replaced.

    What is issued keeps its class, so that the day is today or later.
    """
    if item in UNALTERABLE or item in IN_CATALOGUE:
        raise Refused("item: the class of {item} is not decided here.", item=item)
    if from_on < work.clock.today():
        raise Refused(
            "fromOn: {from_on} is in the past. What was issued keeps its class; choose today or "
            "later.",
            from_on=from_on,
        )
    row = work.session.scalar(
        select(TaxClassRow)
        .where(TaxClassRow.item == item, TaxClassRow.from_on == from_on)
        .with_for_update()
    )
    before = None if row is None else {"tax_treatment": row.treatment}
    if row is None:
        row = TaxClassRow(id=new_id(), item=item, from_on=from_on)
        work.session.add(row)
    row.treatment = treatment
    row.written_at, row.written_by = work.clock.now(), work.actor
    note_audit_event(
        work,
        AuditEvent.TAX_CLASS_DECIDED,
        ("tax_class", row.id),
        before=before,
        after={"item": item, "from_on": from_on, "tax_treatment": treatment},
    )
    try:
        work.session.flush()
    except IntegrityError as second:
        raise Collision(
            "A colleague decided this item at the same time. Look at it again."
        ) from second
    return row.id


def drop_class(work: Work, class_id: str) -> None:
    """Remove a decision that has not begun."""
    row = locked(work.session, TaxClassRow, class_id)
    if row.from_on <= work.clock.today():
        raise Refused(
            "fromOn: this class is in force since {from_on}. Decide another one from today on.",
            from_on=row.from_on,
        )
    facts = {"item": row.item, "from_on": row.from_on, "tax_treatment": row.treatment}
    note_audit_event(work, AuditEvent.TAX_CLASS_DROPPED, subject_of(row), before=facts)
    work.session.delete(row)
    work.session.flush()
