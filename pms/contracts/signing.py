"""Signing contracts, and their papers."""

import hmac
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import written_address
from pms.contracts.explanations import (
    explanation_of,
    explanation_words,
    instant_text,
    refuse_unexplained,
)
from pms.contracts.merged_documents import text_below_title
from pms.contracts.models import Contract, ContractSignature
from pms.contracts.queries import (
    RESIDENT,
    ContractKind,
    ContractRecord,
    ContractState,
    contract_record,
    lock_contract,
)
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.files import Files
from pms.foundation.ids import is_id
from pms.foundation.mail_texts import format_day, mail_text
from pms.foundation.markdown import blocks_of
from pms.foundation.outbox import Attachment, put_call, put_mail
from pms.foundation.work import Work
from pms.ledger.move_in import change_esign_status
from pms.reservations.models import Reservation
from pms.reservations.residents import LONGEST_NAME
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN, day_of
from pms.rules.enumerations import EsignStatus
from pms.statements.invoices import home_of, operator_of
from pms.statements.papers import typeset

_FILE_NAMES: Final = {
    ContractKind.LEASE: ("契約書", "contract"),
    ContractKind.AMENDMENT: ("覚書", "amendment"),
}


def contract_pdf(session: Session, contract_id: str) -> bytes:
    """Return the PDF of a document in its language; raise `NotFound` for an unknown id."""
    return typeset("contract", contract_paper(session, contract_record(session, contract_id)))


def handed_paper(session: Session, files: Files, contract_id: str) -> bytes:
    """Return a document's PDF: for a signed document the stored file that was mailed.

    An unsigned document is typeset as it is now.
    """
    asked = select(Contract.file_key).where(Contract.id == contract_id)
    key = session.scalar(asked) if is_id(contract_id) else None
    kept = files.get(key) if key else None
    return contract_pdf(session, contract_id) if kept is None else kept


def contract_file_name(record: ContractRecord) -> str:
    """Return the file name of a document for its reader."""
    ja, en = _FILE_NAMES[record.kind]
    return f"{ja if record.locale == 'ja' else en}-{record.number}.pdf"


def contract_paper(session: Session, record: ContractRecord) -> dict[str, Any]:
    """Return the template data of a document's PDF."""
    operator, home = operator_of(session), home_of(session, record.reservation_id)
    return {
        "language": record.locale,
        "hue": operator.hue,
        "operator": operator.name.in_language(record.locale),
        "operator_address": written_address(operator.postcode, operator.address),
        "title": record.title,
        "number": str(record.number),
        "issued": format_day(day_of(record.issued_at), record.locale),
        "resident": home.resident,
        "home": home.in_language(record.locale),
        "blocks": blocks_of(text_below_title(record.body)),
        "hash": record.body_hash,
        "signature": _build_signature(record),
        "explanation": explanation_words(
            explanation_of(session, record) if record.needs_explanation else None,
            record.locale,
            is_needed=record.needs_explanation,
        ),
    }


def _build_signature(record: ContractRecord) -> dict[str, str] | None:
    if record.signed is None:
        return None
    return {
        "name": record.signed.name,
        "at": instant_text(record.signed.at, record.locale),
    }


def mail_signed_copy(session: Session, clock: Clock, files: Files, contract_id: str) -> bool:
    """Store the signed PDF and mail it, once; return whether a mail is sent.

    Without an address the PDF is stored only.
    """
    _, contract = lock_contract(session, contract_id)
    record = contract_record(session, contract_id)
    if record.signed is None or contract.file_key is not None:
        return False
    contract.file_key = files.put(contract_pdf(session, contract_id), "pdf")
    home, locale = home_of(session, record.reservation_id), record.locale
    session.flush()
    if not home.email:
        return False
    at, operator = record.signed.at.astimezone(JAPAN), operator_of(session)
    mail = mail_text(
        "contract-signed",
        locale,
        hue=operator.hue,
        operator=operator.name.in_language(locale),
        recipient=home.resident,
        home=home.in_language(locale),
        title=record.title,
        signer=record.signed.name,
        signed_on=at.date(),
        signed_at=f"{at:%H:%M}",
    )
    attached = Attachment(
        name=contract_file_name(record),
        media_type="application/pdf",
        file_key=contract.file_key,
    )
    put_mail(session, clock, recipient=home.email, attachments=[attached], **mail._asdict())
    return True


