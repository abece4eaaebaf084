"""Posts a one-off charge: payable, never a deduction (specification, Charge); and a credit."""

from datetime import date

from sqlalchemy.orm import Session

from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Phrase
from pms.ledger.models import Allocation
from pms.ledger.move_in_paid import follow_payment
from pms.ledger.noted_entries import note_entry
from pms.ledger.payment_plan import credit_parts
from pms.ledger.planned_entries import PlannedEntry, PlannedLine
from pms.ledger.posting import Row, post_entries, write_rows
from pms.ledger.wording import ItemWords
from pms.pricing.agreed_price import checked_yen
from pms.reservations.locks import locked_reservation
from pms.rules.billing_calendar import charge_due_on
from pms.rules.deeds import Deed
from pms.rules.enumerations import EntryKind, FeeCategory, ReservationKind, TaxTreatment


def post_charge(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    amount_yen: int,
    label: Bilingual,
    category: FeeCategory = FeeCategory.OTHER,
    tax_treatment: TaxTreatment = TaxTreatment.EXEMPT,
    due_on: date | None = None,
    item: str = "charge",
) -> str:
    """Write the charge and return its id; due on the day it names, never before today.

    One of category deposit is held like the first deposit, never income, and bears no tax.
    """
    checked_yen(Phrase("amount"), amount_yen, 1)
    row = locked_reservation(session, reservation_id)
    if category is FeeCategory.DEPOSIT and row.kind is ReservationKind.OWNER_RESIDENT:
        raise Refused("category: an owner resident pays no refundable deposit.")
    words = _words(label, category, taxed_as(category, tax_treatment))
    line = PlannedLine(item, words, None, None, amount_yen)
    due_on = charge_due_on(clock.today(), due_on)
    charge = _planned(reservation_id, EntryKind.CHARGE, line, due_on)
    (id_,) = post_entries(session, clock, actor, [charge])
    note_entry(session, clock, actor, Deed.CHARGE_POSTED, entry_id=id_, entry=charge)
    return id_


def post_credit(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    amount_yen: int,
    label: Bilingual,
    category: FeeCategory = FeeCategory.OTHER,
    tax_treatment: TaxTreatment = TaxTreatment.EXEMPT,
    entry_id: str | None = None,
) -> str:
    """Write a credit, a negative charge, and return its id.

    It is set off at once against the bill it names, or against what is unpaid, oldest due first;
    the rest stays in the resident's favour. A deposit is not given back like this but settled.
    """
    checked_yen(Phrase("amount"), amount_yen, 1)
    if category is FeeCategory.DEPOSIT:
        raise Refused("category: a deposit is given back by its settlement, not by a credit.")
    row = locked_reservation(session, reservation_id)
    parts = credit_parts(session, clock.today(), reservation_id, amount_yen, entry_id)
    words = _words(label, category, tax_treatment)
    line = PlannedLine("credit", words, None, None, -amount_yen)
    credit = _planned(reservation_id, EntryKind.CREDIT, line, clock.today())
    (id_,) = post_entries(session, clock, actor, [credit])
    sides = [(side, yen) for part in parts for side, yen in ((id_, -part.yen), part)]
    write_rows(session, Allocation, [_set_off(clock, side, yen) for side, yen in sides])
    note_entry(session, clock, actor, Deed.CREDIT_POSTED, entry_id=id_, entry=credit)
    session.flush()
    follow_payment(session, clock, actor, row)
    session.flush()
    return id_


def taxed_as(category: FeeCategory, tax_treatment: TaxTreatment) -> TaxTreatment:
    """Return how a charge is taxed: a deposit is never, whatever is stated."""
    return TaxTreatment.EXEMPT if category is FeeCategory.DEPOSIT else tax_treatment


def _words(label: Bilingual, category: FeeCategory, tax_treatment: TaxTreatment) -> ItemWords:
    return ItemWords(
        label.ja or label.en or "", label.en or label.ja or "", category, tax_treatment
    )


def _planned(reservation_id: str, kind: EntryKind, line: PlannedLine, due_on: date) -> PlannedEntry:
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
