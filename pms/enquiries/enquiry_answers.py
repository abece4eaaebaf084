"""Answers to enquiries and leads by mail."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_TEXT, needed_text
from pms.catalogue.models import Building, Unit
from pms.enquiries.enquiries import step_enquiry
from pms.enquiries.leads import step_lead
from pms.enquiries.models import Lead, LeadNote
from pms.enquiries.notes import note_columns, send_answer_again
from pms.foundation.audit import note_audit_event, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.idempotency import is_new
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work, locked
from pms.inbox.models import Enquiry, EnquiryNote
from pms.inbox.people import follow_enquiries
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.enumerations import EnquiryState
from pms.rules.message_words import LeadState
from pms.site.models import Position
from pms.workspaces.queries import branding


def mail_answer(
    session: Session, clock: Clock, row: Enquiry, words: str, locale: str | None = None
) -> str:
    """Put the answer into the outbox, and return the id of the mail.

    The question is quoted below it.
    """
    brand, language = branding(session), locale or row.locale
    home = None
    if row.unit_id:
        question = select(Building.name, Building.name_en, Unit.name).join(Unit.building)
        ja, en, unit = session.execute(question.where(Unit.id == row.unit_id)).one()
        home = f"{Bilingual(ja, en).in_language(language)} {unit}"
    elif row.building_id:
        names = select(Building.name, Building.name_en).where(Building.id == row.building_id)
        home = Bilingual(*session.execute(names).one()).in_language(language)
    mail = mail_text(
        "enquiry-answer",
        language,
        hue=brand.hue,
        operator=brand.name.in_language(language),
        recipient=row.name,
        home=home,
        words=words,
        asked=row.message,
        received_on=day_of(row.received_at),
    )
    sent = put_mail(session, clock, recipient=row.email or "", **mail._asdict())
    session.flush()
    return sent.id


def answer_enquiry(
    work: Work,
    *,
    enquiry_id: str,
    text: str | None,
    key: str | None = None,
    locale: str | None = None,
) -> None:
    """Mail an answer and store it; a new enquiry becomes answered.

    `locale` is the language of the person if it is known better than from the enquiry. A `key` that
    was used before changes nothing. Raises `Refused` without a text, and without an email address:
    an answer by phone is a note.
    """
    row = locked(work.session, Enquiry, enquiry_id)
    words = needed_text("text", text, LONGEST_TEXT)
    if row.email is None:
        raise Refused("text: there is no email address, so no email can be sent.")
    if not is_new(work.session, work.clock, work.actor, key):
        return
    mail_id = mail_answer(work.session, work.clock, row, words, locale)
    work.session.add(EnquiryNote(enquiry_id=row.id, **note_columns(work, words, mail_id=mail_id)))
    if row.answered_at is None:
        row.answered_at = work.clock.now()
    # The audit has who answered and when; the text is stored only with the enquiry.
    note_audit_event(work, AuditEvent.ENQUIRY_ANSWERED, subject_of(row))
    step_enquiry(work, row=row, step=EnquiryState.ANSWERED)
    work.session.flush()
    follow_enquiries(work.session, [row.id])


def mail_lead(session: Session, clock: Clock, row: Lead, words: str) -> str:
    """Put the answer into the outbox, quoting the application, and return the id of the mail."""
    brand = branding(session)
    if row.position_id is None:
        position = None
    else:
        titles = select(Position.title_ja, Position.title_en).where(Position.id == row.position_id)
        position = Bilingual(*session.execute(titles).one()).in_language(row.locale)
    mail = mail_text(
        "lead-answer",
        row.locale,
        hue=brand.hue,
        operator=brand.name.in_language(row.locale),
        recipient=row.name,
        position=position,
        words=words,
        asked=row.message,
        received_on=day_of(row.received_at),
    )
    sent = put_mail(session, clock, recipient=row.email, **mail._asdict())
    session.flush()
    return sent.id


def answer_lead(work: Work, *, lead_id: str, text: str | None, key: str | None = None) -> None:
    """Mail an answer and store it; a new lead becomes one in talks.

    A `key` that was used before changes nothing. Raises `Refused` without a text.
    """
    row = locked(work.session, Lead, lead_id)
    words = needed_text("text", text, LONGEST_TEXT)
    if not is_new(work.session, work.clock, work.actor, key):
        return
    mail_id = mail_lead(work.session, work.clock, row, words)
    work.session.add(LeadNote(lead_id=row.id, **note_columns(work, words, mail_id=mail_id)))
    # The audit has who answered and when; the text is stored with the lead and deleted with it.
    note_audit_event(work, AuditEvent.LEAD_ANSWERED, subject_of(row))
    if row.state is LeadState.NEW:
        step_lead(work, row=row, into=LeadState.IN_TALKS)
    work.session.flush()


def send_enquiry_again(work: Work, *, enquiry_id: str, note_id: str) -> None:
    """Put the mail of a given-up answer back into the outbox, to the address recorded now.

    Raises `Refused` if the mail was not given up, and without an address; `NotFound` for an answer
    to another enquiry.
    """
    send_answer_again(work, locked(work.session, Enquiry, enquiry_id), note_id)


def send_lead_again(work: Work, *, lead_id: str, note_id: str) -> None:
    """Put the mail of a given-up answer back into the outbox, to the address recorded now.

    Raises `Refused` if the mail was not given up, `NotFound` for an answer to another lead.
    """
    send_answer_again(work, locked(work.session, Lead, lead_id), note_id)
