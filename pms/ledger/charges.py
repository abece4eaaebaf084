"""Charges: fees, credits, arrears charges and penalties."""

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual, Phrase
from pms.foundation.work import Work, locked
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine
from pms.ledger.move_in import follow_payment
from pms.ledger.payment_plan import credit_parts
from pms.ledger.planned_entries import (
    ITEM_WORDS,
    PENALTY,
    ItemWords,
    PlannedEntry,
    PlannedLine,
    arrears_label,
)
from pms.ledger.posting import (
    Row,
    line_rows,
    lines_of_entry,
    note_entry,
    post_entries,
    reversed_lines,
    write_rows,
)
from pms.ledger.queries import entry_record, standing_of
from pms.ledger.tax_bases import tenancy_taxes
from pms.pricing.agreed_price import check_yen
from pms.pricing.prices import agreed_prices
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.cancellation import arrears_of
from pms.rules.contract_dates import charge_due_on
from pms.rules.enumerations import (
    EntryKind,
    FeeCategory,
    LineItem,
    RecurringItem,
    ReservationKind,
    TaxTreatment,
)
from pms.rules.price_changes import monthly_yen
from pms.rules.rent_lines import RentLine
from pms.rules.tax_classes import TaxBasis, TaxedItem, class_of_category, class_on
from pms.rules.yen import percent_charge
from pms.workspaces.models import Fee


def post_charge(
    work: Work,
    *,
    reservation_id: str,
    amount_yen: int,
    label: Bilingual,
    category: FeeCategory = FeeCategory.OTHER,
    tax_treatment: TaxTreatment | None = None,
    due_on: date | None = None,
    item: str = "charge",
) -> str:
    """Post the charge and return its id; due on the named day, never before today.

    A charge of the deposit category is held like the first deposit, is never income, and is outside
    consumption tax. Without a treatment the charge has the class of its category.
    """
    check_yen(Phrase("amount"), amount_yen, 1)
    row = locked(work.session, Reservation, reservation_id)
    if category is FeeCategory.DEPOSIT and row.kind is ReservationKind.OWNER_RESIDENT:
        raise Refused("category: an owner resident pays no refundable deposit.")
    taxes = tenancy_taxes(work.session, [reservation_id], work.clock.today())[reservation_id]
    words = _build_item_words(label, category, taxed_as(taxes, category, tax_treatment))
    line = PlannedLine(item, words, None, None, amount_yen)
    due_on = charge_due_on(work.clock.today(), due_on)
    charge = _plan_entry(reservation_id, EntryKind.CHARGE, line, due_on)
    (id_,) = post_entries(work, [charge])
    note_entry(work, AuditEvent.CHARGE_POSTED, entry_id=id_, entry=charge)
    return id_


def post_credit(
    work: Work,
    *,
    reservation_id: str,
    amount_yen: int,
    label: Bilingual,
    category: FeeCategory = FeeCategory.OTHER,
    tax_treatment: TaxTreatment | None = None,
    entry_id: str | None = None,
) -> str:
    """Post a credit, which is a negative charge, and return its id.

    Without a treatment it has the class of the lines of its category on the named bill, or that of
    its category.

    It is set off at once against the named bill, or against unpaid ones, oldest due first; the rest
    is an overpayment. A deposit is not returned by a credit but by settlement.
    """
    check_yen(Phrase("amount"), amount_yen, 1)
    if category is FeeCategory.DEPOSIT:
        raise Refused("category: a deposit is returned by settling it, not by a credit.")
    row = locked(work.session, Reservation, reservation_id)
    parts = credit_parts(work.session, work.clock.today(), reservation_id, amount_yen, entry_id)
    taxes = tenancy_taxes(work.session, [reservation_id], work.clock.today())[reservation_id]
    billed_as = tax_treatment or _find_billed_class(work.session, entry_id, category)
    words = _build_item_words(label, category, taxed_as(taxes, category, billed_as))
    line = PlannedLine("credit", words, None, None, -amount_yen)
    credit = _plan_entry(reservation_id, EntryKind.CREDIT, line, work.clock.today())
    (id_,) = post_entries(work, [credit])
    sides = [(side, yen) for part in parts for side, yen in ((id_, -part.yen), part)]
    write_rows(work.session, Allocation, [_set_off(work.clock, side, yen) for side, yen in sides])
    note_entry(work, AuditEvent.CREDIT_POSTED, entry_id=id_, entry=credit)
    work.session.flush()
    follow_payment(work, row)
    work.session.flush()
    return id_


def taxed_as(
    taxes: TaxBasis, category: FeeCategory, tax_treatment: TaxTreatment | None
) -> TaxTreatment:
    """Return the class of a charge: the chosen one, else that of its category; a deposit has its own."""
    if tax_treatment is None or category is FeeCategory.DEPOSIT:
        return class_of_category(taxes, category)
    return tax_treatment


def _find_billed_class(
    session: Session, entry_id: str | None, category: FeeCategory
) -> TaxTreatment | None:
    """Return the class of the lines of a category on a bill; None where they have several or none."""
    if entry_id is None:
        return None
    found = {
        line.words.tax_treatment
        for line in lines_of_entry(session, entry_id)
        if line.words.category is category
    }
    return found.pop() if len(found) == 1 else None


def _build_item_words(
    label: Bilingual, category: FeeCategory, tax_treatment: TaxTreatment
) -> ItemWords:
    return ItemWords(
        label.ja or label.en or "", label.en or label.ja or "", category, tax_treatment
    )


