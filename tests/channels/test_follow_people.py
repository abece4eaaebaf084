"""The inbox goes along with tickets and enquiries: one conversation a person."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete, event, func, select
from sqlalchemy.orm import ORMExecuteState

from pms.channels.answers import answer_conversation
from pms.channels.conversation_lists import InboxVisibility, link_conversation
from pms.channels.conversation_merges import merge_conversations
from pms.channels.conversation_record import conversation_record
from pms.channels.conversation_threads import conversation_thread
from pms.channels.inbox_items import reopen_conversation
from pms.channels.messages import note_message
from pms.channels.sending import send_words
from pms.enquiries.enquiries import WrittenEnquiry, move_enquiry, receive_enquiry
from pms.enquiries.enquiry_answers import answer_enquiry
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.outbox import OutboxMail
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.inbox.models import Conversation, ConversationHandle, Enquiry
from pms.inbox.people import catch_up_with_people, follow_enquiries, follow_tickets
from pms.reservations.models import Reservation
from pms.rules.enumerations import EnquirySource, EnquiryState, TicketSide
from pms.rules.message_words import Channel, ConversationState
from pms.upkeep.ticket_updates import open_ticket
from pms.upkeep.tickets import answer_ticket, close_ticket, reopen_ticket
from tests.cast import Cast, House
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.surfaces.dashboard.conversation_records import begun, said

OFFICE = "person/office"


class Desk:
    """Opens tickets and enquiries of one house, each in a transaction of its own."""

    def __init__(self, database: Database, clock: FixedClock, house: House) -> None:
        self.database, self.clock, self.house = database, clock, house

    def ticket(self, text: str = "お湯が出ません。", **given: Any) -> str:
        usual: dict[str, Any] = {"reservation_id": self.house.resident_id, "subject": "給湯器"}
        resident = f"reservation/{self.house.resident_id}"
        with self.database.writing(self.house.workspace_id) as session:
            return open_ticket(
                Work(session, self.clock, resident), **usual | {"text": text} | given
            )

    def say(self, ticket_id: str, text: str, side: TicketSide = TicketSide.STAFF) -> None:
        self.clock.advance(timedelta(minutes=1))
        with self.database.writing(self.house.workspace_id) as session:
            answer_ticket(
                Work(session, self.clock, OFFICE), ticket_id=ticket_id, text=text, side=side
            )

    def ask(self, **given: Any) -> str:
        usual: dict[str, Any] = {
            "name": "林 光",
            "email": "Hikaru@example.jp",
            "source": EnquirySource.WEBSITE,
            "message": "空いていますか。",
        }
        with self.database.writing(self.house.workspace_id) as session:
            enquiry = WrittenEnquiry(**usual | given)
            return receive_enquiry(Work(session, self.clock, "key/site"), enquiry=enquiry)

    def conversations(self) -> list[Conversation]:
        with self.database.reading(self.house.workspace_id) as session:
            found = session.scalars(select(Conversation).order_by(Conversation.id)).all()
            session.expunge_all()
        return list(found)

    def only(self) -> Conversation:
        (one,) = self.conversations()
        return one


@pytest.fixture
def desk(database: Database, clock: FixedClock, cast: Cast) -> Desk:
    """Sumida's."""
    return Desk(database, clock, cast.sumida)


def test_a_report_of_a_resident_begins_a_conversation_that_waits_for_the_staff(desk: Desk) -> None:
    desk.ticket()
    one = desk.only()
    assert (one.name, one.channel, one.state) == ("佐藤 花子", "portal", "open")
    assert (one.awaits, one.last_words) == (TicketSide.STAFF, "お湯が出ません。")
    assert one.reservation_id == desk.house.resident_id
    assert one.search_text.startswith("佐藤 花子")


def test_what_is_said_moves_the_turn_and_the_last_words(desk: Desk) -> None:
    ticket_id = desk.ticket()
    desk.say(ticket_id, "明日伺います。")
    one = desk.only()
    assert (one.awaits, one.last_words) == (TicketSide.RESIDENT, "明日伺います。")
    assert one.last_message_at == desk.clock.now()
    desk.say(ticket_id, "お願いします。", TicketSide.RESIDENT)
    assert desk.only().awaits == TicketSide.STAFF


def test_an_enquiry_and_a_ticket_from_one_address_are_one_conversation(desk: Desk) -> None:
    enquiry_id = desk.ask(email=desk.house.resident_email.upper())
    desk.clock.advance(timedelta(hours=1))
    desk.ticket()
    one = desk.only()
    assert (one.channel, one.enquiry_id) == (Channel.PORTAL, enquiry_id)
    with desk.database.reading(desk.house.workspace_id) as session:
        handles = session.execute(
            select(ConversationHandle.channel, ConversationHandle.handle).order_by(
                ConversationHandle.channel
            )
        ).all()
    assert [tuple(handle) for handle in handles] == [
        (Channel.MAIL, desk.house.resident_email),
        (Channel.PORTAL, desk.house.resident_id),
    ]


