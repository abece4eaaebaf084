"""Enquiries are stored once, linked to earlier ones, and seen by nobody else."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from icalendar import Calendar
from sqlalchemy import select

from pms.enquiries.enquiries import WrittenEnquiry, edit_enquiry, move_enquiry, receive_enquiry
from pms.enquiries.enquiry_answers import answer_enquiry
from pms.enquiries.enquiry_lists import (
    EnquirySearch,
    enquiry_record,
    find_enquiries,
    list_enquiries,
)
from pms.enquiries.viewing_lists import ViewingSearch, list_viewings, viewing_record
from pms.enquiries.viewings import WantedViewing, book_viewing, cancel_viewing, move_viewing
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.files import Files
from pms.foundation.lists import Paging
from pms.foundation.outbox import OutboxMail
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.inbox.models import Enquiry
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EnquirySource, EnquiryState
from tests.cast import Cast

PAGE = Paging(1, 50)
SITE = "key/website"
AT = datetime(2026, 11, 24, 5, 0, tzinfo=UTC)


def asked(session: WorkspaceSession, clock: FixedClock, **given: Any) -> str:
    """Have somebody ask by the website."""
    external_id = given.pop("external_id", None)
    usual = {"name": "林 光", "email": "hikaru@example.jp", "source": EnquirySource.WEBSITE}
    enquiry = WrittenEnquiry(**{**usual, **given})
    return receive_enquiry(Work(session, clock, SITE), enquiry=enquiry, external_id=external_id)


def test_an_enquiry_that_is_sent_again_collides_and_is_stored_once(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        asked(session, clock, external_id="site-1")
        with pytest.raises(Collision, match="externalId: 'site-1' has already been used"):
            asked(session, clock, external_id="site-1")
    with database.writing(cast.minato.workspace_id) as session:
        asked(session, clock, external_id="site-1")
        assert list_enquiries(session, EnquirySearch(), PAGE).total == 1


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"email": None}, "email"),
        ({"email": "nobody"}, "email"),
        ({"phone": "call me"}, "phone"),
        ({"name": "  "}, "name"),
        ({"locale": "fr"}, "locale"),
        ({"unit_id": "elsewhere"}, "unitId"),
        ({"building_id": "0" * 32}, "buildingId"),
        ({"message": "a\x00b"}, "message"),
        ({"message": "あ" * 10_001}, "message"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_name(
    database: Database, clock: FixedClock, cast: Cast, given: dict[str, Any], field: str
) -> None:
    with (
        pytest.raises(Refused, match=f"^{field}:"),
        database.writing(cast.sumida.workspace_id) as session,
    ):
        asked(session, clock, **given)


def test_a_corrected_address_finds_the_earlier_enquiry_and_a_stale_edit_collides(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        first = asked(session, clock)
        second = asked(session, clock, email="typo@example.jp")
        assert enquiry_record(session, second).enquiry.duplicate_of_id is None
        written = WrittenEnquiry(
            name="林 光", email="Hikaru@Example.jp", source=EnquirySource.WEBSITE
        )
        assert (
            edit_enquiry(
                Work(session, clock, "office"), enquiry_id=second, version=1, written=written
            )
            == 2
        )
        record = enquiry_record(session, second)
        assert record.enquiry.duplicate_of_id == first
        assert [one.id for one in record.others] == [first]
        with pytest.raises(Collision, match="version"):
            edit_enquiry(
                Work(session, clock, "office"), enquiry_id=second, version=1, written=written
            )
        unchanged: dict[str, Any] = {"enquiry_id": second, "version": 2, "written": written}
        assert edit_enquiry(Work(session, clock, "office"), **unchanged) == 2


def test_an_answer_moves_a_new_enquiry_on_and_leaves_a_closed_one_closed(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        enquiry_id = asked(session, clock)
        by_phone = asked(session, clock, email=None, phone="03-0000-0000")
        answer_enquiry(Work(session, clock, "office"), enquiry_id=enquiry_id, text="はい。")
        move_enquiry(Work(session, clock, "office"), enquiry_id=enquiry_id, into=EnquiryState.LOST)
        answer_enquiry(Work(session, clock, "office"), enquiry_id=enquiry_id, text="残念です。")
        assert enquiry_record(session, enquiry_id).enquiry.state is EnquiryState.LOST
        with pytest.raises(Refused, match="no email address"):
            answer_enquiry(Work(session, clock, "office"), enquiry_id=by_phone, text="はい。")
        question = select(AuditRecord.audit_event).where(AuditRecord.subject_id == enquiry_id)
        audit_events = sorted(session.scalars(question))
        texts = " ".join(str(each) for each in session.scalars(select(AuditRecord.after)))
    assert audit_events == sorted(
        [
            AuditEvent.ENQUIRY_RECEIVED,
            *[AuditEvent.ENQUIRY_ANSWERED] * 2,
            *[AuditEvent.ENQUIRY_MOVED] * 2,
        ]
    )
    assert "残念" not in texts, "the words stand with the enquiry and nowhere else"


def test_the_words_of_an_enquiry_are_found_however_they_are_typed(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        asked(session, clock, name="ﾊﾔｼ ﾋｶﾙ", message="ピアノは弾けますか")
        for words in ("はやし", "ハヤシ ぴあの", "HIKARU@"):
            assert len(find_enquiries(session, words, 5)) == 1, words
        assert find_enquiries(session, "ぎたー", 5) == []
        assert find_enquiries(session, "  ", 5) == []
    with database.reading(cast.minato.workspace_id) as session:
        assert find_enquiries(session, "はやし", 5) == []


def test_a_stranger_meets_neither_enquiry_nor_viewing(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        enquiry_id = asked(session, clock)
    with database.writing(cast.minato.workspace_id) as session:
        with pytest.raises(NotFound):
            enquiry_record(session, enquiry_id)
        with pytest.raises(NotFound):
            move_enquiry(Work(session, clock, "x"), enquiry_id=enquiry_id, into=EnquiryState.LOST)
        with pytest.raises(NotFound):
            viewing_record(session, cast.sumida.viewing_id)
        with pytest.raises(Refused, match="unitId"):
            asked(session, clock, unit_id=cast.sumida.free_room_id)
        assert session.scalars(select(Enquiry)).all() == []


def test_the_calendar_file_replaces_and_removes_what_the_visitors_calendar_holds(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    files = Files(database.settings)
    wanted = WantedViewing(
        unit_id=cast.sumida.free_room_id,
        starts_at=AT,
        minutes=30,
        visitor_name="林 光",
        visitor_email="hikaru@example.jp",
    )
    with database.writing(cast.sumida.workspace_id) as session:
        viewing_id = book_viewing(Work(session, clock, "office"), files, wanted=wanted)
        moved: dict[str, Any] = {"viewing_id": viewing_id, "minutes": 45, "host_id": None}
        later = AT + timedelta(hours=2)
        move_viewing(Work(session, clock, "office"), files, version=1, starts_at=later, **moved)
        with pytest.raises(Collision, match="version"):
            move_viewing(Work(session, clock, "office"), files, version=1, starts_at=AT, **moved)
        listed, _total = list_viewings(session, ViewingSearch(), PAGE)
        cancel_viewing(Work(session, clock, "office"), files, viewing_id=viewing_id)
        session.flush()
        keys = [
            mail.attachments[0]["file_key"]
            for mail in session.scalars(select(OutboxMail).order_by(OutboxMail.id))
        ]
    assert viewing_id in {one.id for one in listed}, "the API lists the same rows"
    calendars: list[Any] = [Calendar.from_ical(files.get(key) or b"") for key in keys]
    events = [calendar.events[0] for calendar in calendars]
    assert len({event["uid"] for event in events}) == 1
    assert [int(event["sequence"]) for event in events] == [0, 1, 2]
    assert [event["dtstart"].dt for event in events] == [AT, later, later]
    assert events[1]["dtend"].dt == later + timedelta(minutes=45)
    assert [str(calendar["method"]) for calendar in calendars] == ["PUBLISH", "PUBLISH", "CANCEL"]
    assert str(events[2]["status"]) == "CANCELLED"


def test_nothing_is_mailed_without_an_address_nor_about_what_is_over(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    files = Files(database.settings)
    usual: dict[str, Any] = {
        "unit_id": cast.sumida.free_room_id,
        "minutes": 30,
        "visitor_name": "通りがかり",
    }
    with database.writing(cast.sumida.workspace_id) as session:
        by_phone = WantedViewing(**usual, starts_at=AT, visitor_phone="03-0000-0000")
        book_viewing(Work(session, clock, "office"), files, wanted=by_phone)
        earlier = clock.now() - timedelta(hours=1)
        dropped_in = WantedViewing(**usual, starts_at=earlier, visitor_email="in@example.jp")
        book_viewing(Work(session, clock, "office"), files, wanted=dropped_in)
        assert session.scalars(select(OutboxMail)).all() == []
        with pytest.raises(Refused, match="email"):
            book_viewing(
                Work(session, clock, "office"), files, wanted=WantedViewing(**usual, starts_at=AT)
            )
