"""Posts an arrears charge, which collects an earlier entry's shortfall (Deposit 2)."""

from datetime import date

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Phrase
from pms.ledger.noted_entries import note_entry
from pms.ledger.planned_entries import PlannedEntry, PlannedLine
from pms.ledger.posting import post_entries
from pms.ledger.queries import entry_record, standing_of
from pms.ledger.wording import ItemWords, arrears_label
from pms.pricing.agreed_price import checked_yen
from pms.reservations.locks import locked_reservation
from pms.rules.arrears import arrears_of
from pms.rules.billing_calendar import charge_due_on
from pms.rules.deeds import Deed
from pms.rules.enumerations import EntryKind, FeeCategory, TaxTreatment


def post_arrears_charge(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    entry_id: str,
    amount_yen: int,
    due_on: date | None = None,
) -> str:
    """Write a charge for the shortfall of an entry and return its id; the debt counts once.

    What it takes over of the entry is written down as it stands now.
    """
    checked_yen(Phrase("amount"), amount_yen, 1)
    entry = entry_record(session, entry_id)
    locked_reservation(session, entry.reservation_id)
    standing = standing_of(session, entry.reservation_id, entry_id, clock.today())
    if standing.unpaid_yen == 0:
        raise Refused(
            "Entry {entry_id} has no shortfall that an arrears charge could collect.",
            entry_id=entry_id,
        )
    label = arrears_label(entry.label)
    words = ItemWords(label.ja or "", label.en or "", FeeCategory.OTHER, TaxTreatment.EXEMPT)
    charge = PlannedEntry(
        entry.reservation_id,
        EntryKind.ARREARS,
        new_id(),
        label,
        charge_due_on(clock.today(), due_on),
        (PlannedLine("arrears", words, None, None, amount_yen),),
        (),
    )
    cancelled_yen = arrears_of(standing, amount_yen).cancelled_yen
    given = {"arrears_of_id": entry_id, "cancelled_yen": cancelled_yen}
    (id_,) = post_entries(session, clock, actor, [charge], **given)
    note_entry(session, clock, actor, Deed.ARREARS_CHARGED, entry_id=id_, entry=charge)
    return id_