def test_an_answered_enquiry_waits_for_whoever_asked_and_a_closed_one_for_nobody(
    desk: Desk,
) -> None:
    enquiry_id = desk.ask()
    assert desk.only().awaits == TicketSide.STAFF
    desk.clock.advance(timedelta(minutes=1))
    with desk.database.writing(desk.house.workspace_id) as session:
        answer_enquiry(
            Work(session, desk.clock, OFFICE), enquiry_id=enquiry_id, text="空いています。"
        )
    one = desk.only()
    assert (one.awaits, one.last_words) == (TicketSide.RESIDENT, "空いています。")
    with desk.database.writing(desk.house.workspace_id) as session:
        move_enquiry(
            Work(session, desk.clock, OFFICE), enquiry_id=enquiry_id, into=EnquiryState.LOST
        )
    one = desk.only()
    assert (one.state, one.awaits) == (ConversationState.DONE, TicketSide.NOBODY)


def test_an_enquiry_by_telephone_is_known_by_itself_and_moves_when_threads_become_one(
    desk: Desk,
) -> None:
    first = desk.ask(email=None, phone="090-1111-2222", message="一つ目")
    one = desk.only()
    assert one.enquiry_id == first
    desk.clock.advance(timedelta(minutes=1))
    second = desk.ask(email=None, phone="090-3333-4444", message="二つ目")
    [other] = [row for row in desk.conversations() if row.enquiry_id == second]
    with desk.database.writing(desk.house.workspace_id) as session:
        merge_conversations(
            Work(session, desk.clock, OFFICE), conversation_id=other.id, into_id=one.id
        )
    desk.clock.advance(timedelta(minutes=1))
    with desk.database.writing(desk.house.workspace_id) as session:
        follow_enquiries(session, None)
        record = conversation_record(session, one.id, InboxVisibility.everything())
        assert {asked.id for asked in record.enquiries} == {first, second}
        assert [way.channel for way in record.ways] == []
        thread = conversation_thread(session, one.id, record.handles, InboxVisibility.everything())
        assert [line.text for line in thread.lines] == ["一つ目", "二つ目"]
    assert len(desk.conversations()) == 2
    with desk.database.writing(desk.house.workspace_id) as session:
        move_enquiry(Work(session, desk.clock, OFFICE), enquiry_id=first, into=EnquiryState.LOST)
    [one] = [row for row in desk.conversations() if row.merged_into_id is None]
    assert (one.state, one.awaits) == (ConversationState.OPEN, TicketSide.STAFF)


def test_a_closed_ticket_ends_the_conversation_and_an_opened_one_takes_it_up(desk: Desk) -> None:
    ticket_id = desk.ticket()
    with desk.database.writing(desk.house.workspace_id) as session:
        close_ticket(Work(session, desk.clock, OFFICE), ticket_id=ticket_id)
    one = desk.only()
    assert (one.state, one.closed_by) == (ConversationState.DONE, "program")
    with desk.database.writing(desk.house.workspace_id) as session:
        reopen_ticket(Work(session, desk.clock, OFFICE), ticket_id=ticket_id)
    one = desk.only()
    assert (one.state, one.awaits) == (ConversationState.OPEN, TicketSide.STAFF)


def test_a_second_question_that_waits_is_not_hidden_by_the_answer_to_the_first(desk: Desk) -> None:
    first, _second = desk.ticket(), desk.ticket("網戸が外れました。", subject="網戸")
    desk.say(first, "伺います。")
    one = desk.only()
    assert (one.last_words, one.awaits) == ("伺います。", TicketSide.STAFF)


def test_what_was_there_before_is_caught_up_with_and_once_is_enough(desk: Desk) -> None:
    with desk.database.writing(desk.house.workspace_id) as session:
        for number in range(3):
            open_ticket(
                Work(session, desk.clock, f"reservation/{desk.house.resident_id}"),
                reservation_id=desk.house.resident_id,
                subject=f"{number}",
                text=f"{number}",
            )
    forget_conversations(desk)
    for _ in range(2):
        with desk.database.writing(desk.house.workspace_id) as session:
            follow_tickets(session, None)
            follow_enquiries(session, None)
        assert desk.only().awaits == TicketSide.STAFF


