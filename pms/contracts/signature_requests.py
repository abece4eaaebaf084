"""Sends a document for signature: by a mail with its link, and to the provider if one is set."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import facts_of_reservation
from pms.contracts.models import Contract
from pms.contracts.queries import ENVELOPE, ContractRecord, ContractState, contract_record
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.provider_calls import put_call
from pms.foundation.work import Work
from pms.ledger.move_in import change_esign_status
from pms.reservations.changes import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EsignStatus, IntegrationKind
from pms.statements.invoices import home_of, operator_of
from pms.workspaces.integrations import has_integration


def locked_contract(session: Session, contract_id: str) -> tuple[Reservation, Contract]:
    """Return the reservation and its document, locked, so that concurrent signers wait.

    Raises `NotFound` for an unknown document.
    """
    asked = select(Contract.reservation_id).where(Contract.id == contract_id)
    reservation_id = session.scalar(asked) if is_id(contract_id) else None
    if reservation_id is None:
        raise no_such("contract", contract_id)
    row = reservation_to_change(session, reservation_id)
    wanted = select(Contract).where(Contract.id == contract_id).with_for_update()
    contract = session.scalars(wanted.execution_options(populate_existing=True)).one()
    return row, contract


def note_handing(
    session: Session,
    *,
    contract_id: str,
    envelope: str | None = None,
    signing_url: str | None = None,
) -> Contract:
    """Store the provider's id of a document, or its signing page; return the row."""
    _, contract = locked_contract(session, contract_id)
    contract.envelope = envelope or contract.envelope
    contract.signing_url = signing_url or contract.signing_url
    session.flush()
    return contract


def send_contract(
    work: Work, *, contract_id: str, link: str, seen_sent_at: datetime | None = None
) -> None:
    """Mail a document for signature, also repeatedly; `link` leads to it.

    `seen_sent_at` is the last sending known to the caller. Raises `Refused` without an address, and
    `Collision` when the document was sent since or can no longer be signed.
    """
    row, contract = locked_contract(work.session, contract_id)
    record = contract_record(work.session, contract_id)
    _refuse(row, record, seen_sent_at)
    _mail(work.session, work.clock, contract, link)
    is_first = contract.sent_at is None
    contract.sent_at = work.clock.now()
    facts = {"contract_id": contract.id, "number": contract.number}
    about = of_reservation(row.id)
    note_audit_event(work, AuditEvent.CONTRACT_SENT, about, after=facts)
    work.session.flush()
    if is_first:
        change_esign_status(work, reservation_id=row.id, status=EsignStatus.SENT)
        if has_integration(work.session, IntegrationKind.ESIGN):
            put_call(work.session, work.clock, kind=ENVELOPE, subject_id=contract.id)
    work.session.flush()


def _refuse(row: Reservation, record: ContractRecord, seen_sent_at: datetime | None) -> None:
    if row.cancelled_at is not None:
        raise Collision("The booking is cancelled, so there is nothing to sign.")
    if record.state is ContractState.OUTDATED:
        raise Collision(
            "The contract terms changed after this document was written. Renew it first."
        )
    if not record.may_be_signed:
        raise Collision("This document is signed or has ended. Issue a new one to have it signed.")
    if record.sent_at != seen_sent_at:
        raise Collision("The document has been sent since you opened this page.")
    if not row.email:
        raise Refused("email: the reservation has no email address to send the document to.")


def _mail(session: Session, clock: Clock, contract: Contract, link: str) -> None:
    home, locale = home_of(session, contract.reservation_id), contract.locale
    operator = operator_of(session)
    mail = mail_text(
        "contract-to-sign",
        locale,
        hue=operator.hue,
        operator=operator.name.in_language(locale),
        recipient=home.resident,
        home=home.in_language(locale),
        title=contract.title,
        start_on=facts_of_reservation(session, contract.reservation_id).start_on,
        link=link,
    )
    put_mail(session, clock, recipient=home.email or "", **mail._asdict())