SIGNED_COPY: Final = "contract.signed_copy"


_MOST_OF_A_DEVICE: Final = 300


def sign_contract(
    work: Work, *, contract_id: str, name: str, document_hash: str, device: str
) -> None:
    """Store the contract holder's signature; signing again changes nothing.

    `document_hash` is the SHA-256 of the text that was shown. Raises `Refused` for an empty name,
    and `Collision` when the text is another one, was declined, has expired, waits at a provider,
    lacks its prior explanation, or when the booking is cancelled.
    """
    row, contract = lock_contract(work.session, contract_id)
    record = contract_record(work.session, contract_id)
    if record.state is ContractState.SIGNED:
        return
    if row.cancelled_at is not None:
        raise Collision("The booking is cancelled, so there is nothing to sign.")
    name = _check_name(name)
    _refuse_signing(record, document_hash)
    refuse_unexplained(work.session, record)
    write_signature(work, row, contract, name=name, device=device)


def write_signature(
    work: Work, row: Reservation, contract: Contract, *, name: str, device: str
) -> None:
    """Store the signature of a locked document, update the status and queue the signed copy."""
    work.session.add(
        ContractSignature(
            contract_id=contract.id,
            signer=RESIDENT,
            name=name,
            email=row.email,
            signed_at=work.clock.now(),
            document_hash=contract.body_hash,
            device=device[:_MOST_OF_A_DEVICE],
        )
    )
    contract.sent_at = contract.sent_at or work.clock.now()
    _settle_earlier(work.session, contract)
    facts = {"contract_id": contract.id, "name": name, "document": contract.body_hash}
    about = of_reservation(contract.reservation_id)
    note_audit_event(work, AuditEvent.CONTRACT_SIGNED, about, after=facts)
    work.session.flush()
    for status in (EsignStatus.SENT, EsignStatus.SIGNED):
        change_esign_status(work, reservation_id=contract.reservation_id, status=status)
    put_call(work.session, work.clock, kind=SIGNED_COPY, subject_id=contract.id)
    work.session.flush()


def _settle_earlier(session: Session, contract: Contract) -> None:
    """Clear the outdated mark of earlier signed documents, which this signature settles."""
    earlier = select(Contract).where(
        Contract.reservation_id == contract.reservation_id,
        Contract.number < contract.number,
        Contract.outdated_at.is_not(None),
        Contract.replaced_at.is_(None),
    )
    for old_contract in session.scalars(earlier):
        old_contract.outdated_at = None


def _check_name(name: str) -> str:
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused(
            "signature: enter your name in 1 to {most_characters} characters.",
            most_characters=LONGEST_NAME,
        )
    return name


def _refuse_signing(record: ContractRecord, document_hash: str) -> None:
    if record.state is ContractState.REPLACED or not hmac.compare_digest(
        record.body_hash.encode(), document_hash.encode()
    ):
        raise Collision(
            "The document was replaced in the meantime. Read the new one before you sign."
        )
    if record.state is ContractState.OUTDATED:
        raise Collision(
            "The contract terms changed after this document was written, so it can no longer "
            "be signed. The office will send a new one."
        )
    if record.state in (ContractState.DECLINED, ContractState.EXPIRED):
        raise Collision(
            "This document can no longer be signed. Please ask the office for a new one."
        )
    if not record.is_signed_here:
        raise Collision("Please sign this document on the page of the signature service.")