def test_the_inbox_costs_a_message_four_statements(desk: Desk) -> None:
    ticket_id = desk.ticket()
    with statements() as asked_statements:
        desk.say(ticket_id, "明日伺います。")
    of_inbox = [one for one in asked_statements if "conversation" in one.partition("WHERE")[0]]
    assert len(of_inbox) <= 4, of_inbox


def test_a_strangers_conversation_of_the_same_person_is_their_own(
    desk: Desk, database: Database, clock: FixedClock, cast: Cast
) -> None:
    theirs = Desk(database, clock, cast.minato)
    desk.ask()
    theirs.ask()
    assert desk.only().id != theirs.only().id
    with database.reading(cast.minato.workspace_id) as session:
        assert session.scalar(select(func.count(Conversation.id))) == 1


def test_the_daily_job_catches_up_part_by_part_and_then_rests(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pms.inbox.people.PEOPLE_AT_ONCE", 2)
    with desk.database.writing(desk.house.workspace_id) as session:
        for number in range(3):
            enquiry = WrittenEnquiry(
                name=f"人{number}",
                email=f"{number}@example.jp",
                source=EnquirySource.WEBSITE,
                message="空き",
            )
            receive_enquiry(Work(session, desk.clock, "key/site"), enquiry=enquiry)
    forget_conversations(desk)
    assert _day_of_catching_up(desk) == 3
    assert _day_of_catching_up(desk) == 0
    assert len(desk.conversations()) == 3


def forget_conversations(desk: Desk) -> None:
    """Have people's words stored as they were before there was an inbox."""
    with desk.database.writing(desk.house.workspace_id) as session:
        session.execute(delete(ConversationHandle))
        session.execute(delete(Conversation))


def _day_of_catching_up(desk: Desk) -> int:
    done, after = 0, None
    while True:
        with desk.database.writing(desk.house.workspace_id) as session:
            caught = catch_up_with_people(session, after)
        done, after = done + caught.done, caught.after
        if after is None:
            return done


def message_on_line(desk: Desk, text: str, side: TicketSide = TicketSide.RESIDENT) -> None:
    """Say something on LINE in the conversation of the house."""
    desk.clock.advance(timedelta(minutes=1))
    with desk.database.writing(desk.house.workspace_id) as session:
        row = session.scalars(select(Conversation)).one()
        message = said(session, desk.clock, row, text, channel=Channel.LINE, handle="U1", side=side)
        note_message(session, desk.clock, row, message)


def test_a_question_on_a_channel_waits_until_somebody_answers_it(desk: Desk) -> None:
    ticket_id = desk.ticket()
    desk.say(ticket_id, "明日伺います。")
    message_on_line(desk, "鍵をなくしました。")
    desk.say(ticket_id, "お湯は出ました。", TicketSide.RESIDENT)
    desk.clock.advance(timedelta(minutes=1))
    with desk.database.writing(desk.house.workspace_id) as session:
        close_ticket(Work(session, desk.clock, OFFICE), ticket_id=ticket_id)
        follow_tickets(session, None)
    one = desk.only()
    assert (one.state, one.awaits) == (ConversationState.OPEN, TicketSide.STAFF)
    message_on_line(desk, "お持ちします。", TicketSide.STAFF)
    with desk.database.writing(desk.house.workspace_id) as session:
        follow_tickets(session, None)
    one = desk.only()
    assert (one.state, one.awaits) == (ConversationState.OPEN, TicketSide.RESIDENT)


def test_a_ticket_that_waits_still_does_when_words_go_by_another_channel(desk: Desk) -> None:
    ticket_id = desk.ticket()
    message_on_line(desk, "こちらからもご連絡します。", TicketSide.STAFF)
    assert desk.only().awaits == TicketSide.STAFF
    with desk.database.writing(desk.house.workspace_id) as session:
        close_ticket(Work(session, desk.clock, OFFICE), ticket_id=ticket_id)
    one = desk.only()
    assert (one.state, one.awaits) == (ConversationState.OPEN, TicketSide.RESIDENT)


def test_an_enquiry_is_not_done_with_while_another_or_a_ticket_waits(desk: Desk) -> None:
    first = desk.ask(email=desk.house.resident_email)
    desk.ask(email=desk.house.resident_email, message="駐車場は？")
    ticket_id = desk.ticket()
    desk.say(ticket_id, "明日伺います。")
    desk.clock.advance(timedelta(minutes=1))
    with desk.database.writing(desk.house.workspace_id) as session:
        answer_enquiry(Work(session, desk.clock, OFFICE), enquiry_id=first, text="空いています。")
    assert desk.only().awaits == TicketSide.STAFF
    with desk.database.writing(desk.house.workspace_id) as session:
        for enquiry_id in session.scalars(select(Enquiry.id)).all():
            move_enquiry(
                Work(session, desk.clock, OFFICE), enquiry_id=enquiry_id, into=EnquiryState.LOST
            )
    one = desk.only()
    assert (one.state, one.awaits) == (ConversationState.OPEN, TicketSide.RESIDENT)


def test_mail_goes_to_the_address_as_it_was_corrected(desk: Desk) -> None:
    desk.ticket()
    conversation_id = desk.only().id
    before = desk.house.resident_email
    with desk.database.writing(desk.house.workspace_id) as session:
        stay = session.scalars(
            select(Reservation).where(Reservation.id == desk.house.resident_id)
        ).one()
        stay.email = "Hanako.New@example.jp"
    facts: dict[str, Any] = {
        "conversation_id": conversation_id,
        "channel": Channel.MAIL,
        "text": "はい。",
    }
    with desk.database.writing(desk.house.workspace_id) as session:
        record = conversation_record(session, conversation_id, InboxVisibility.everything())
        ways = [way.handle for way in record.ways if way.channel == Channel.MAIL]
        assert ways == ["hanako.new@example.jp"]
        with pytest.raises(Refused, match="person has no contact there"):
            send_words(Work(session, desk.clock, OFFICE), handle=before, **facts)
        answer_conversation(Work(session, desk.clock, OFFICE), **facts)
    with desk.database.reading(desk.house.workspace_id) as session:
        assert session.scalars(select(OutboxMail.recipient)).all() == ["hanako.new@example.jp"]


def test_what_was_opened_again_by_hand_is_not_ended_for_what_ended_before(desk: Desk) -> None:
    ticket_id = desk.ticket()
    with desk.database.writing(desk.house.workspace_id) as session:
        close_ticket(Work(session, desk.clock, OFFICE), ticket_id=ticket_id)
    conversation_id = desk.only().id
    desk.clock.advance(timedelta(minutes=1))
    with desk.database.writing(desk.house.workspace_id) as session:
        reopen_conversation(Work(session, desk.clock, OFFICE), conversation_id=conversation_id)
    opened = desk.only()
    desk.clock.advance(timedelta(hours=12))
    assert _day_of_catching_up(desk) == 0
    one = desk.only()
    assert (one.state, one.awaits) == (ConversationState.OPEN, opened.awaits)
    later = desk.ticket("直りました。")
    with desk.database.writing(desk.house.workspace_id) as session:
        close_ticket(Work(session, desk.clock, OFFICE), ticket_id=later)
    assert desk.only().state == ConversationState.DONE


@contextmanager
def locks() -> Iterator[list[str]]:
    """The tables whose rows are locked meanwhile, in order."""
    taken: list[str] = []

    def note(state: ORMExecuteState) -> None:
        mapper = state.bind_mapper
        if mapper is not None and getattr(state.statement, "_for_update_arg", None) is not None:
            taken.append(str(mapper.local_table))

    event.listen(WorkspaceSession, "do_orm_execute", note)
    try:
        yield taken
    finally:
        event.remove(WorkspaceSession, "do_orm_execute", note)


@pytest.mark.parametrize("first", ["ticket", "enquiry", "reservation"])
def test_an_answer_locks_what_it_is_written_in_before_the_conversation_as_everybody_does(
    desk: Desk, first: str
) -> None:
    if first == "enquiry":
        desk.ask()
    else:
        ticket_id = desk.ticket()
        if first == "reservation":
            with desk.database.writing(desk.house.workspace_id) as session:
                close_ticket(Work(session, desk.clock, OFFICE), ticket_id=ticket_id)
    conversation_id = desk.only().id
    with locks() as taken, desk.database.writing(desk.house.workspace_id) as session:
        answer_conversation(
            Work(session, desk.clock, OFFICE), conversation_id=conversation_id, text="はい。"
        )
    assert taken[0] == first
    assert "conversation" in taken


def test_a_thread_that_a_stay_was_put_beside_by_hand_does_not_swallow_the_residents_words(
    desk: Desk,
) -> None:
    with desk.database.writing(desk.house.workspace_id) as session:
        group = begun(session, desk.clock, name="家族のグループ", handle="C1")
        link_conversation(
            Work(session, desk.clock, OFFICE),
            conversation_id=group.id,
            reservation_id=desk.house.resident_id,
        )
        group_id = group.id
    desk.ticket()
    assert len(desk.conversations()) == 2
    with desk.database.reading(desk.house.workspace_id) as session:
        known = session.scalars(
            select(ConversationHandle.handle).where(ConversationHandle.conversation_id == group_id)
        ).all()
    assert known == ["C1"]
