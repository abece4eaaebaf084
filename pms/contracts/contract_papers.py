"""Contracts and letters as papers, and mailing the signed copy."""

from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import written_address
from pms.contracts.explanations import (
    explanation_of,
    explanation_words,
    instant_text,
)
from pms.contracts.merged_documents import text_below_title
from pms.contracts.models import Contract, EndNotice, RentProposal
from pms.contracts.queries import (
    ContractKind,
    ContractRecord,
    contract_record,
    lock_contract,
)
from pms.foundation.clock import Clock
from pms.foundation.files import Files
from pms.foundation.ids import is_id
from pms.foundation.mail_texts import format_day, mail_text
from pms.foundation.markdown import blocks_of
from pms.foundation.outbox import Attachment, put_mail
from pms.foundation.translations import deferred_texts, translate
from pms.rules.days import JAPAN, day_of
from pms.statements.invoices import home_of, operator_of
from pms.statements.paper_parties import parties_of_home
from pms.statements.typesetting import typeset
from pms.workspaces.page_links import tenancy_link

_FILE_NAMES: Final = deferred_texts(
    {ContractKind.LEASE: "contract", ContractKind.AMENDMENT: "amendment"}, "file name"
)


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
    name = translate(_FILE_NAMES[record.kind], record.locale, "file name")
    return f"{name}-{record.number}.pdf"


def contract_paper(session: Session, record: ContractRecord) -> dict[str, Any]:
    """Return the template data of a document's PDF."""
    operator, home = operator_of(session), home_of(session, record.reservation_id)
    return {
        "language": record.locale,
        "hue": operator.hue,
        "operator": operator.name.in_language(record.locale),
        "operator_address": written_address(operator.postcode, operator.address),
        "lessor": None if record.parties is None else record.parties.say_lessor(record.locale),
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
        link=tenancy_link(session, record.reservation_id, f"/contracts/{contract_id}", home.email),
    )
    attached = Attachment(
        name=contract_file_name(record),
        media_type="application/pdf",
        file_key=contract.file_key,
    )
    put_mail(session, clock, recipient=home.email, attachments=[attached], **mail._asdict())
    return True


def letter_pdf(session: Session, letter: EndNotice | RentProposal) -> bytes:
    """Return the PDF of a letter to a resident in its language."""
    operator, home = operator_of(session), home_of(session, letter.reservation_id)
    facts = {
        "language": letter.locale,
        "hue": operator.hue,
        "operator": operator.name.in_language(letter.locale),
        "operator_address": written_address(operator.postcode, operator.address),
        "lessor": parties_of_home(
            session, letter.reservation_id, day_of(letter.written_at)
        ).say_lessor(letter.locale),
        "title": letter.title,
        "number": None,
        "issued": format_day(day_of(letter.written_at), letter.locale),
        "resident": home.resident,
        "home": home.in_language(letter.locale),
        "blocks": blocks_of(text_below_title(letter.body)),
        "hash": letter.body_hash,
        "signature": None,
        "explanation": None,
    }
    return typeset("contract", facts)
