"""One charge for many reservations, as a run."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.runs import Run, ask_run, newest_run
from pms.foundation.work import Work
from pms.ledger.charge_plans import ChargedTenancy, ManyCharge, plan_charges
from pms.ledger.charges import taxed_as
from pms.ledger.models import LedgerEntry
from pms.ledger.planned_entries import ItemWords, PlannedEntry, PlannedLine
from pms.ledger.posting import post_entries
from pms.ledger.tax_bases import tenancy_taxes
from pms.reservations.locks import lock_reservations
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_dates import charge_due_on
from pms.rules.enumerations import EntryKind, FeeCategory, RunKind, TaxTreatment
from pms.rules.tax_classes import TaxBasis
from pms.workspaces.models import Fee

_KIND: Final = RunKind.CHARGES.value


def ask_many_charges(work: Work, *, charge_id: str, charge: ManyCharge) -> Run:
    """Return the run of this charge; the same confirmation page sent again gives the same run."""
    if not is_id(charge_id):
        raise Refused("charge: this page cannot be verified. Check the charge again.")
    former = newest_run(work.session, _KIND, charge_id)
    if former is not None and former.finished_at is not None:
        return former
    if former is None and not plan_charges(work.session, work.clock.today(), charge).charged:
        raise Refused("charge: there are no residents to charge in these buildings.")
    return ask_run(work, kind=_KIND, subject=charge_id, **charge.to_json)


class OneTimeFee(NamedTuple):
    """A fee that is charged once: whole yen, or a percentage of each rent.

    Without a treatment each charge has the class of its category.
    """

    code: str
    label: Bilingual
    amount_yen: int | None
    percent: str | None
    category: FeeCategory
    tax_treatment: TaxTreatment | None


def fees_for_many(session: Session) -> Sequence[OneTimeFee]:
    """Return the fees by label, without the reservation fee, which belongs to a booking."""
    rows = session.scalars(
        select(Fee)
        .where(
            Fee.is_monthly.is_(False),
            Fee.category != FeeCategory.RESERVATION_FEE,
        )
        .order_by(Fee.label_ja, Fee.code)
    )
    return [
        OneTimeFee(
            fee.code,
            Bilingual(fee.label_ja, fee.label_en),
            fee.amount_yen,
            fee.percent,
            FeeCategory(fee.category),
            TaxTreatment(fee.tax_treatment),
        )
        for fee in rows
    ]


class ChargedMany(NamedTuple):
    """The number of charges, and their total."""

    reservations: int
    total_yen: int


def charge_many(
    work: Work, *, charge: ManyCharge, period: str, reservation_ids: Sequence[str]
) -> ChargedMany:
    """Post the charge for each reservation without one of this `period` (specification, Charge).

    Residents who moved out since the preview are left out. The reservations are locked, so that
    concurrent runs see each other's charges.
    """
    lock_reservations(work.session, reservation_ids)
    question = select(LedgerEntry.reservation_id).where(
        LedgerEntry.kind == EntryKind.CHARGE,
        LedgerEntry.period == period,
        one_of(LedgerEntry.reservation_id, reservation_ids),
    )
    left = set(reservation_ids) - set(work.session.scalars(question))
    found = plan_charges(work.session, work.clock.today(), charge, left).charged if left else ()
    charged_ids = [charged.reservation_id for charged in found]
    taxes = tenancy_taxes(work.session, charged_ids, work.clock.today())
    planned = [_plan_entry(charge, charged, period, work.clock, taxes) for charged in found]
    post_entries(work, planned)
    done = ChargedMany(len(planned), sum(entry.total_yen for entry in planned))
    if planned:
        facts = {
            "label_ja": charge.label.ja,
            "label_en": charge.label.en,
            "reservations": done.reservations,
            "total_yen": done.total_yen,
            "due_on": planned[0].due_on,
        }
        note_audit_event(work, AuditEvent.CHARGES_POSTED, of_workspace(work.session), after=facts)
    return done


def _plan_entry(
    charge: ManyCharge,
    tenancy: ChargedTenancy,
    period: str,
    clock: Clock,
    taxes: Mapping[str, TaxBasis],
) -> PlannedEntry:
    label = charge.label
    tax = taxed_as(taxes[tenancy.reservation_id], charge.category, charge.tax_treatment)
    words = ItemWords(label.ja or "", label.en or "", charge.category, tax)
    return PlannedEntry(
        tenancy.reservation_id,
        EntryKind.CHARGE,
        period,
        label,
        charge_due_on(clock.today(), charge.due_on),
        (PlannedLine(charge.item, words, None, None, tenancy.yen),),
        (),
    )
