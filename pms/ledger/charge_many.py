"""Posts one charge to many tenancies, each once however often it is started."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.prepared import one_of
from pms.ledger.many_charges import ManyCharge
from pms.ledger.models import LedgerEntry
from pms.ledger.plan_charges import ChargedTenancy, plan_charges
from pms.ledger.planned_entries import PlannedEntry, PlannedLine
from pms.ledger.post_charge import taxed_as
from pms.ledger.posting import post_entries
from pms.ledger.wording import ItemWords
from pms.reservations.locks import lock_reservations
from pms.rules.billing_calendar import charge_due_on
from pms.rules.deeds import Deed
from pms.rules.enumerations import EntryKind


class ChargedMany(NamedTuple):
    """How many were charged, and how much in all."""

    reservations: int
    total_yen: int


def charge_many(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    charge: ManyCharge,
    period: str,
    reservation_ids: Sequence[str],
) -> ChargedMany:
    """Write the charge of each tenancy that has none of this `period` yet (specification, Charge).

    Who moved out since they were looked at is left out. The reservations are locked, so that two
    that start at once find what the other wrote.
    """
    lock_reservations(session, reservation_ids)
    left = set(reservation_ids) - _charged(session, period, reservation_ids)
    found = plan_charges(session, clock.today(), charge, left).charged if left else ()
    planned = [_entry(charge, one, period, clock) for one in found]
    post_entries(session, clock, actor, planned)
    done = ChargedMany(len(planned), sum(entry.total_yen for entry in planned))
    if planned:
        told = {
            "label_ja": charge.label.ja,
            "label_en": charge.label.en,
            "reservations": done.reservations,
            "total_yen": done.total_yen,
            "due_on": planned[0].due_on,
        }
        note_deed(session, clock, actor, Deed.CHARGES_POSTED, of_workspace(session), after=told)
    return done


def _charged(session: Session, period: str, reservation_ids: Sequence[str]) -> set[str]:
    question = select(LedgerEntry.reservation_id).where(
        LedgerEntry.kind == EntryKind.CHARGE,
        LedgerEntry.period == period,
        one_of(LedgerEntry.reservation_id, reservation_ids),
    )
    return set(session.scalars(question))


def _entry(charge: ManyCharge, one: ChargedTenancy, period: str, clock: Clock) -> PlannedEntry:
    label = charge.label
    tax = taxed_as(charge.category, charge.tax_treatment)
    words = ItemWords(label.ja or "", label.en or "", charge.category, tax)
    return PlannedEntry(
        one.reservation_id,
        EntryKind.CHARGE,
        period,
        label,
        charge_due_on(clock.today(), charge.due_on),
        (PlannedLine(charge.item, words, None, None, one.yen),),
        (),
    )
