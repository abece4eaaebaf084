"""The office corrects the language of a conversation; mails and what comes in later keep to it."""

import pytest
from sqlalchemy import select

from pms.enquiries.enquiries import WrittenEnquiry, receive_enquiry
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.inbox.models import Conversation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EnquirySource
from pms.upkeep.ticket_updates import open_ticket
from tests.cast import Cast, House
from tests.staff import Browser


@pytest.fixture
def house(cast: Cast) -> House:
    """Sumida's."""
    return cast.sumida


@pytest.fixture
def path(database: Database, clock: FixedClock, house: House) -> str:
    """Where the conversation is that a Japanese enquiry began."""
    with database.writing(house.workspace_id) as session:
        asked = WrittenEnquiry(
            name="Emma", email="emma@example.com", source=EnquirySource.WEBSITE, message="Free?"
        )
        receive_enquiry(Work(session, clock, "key/site"), enquiry=asked)
    return f"/inbox/{conversation(database, house).id}"


def conversation(database: Database, house: House) -> Conversation:
    with database.reading(house.workspace_id) as session:
        return session.scalars(select(Conversation)).one()


def corrected(office: Browser, database: Database, house: House, path: str) -> None:
    version = str(conversation(database, house).version)
    answer = office.post(f"{path}/language", {"locale": "en", "version": version})
    assert answer.status_code == 303


def test_a_corrected_language_is_kept_noted_and_the_next_mail_follows_it(
    office: Browser, database: Database, house: House, path: str
) -> None:
    assert "Their language is Japanese" in office.get(f"{path}?lang=en").text
    corrected(office, database, house, path)
    assert "Their language is English" in office.get(f"{path}?lang=en").text
    row = conversation(database, house)
    assert row.locale_by is not None
    office.post(f"{path}/answers", {"text": "Yes, it is.", "key": "k", "seen": "0"})
    row = conversation(database, house)
    assert row.locale == "en", "the answer to a Japanese enquiry brings nothing back"
    with database.reading(house.workspace_id) as session:
        (mail,) = session.scalars(select(OutboxMail)).all()
        audit_events = session.scalars(select(AuditRecord.audit_event)).all()
    assert 'lang="en"' in (mail.html or "")
    assert "Yes, it is." in mail.text
    assert audit_events.count(AuditEvent.CONVERSATION_LANGUAGE_SET) == 1


def test_words_in_the_portal_keep_it_and_are_answered_in_it(
    office: Browser, database: Database, clock: FixedClock, house: House
) -> None:
    def written(text: str) -> None:
        with database.writing(house.workspace_id) as session:
            open_ticket(
                Work(session, clock, f"reservation/{house.resident_id}"),
                reservation_id=house.resident_id,
                subject=text,
                text=text,
            )

    written("給湯器")
    before = conversation(database, house)
    other = "ja" if before.locale == "en" else "en"
    path = f"/inbox/{before.id}"
    asked = {"locale": other, "version": str(before.version)}
    assert office.post(f"{path}/language", asked).status_code == 303
    written("エアコン")
    assert conversation(database, house).locale == other
    office.post(f"{path}/answers", {"text": "明日伺います。", "key": "k", "seen": "0"})
    with database.reading(house.workspace_id) as session:
        (mail,) = session.scalars(select(OutboxMail)).all()
    assert f'lang="{other}"' in (mail.html or "")


def test_what_was_seen_otherwise_or_is_no_language_is_refused(
    office: Browser, maintainer: Browser, database: Database, house: House, path: str
) -> None:
    corrected(office, database, house, path)
    stale = office.post(f"{path}/language?lang=en", {"locale": "ja", "version": "1"})
    assert stale.status_code in (409, 422)
    assert "colleague changed this conversation" in stale.text
    for wrong in ("fr", ""):
        answer = office.post(f"{path}/language?lang=en", {"locale": wrong, "version": "1"})
        assert answer.status_code == 422
        assert "hoose Japanese or English" in answer.text
    same = office.post(f"{path}/language", {"locale": "en", "version": "1"})
    assert same.status_code == 303, "sent twice it is still so"
    assert conversation(database, house).locale == "en"
    refused = maintainer.post(f"{path}/language", {"locale": "ja", "version": "1"})
    assert refused.status_code in (403, 404)
