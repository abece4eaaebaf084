"""What somebody needs to pay by bank transfer: the account, and the reference to write on it."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.rules.transfer_references import transfer_reference as reference_of
from pms.workspaces.models import Workspace


class TransferDetails(NamedTuple):
    """The workspace's account as it words it, and the reference of one entry."""

    bank_details: str | None
    reference: str


def transfer_reference(session: Session, reservation_id: str, entry_id: str) -> TransferDetails:
    """Return how an entry is paid by transfer; the account is missing until it is set."""
    bank_details = session.scalars(select(Workspace.bank_details)).one()
    return TransferDetails(bank_details, reference_of(reservation_id, entry_id))