def _plan_entry(
    reservation_id: str, kind: EntryKind, line: PlannedLine, due_on: date
) -> PlannedEntry:
    label = Bilingual(line.words.label_ja, line.words.label_en)
    return PlannedEntry(reservation_id, kind, new_id(), label, due_on, (line,), ())


def _set_off(clock: Clock, entry_id: str, yen: int) -> Row:
    return {
        "entry_id": entry_id,
        "payment_id": None,
        "settlement_id": None,
        "amount_yen": yen,
        "allocated_on": clock.today(),
        "written_at": clock.now(),
    }


class ChargeableFee(NamedTuple):
    """A fee that is charged once; a percentage without a price has no amount."""

    code: str
    label: Bilingual
    category: FeeCategory
    tax_treatment: TaxTreatment
    yen: int | None


def chargeable_fees(
    session: Session, clock: Clock, reservation_id: str, rent_yen: int | None = None
) -> Sequence[ChargeableFee]:
    """Return the fees by label; percentages are of a base rent, by default the one of today."""
    agreed = agreed_prices(session, [reservation_id]).get(reservation_id)
    if rent_yen is None and agreed is not None and agreed.price.periods:
        rent_yen = monthly_yen(agreed.price.periods, RecurringItem.BASE_RENT, clock.today())
    rows = session.scalars(select(Fee).where(Fee.is_monthly.is_(False)).order_by(Fee.label_ja))
    return [
        ChargeableFee(
            fee.code,
            Bilingual(fee.label_ja, fee.label_en),
            FeeCategory(fee.category),
            TaxTreatment(fee.tax_treatment),
            _compute_fee_yen(fee, rent_yen),
        )
        for fee in rows
    ]


def _compute_fee_yen(fee: Fee, rent_yen: int | None) -> int | None:
    if fee.percent is None:
        return fee.amount_yen
    return None if rent_yen is None else percent_charge(Decimal(fee.percent), rent_yen)


def post_arrears_charge(
    work: Work, *, entry_id: str, amount_yen: int, due_on: date | None = None
) -> str:
    """Post a charge for the shortfall of an entry and return its id; the debt counts once.

    The amount it takes over from the entry is stored as of now.
    """
    check_yen(Phrase("amount"), amount_yen, 1)
    entry = entry_record(work.session, entry_id)
    locked(work.session, Reservation, entry.reservation_id)
    standing = standing_of(work.session, entry.reservation_id, entry_id, work.clock.today())
    if standing.unpaid_yen == 0:
        raise Refused(
            "Entry {entry_id} has no shortfall that an arrears charge could collect.",
            entry_id=entry_id,
        )
    label = arrears_label(entry.label)
    # What it collects was classed when it was issued: the charge is no second supply.
    outside = TaxTreatment.OUT_OF_SCOPE
    words = ItemWords(label.ja or "", label.en or "", FeeCategory.OTHER, outside)
    charge = PlannedEntry(
        entry.reservation_id,
        EntryKind.ARREARS,
        new_id(),
        label,
        charge_due_on(work.clock.today(), due_on),
        (PlannedLine("arrears", words, None, None, amount_yen),),
        (),
    )
    cancelled_yen = arrears_of(standing, amount_yen).cancelled_yen
    given = {"arrears_of_id": entry_id, "cancelled_yen": cancelled_yen}
    (id_,) = post_entries(work, [charge], **given)
    note_entry(work, AuditEvent.ARREARS_CHARGED, entry_id=id_, entry=charge)
    return id_


def post_penalty(
    work: Work, *, reservation_id: str, notice_id: str, item: TaxedItem, lines: Sequence[RentLine]
) -> str | None:
    """Post the penalty of a notice, or the lines it lacks; return the entry's id, if any.

    Without lines the penalty nets to 0, which withdraws it; what was paid is an overpayment.
    """
    locked(work.session, Reservation, reservation_id)
    taxes = tenancy_taxes(work.session, [reservation_id], work.clock.today())[reservation_id]
    words = ITEM_WORDS[LineItem.PENALTY].with_class(class_on(taxes, item))
    wanted = tuple(
        PlannedLine(str(line.item), words, line.first_on, line.last_on, line.yen) for line in lines
    )
    entry_id = work.session.scalar(
        select(LedgerEntry.id).where(
            LedgerEntry.reservation_id == reservation_id,
            LedgerEntry.kind == EntryKind.PENALTY,
            LedgerEntry.period == notice_id,
        )
    )
    if entry_id is not None:
        standing = lines_of_entry(work.session, entry_id)
        if _list_amounts(standing) != _list_amounts(wanted):
            appended = (*reversed_lines(standing), *wanted)
            entry_lines = list(line_rows(entry_id, None, appended, work.clock.today()))
            write_rows(work.session, LedgerLine, entry_lines)
        return entry_id
    if not wanted:
        return None
    due_on = charge_due_on(work.clock.today())
    penalty = PlannedEntry(
        reservation_id, EntryKind.PENALTY, notice_id, PENALTY, due_on, wanted, ()
    )
    return post_entries(work, [penalty])[0]


def _list_amounts(lines: Iterable[PlannedLine]) -> set[tuple[str, date | None, date | None, int]]:
    return {(line.item, line.first_on, line.last_on, line.yen) for line in lines}
