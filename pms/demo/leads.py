"""The leads of the demo: who applied with which résumé, and what was answered."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.demo.enquiries import NO_SUCH_ADDRESS
from pms.demo.rows import read_toml
from pms.enquiries.enquiry_answers import answer_lead
from pms.enquiries.leads import assign_lead, move_lead, note_lead, office_people
from pms.enquiries.models import LeadNote
from pms.enquiries.received_leads import WrittenLead, receive_lead
from pms.enquiries.resume_files import read_resume
from pms.foundation.clock import FixedClock
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.rules.message_words import LeadState
from pms.site.models import Position

_DEMO: Final = "demo"
_UNREACHED: Final = "sales@akebono-clean.example.jp"


class DemoApplication(NamedTuple):
    """One lead: how many days ago it came, for the how manyth position, and what became of it."""

    days_ago: int
    name: str
    email: str
    message: str
    position: int | None = None
    phone: str | None = None
    resume: Sequence[str] = ()
    answer: str | None = None
    note: str | None = None
    into: Sequence[LeadState] = ()
    locale: str = "ja"


APPLICATIONS: Final = tuple(
    DemoApplication(**row | {"into": tuple(map(LeadState, row.get("into", ())))})
    for row in read_toml("leads")["lead"]
)


def keep_leads(session: Session, now: datetime, files: Files) -> None:
    """Keep nine leads in every state, one of somebody who applied before."""
    positions = session.scalars(select(Position.id).order_by(Position.order, Position.id)).all()
    office = [person.person_id for person in office_people(session)]
    for number, application in enumerate(APPLICATIONS):
        wanted = None if application.position is None else positions[application.position :][:1]
        position = wanted[0] if wanted else None
        lead_id = _receive_application(session, now, files, application, position)
        looked_after_by = office[number % len(office)] if office else None
        if application.answer:
            person_id = looked_after_by
            clock = _clock_of(now, application.days_ago, hours=5)
            actor = f"person/{person_id}" if person_id else _DEMO
            assign_lead(Work(session, clock, actor), lead_id=lead_id, person_id=person_id)
            answer_lead(Work(session, clock, actor), lead_id=lead_id, text=application.answer)
            later = _clock_of(now, application.days_ago - 4, hours=2)
            if application.note:
                note_lead(Work(session, later, actor), lead_id=lead_id, text=application.note)
            for state in application.into:
                move_lead(Work(session, later, actor), lead_id=lead_id, into=state)
    session.flush()
    # What was answered has long been read, but for one: nobody is to find it in the post today.
    answered = select(LeadNote.mail_id).where(LeadNote.mail_id.is_not(None))
    for mail in session.scalars(select(OutboxMail).where(OutboxMail.id.in_(answered))):
        mail.sent_at, mail.due_at = mail.written_at, None
        if mail.recipient == _UNREACHED:
            mail.sent_at, mail.given_up_at, mail.failure = None, now, NO_SUCH_ADDRESS
    session.flush()


def _receive_application(
    session: Session,
    now: datetime,
    files: Files,
    application: DemoApplication,
    position_id: str | None,
) -> str:
    if not application.resume:
        resume = None
    elif application.locale == "en":
        resume = read_resume("resume.pdf", pdf_resume(*application.resume))
    else:
        resume = read_resume(
            f"{application.resume[0]}_{application.name}.docx", word_resume(*application.resume)
        )
    lead = WrittenLead(
        name=application.name,
        email=application.email,
        phone=application.phone,
        message=application.message,
        position_id=position_id,
        locale=application.locale,
    )
    return receive_lead(
        Work(session, _clock_of(now, application.days_ago), _DEMO),
        lead=lead,
        resume=resume,
        resume_key=files.put_alone(resume.content, resume.suffix) if resume else None,
    )


def _clock_of(now: datetime, days_ago: int, hours: int = 0) -> FixedClock:
    return FixedClock(min(now, now - timedelta(days=days_ago) + timedelta(hours=hours)))


_TYPES: Final = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels"
 ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
</Types>"""
_LINKS: Final = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Target="word/document.xml"
 Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/>
</Relationships>"""
_WORDS: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_LONG_AGO: Final = (2026, 1, 1, 0, 0, 0)


def word_resume(*lines: str) -> bytes:
    """Return a Word file of paragraphs."""
    paragraphs = "".join(f"<w:p><w:r><w:t>{escape(line)}</w:t></w:r></w:p>" for line in lines)
    body = f'<w:document xmlns:w="{_WORDS}"><w:body>{paragraphs}</w:body></w:document>'
    packed = io.BytesIO()
    parts = {"[Content_Types].xml": _TYPES, "_rels/.rels": _LINKS, "word/document.xml": body}
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), content)
    return packed.getvalue()


def pdf_resume(*lines: str) -> bytes:
    """Return a PDF of one page in Latin letters."""
    shown = "".join(f"({line}) Tj T* " for line in lines)
    text = f"BT /F1 14 Tf 72 760 Td 22 TL {shown}ET".encode("latin-1")
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(text), text),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    written, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return written + head + table + tail % (len(objects) + 1, len(written))
