"""Posts a one-off charge: payable, never a deduction (specification, Charge)."""

from datetime import date

from sqlalchemy.orm import Session

from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.phrases import Phrase
from pms.ledger.noted_entries import note_entry
from pms.ledger.planned_entries import PlannedEntry, PlannedLine
from pms.ledger.posting import post_entries
from pms.ledger.wording import ItemWords
from pms.pricing.agreed_price import checked_yen
from pms.reservations.locks import locked_reservation
from pms.rules.billing_calendar import charge_due_on
from pms.rules.deeds import Deed
from pms.rules.enumerations import EntryKind, FeeCategory, TaxTreatment


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
    """Write the charge and return its id; due on the day it names, never before today."""
    checked_yen(Phrase("amount"), amount_yen, 1)
    locked_reservation(session, reservation_id)
    said = Bilingual(label.ja or label.en or "", label.en or label.ja or "")
    words = ItemWords(said.ja or "", said.en or "", category, tax_treatment)
    charge = PlannedEntry(
        reservation_id,
        EntryKind.CHARGE,
        new_id(),
        said,
        charge_due_on(clock.today(), due_on),
        (PlannedLine(item, words, None, None, amount_yen),),
        (),
    )
    (id_,) = post_entries(session, clock, actor, [charge])
    note_entry(session, clock, actor, Deed.CHARGE_POSTED, entry_id=id_, entry=charge)
    return id_
