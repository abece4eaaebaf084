"""Mails the signed document to the person who signed it, its paper attached."""

from sqlalchemy.orm import Session

from pms.contracts.contract_in_hand import contract_in_hand
from pms.contracts.contract_paper import contract_file_name, contract_pdf
from pms.contracts.queries import contract_record
from pms.foundation.clock import Clock
from pms.foundation.files import Files
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import Attachment, put_mail
from pms.rules.days import JAPAN
from pms.statements.parties import home_of, operator_of


def mail_signed_copy(session: Session, clock: Clock, files: Files, contract_id: str) -> bool:
    """Keep the signed paper and have it mailed, once; tell whether a mail leaves.

    Without an address the paper is kept all the same.
    """
    _, contract = contract_in_hand(session, contract_id)
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
        operator=operator.name.said(locale),
        recipient=home.resident,
        home=home.said(locale),
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
