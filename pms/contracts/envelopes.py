"""Documents sent for signature: by a mail with a link, and to the provider of electronic signatures."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import facts_of_document
from pms.contracts.contract_people import lacking_people_of, refuse_lacking
from pms.contracts.explanations import refuse_unexplained
from pms.contracts.models import Contract
from pms.contracts.queries import (
    ENVELOPE,
    SIGNING_PAGE,
    ContractRecord,
    ContractState,
    contract_record,
    lock_contract,
)
from pms.contracts.screenings import refuse_unscreened_tenancy
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import ProviderCall, put_call, put_mail
from pms.foundation.work import Work
from pms.ledger.move_in import change_esign_status
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.enumerations import EsignStatus, IntegrationKind
from pms.statements.invoices import home_of, operator_of
from pms.workspaces.integrations import has_integration


def note_handing(
    session: Session,
    *,
    contract_id: str,
    envelope: str | None = None,
    signing_url: str | None = None,
) -> Contract:
    """Store the provider's id of a document, or its signing page; return the row."""
    _, contract = lock_contract(session, contract_id)
    contract.envelope = envelope or contract.envelope
    contract.signing_url = signing_url or contract.signing_url
    session.flush()
    return contract


def send_contract(
    work: Work, *, contract_id: str, link: str, seen_sent_at: datetime | None = None
) -> None:
    """Mail a document for signature, also repeatedly; `link` leads to it.

    `seen_sent_at` is the last sending known to the caller. Raises `Refused` without an address, for
    an applicant who waits for approval or lacks what the building asks for, `Collision` when the document was sent since, can no
    longer be signed, or the applicant was declined.
    """
    row, contract = lock_contract(work.session, contract_id)
    record = contract_record(work.session, contract_id)
    _refuse_sending(row, record, seen_sent_at)
    refuse_unscreened_tenancy(work.session, row)
    refuse_lacking(lacking_people_of(work.session, row))
    _mail_link(work.session, work.clock, contract, link)
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


def _refuse_sending(
    row: Reservation, record: ContractRecord, seen_sent_at: datetime | None
) -> None:
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


def _mail_link(session: Session, clock: Clock, contract: Contract, link: str) -> None:
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
        start_on=facts_of_document(
            session, contract.reservation_id, contract.term_id, day_of(contract.issued_at)
        ).start_on,
        link=link,
    )
    put_mail(session, clock, recipient=home.email or "", **mail._asdict())


def ask_signing_page(session: Session, clock: Clock, *, contract_id: str, return_path: str) -> None:
    """Queue a request for the signing page; a request that is queued already is reused.

    Raises `Collision` when the document does not wait at a provider, or the prior explanation is
    missing.
    """
    _, contract = lock_contract(session, contract_id)
    record = contract_record(session, contract_id)
    if record.state is not ContractState.SENT or contract.envelope is None:
        raise Collision("The document is not waiting for a signature at the signature service.")
    refuse_unexplained(session, record, clock.now())
    waiting = select(ProviderCall.id).where(
        ProviderCall.subject_id == contract.id,
        ProviderCall.kind == SIGNING_PAGE,
        ProviderCall.due_at.is_not(None),
    )
    if session.scalar(waiting) is not None:
        return
    contract.signing_url = None
    facts = {"return_path": return_path}
    put_call(session, clock, kind=SIGNING_PAGE, subject_id=contract.id, facts=facts)
    session.flush()


def reservation_of_envelope(session: Session, envelope: str) -> str | None:
    """Return the reservation of a provider's envelope id; None for an unknown envelope."""
    asked = select(Contract.reservation_id).where(Contract.envelope == envelope)
    return session.scalar(asked)


def awaits_envelope(session: Session) -> bool:
    """Whether a document is on its way to the provider, whose envelope id is not stored yet."""
    asked = select(ProviderCall.id).where(
        ProviderCall.kind == ENVELOPE,
        ProviderCall.done_at.is_(None),
        ProviderCall.given_up_at.is_(None),
    )
    return session.scalar(asked.limit(1)) is not None


EVERY: Final = timedelta(hours=1)
_LOOKED_FOR: Final = timedelta(days=120)


def is_looked_for(record: ContractRecord, written_at: datetime, now: datetime) -> bool:
    """Return whether a document may still be signed at its provider."""
    waits = record.state is ContractState.SENT and record.envelope is not None
    return waits and now - written_at < _LOOKED_FOR
