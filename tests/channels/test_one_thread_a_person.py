"""One thread a person: who is certainly the same goes on there, who is not begins anew."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import select, update

from pms.catalogue.calendar_feeds import read_calendar
from pms.catalogue.calendar_imports import import_calendar
from pms.channels.conversation_merges import merge_conversations
from pms.channels.inbox_items import lock_message
from pms.channels.taken_back_messages import take_back_message
from pms.enquiries.enquiries import WrittenEnquiry, receive_enquiry
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.work import Work
from pms.inbox.models import Conversation, ConversationHandle, GuestMessage
from pms.rules.enumerations import EnquirySource, Lifecycle, ReservationKind, TicketSide
from pms.rules.message_words import Channel, ConversationState, WebhookSource
from pms.stays.models import CheckInLink
from tests.channels.intake import Intake, line, line_text, whatsapp, whatsapp_text

LINE, WHATSAPP, OTA = WebhookSource.LINE, WebhookSource.WHATSAPP, WebhookSource.OTA
PHONE = "090-1234-5678"
CALENDARS = Path(__file__).parents[1] / "samples" / "calendars"


def writes_on_whatsapp(intake: Intake, key: str = "wamid.1", number: str = "819012345678") -> None:
    intake.delivered(WHATSAPP, whatsapp([whatsapp_text(number, "Hello", key)]))


def test_a_number_of_one_resident_leads_to_them(ours: Intake, theirs: Intake) -> None:
    for one in (ours, theirs):
        one.contact(phone=PHONE)
    writes_on_whatsapp(ours)
    [row] = ours.conversations
    assert (row.reservation_id, row.name) == (ours.house.resident_id, "佐藤 花子")
    assert {(one.channel, one.handle) for one in ours.handles} == {
        (Channel.WHATSAPP, "819012345678"),
        (Channel.PORTAL, ours.house.resident_id),
        (Channel.MAIL, ours.house.resident_email),
    }
    assert theirs.conversations == []


def test_an_address_that_two_stays_have_joins_nobody(ours: Intake) -> None:
    ours.contact(phone=PHONE)
    ours.tenant(name="佐藤 次郎", email=ours.house.resident_email)
    writes_on_whatsapp(ours)
    assert {one.channel for one in ours.handles} == {Channel.WHATSAPP, Channel.PORTAL}


def test_a_number_of_two_residents_leads_to_nobody(ours: Intake) -> None:
    ours.contact(phone=PHONE)
    ours.tenant(name="佐藤 次郎", phone="+81 90 1234 5678")
    writes_on_whatsapp(ours)
    assert [one.reservation_id for one in ours.conversations] == [None]


def test_the_number_of_somebody_who_left_leads_to_nobody(ours: Intake) -> None:
    ours.contact(phone=PHONE, lifecycle=Lifecycle.SETTLED, move_out_date=date(2026, 10, 31))
    writes_on_whatsapp(ours)
    assert [one.reservation_id for one in ours.conversations] == [None]


def test_a_number_of_an_open_enquiry_leads_to_who_asked(ours: Intake) -> None:
    asked = WrittenEnquiry(
        source=EnquirySource.WEBSITE,
        name="高橋 葵",
        email="aoi@example.jp",
        phone=PHONE,
        message="空室はありますか。",
    )
    ours.do(receive_enquiry, enquiry=asked)
    ours.works()
    before = len(ours.conversations)
    writes_on_whatsapp(ours)
    row = ours.conversation_of("819012345678")
    assert row.enquiry_id is not None
    assert row.name == "高橋 葵"
    assert len(ours.conversations) == max(before, 1)


def test_whoever_hides_the_number_later_stays_the_same_person(ours: Intake) -> None:
    message = whatsapp_text("819012345678", "Hello", "wamid.1") | {"from_user_id": "JP.1"}
    ours.delivered(WHATSAPP, whatsapp([message]))
    hidden = {key: value for key, value in message.items() if key != "from"}
    ours.delivered(WHATSAPP, whatsapp([hidden | {"id": "wamid.2"}]))
    assert len(ours.messages) == 2
    assert len(ours.conversations) == 1


def relayed(intake: Intake, message_id: str, **more: str) -> None:
    body = {
        **{"channel": "airbnb", "messageId": message_id, "guestName": "Marit", "text": "Hi"},
        "sentAt": "2026-11-20T02:58:41Z",
        **more,
    }
    intake.delivered(OTA, body)


def test_a_booking_that_a_stay_is_noted_with_leads_to_its_guest(ours: Intake) -> None:
    stay = ours.tenant(
        kind=ReservationKind.GUEST,
        name="Marit Olsen",
        note="Airbnb HMX1TEST02, late arrival",
        move_in_date=date(2026, 11, 25),
        contract_end_date=date(2026, 11, 29),
        lifecycle=Lifecycle.CONFIRMED,
    )
    relayed(ours, "1", bookingReference="HMX1TEST02")
    relayed(ours, "2", bookingReference="HMX1TEST0", conversationId="other")
    assert ours.conversation_of("airbnb#HMX1TEST02").reservation_id == stay
    assert ours.conversation_of("airbnb/other").reservation_id is None
    # The same guest on another channel is the same stay, so the same thread.
    relayed(ours, "3", channel="vrbo", bookingReference="HMX1TEST02")
    assert ours.conversation_of("vrbo#HMX1TEST02").reservation_id == stay
    assert len(ours.conversations) == 2


def test_a_booking_and_a_thread_of_one_channel_are_one_person(ours: Intake) -> None:
    relayed(ours, "1", bookingReference="HMX1TEST02")
    relayed(ours, "2", bookingReference="HMX1TEST02", conversationId="t-1")
    relayed(ours, "3", conversationId="t-1")
    assert len(ours.conversations) == 1
    assert len(ours.messages) == 3


def test_parallel_first_messages_of_a_new_person_make_one_conversation(ours: Intake) -> None:
    def write(number: int) -> None:
        ours.delivered(LINE, line(line_text("U1", f"words {number}", number)))

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(write, range(1, 7)))
    ours.works()
    assert len(ours.conversations) == 1
    assert len(ours.messages) == 6


@pytest.mark.parametrize("times", range(3))
def test_parallel_first_messages_on_two_channels_make_one_conversation(
    ours: Intake, times: int
) -> None:
    from pms.channels.conversations import Writer, find_conversation

    ours.contact(phone=PHONE)

    def find(handle: str) -> str:
        writer = Writer(handles=((Channel.WHATSAPP, handle),), name="x", phone="+819012345678")
        with ours.database.writing(ours.house.workspace_id) as session:
            return find_conversation(session, ours.clock, writer).id

    with ThreadPoolExecutor(6) as threads:
        found = set(threads.map(find, [f"{times}-{number}" for number in range(6)]))
    assert len(found) == 1
    assert len(ours.conversations) == 1


def two_threads(intake: Intake) -> tuple[Conversation, Conversation]:
    intake.delivered(LINE, line(line_text("U1", "LINE から")))
    writes_on_whatsapp(intake)
    return intake.conversation_of("U1"), intake.conversation_of("819012345678")


def test_two_threads_of_one_person_become_one(ours: Intake) -> None:
    first, second = two_threads(ours)
    ours.do(
        merge_conversations,
        conversation_id=second.id,
        into_id=first.id,
        expected_version=second.version,
    )
    assert {one.conversation_id for one in ours.messages} == {first.id}
    assert {one.conversation_id for one in ours.handles} == {first.id}
    [gone] = [one for one in ours.conversations if one.id == second.id]
    assert (gone.merged_into_id, gone.state) == (first.id, ConversationState.DONE)
    writes_on_whatsapp(ours, "wamid.2")
    assert ours.messages[-1].conversation_id == first.id
    [row] = [one for one in ours.conversations if one.id == first.id]
    assert (row.awaits, row.merged_into_id) == (TicketSide.STAFF, None)


def test_what_waited_for_a_merge_is_written_where_the_thread_goes_on(ours: Intake) -> None:
    first, second = two_threads(ours)
    ours.do(merge_conversations, conversation_id=second.id, into_id=first.id)
    # As whoever waited for the lock still sees it: the handle and the message of before.
    with ours.database.writing(ours.house.workspace_id) as session:
        for model in (ConversationHandle, GuestMessage):
            session.execute(
                update(model)
                .where(model.channel == Channel.WHATSAPP)
                .values(conversation_id=second.id)
            )
    writes_on_whatsapp(ours, "wamid.2")
    [new] = [one for one in ours.messages if one.external_id == "wamid.2"]
    assert new.conversation_id == first.id
    [old] = [one for one in ours.messages if one.external_id == "wamid.1"]
    with ours.database.writing(ours.house.workspace_id) as session:
        assert lock_message(session, old.id).conversation.id == first.id
        take_back_message(
            Work(session, ours.clock, "webhook/whatsapp"),
            message=session.scalars(select(GuestMessage).where(GuestMessage.id == old.id)).one(),
            at=ours.clock.now(),
        )
    [gone] = [one for one in ours.conversations if one.id == second.id]
    assert (gone.version, gone.awaits) == (second.version + 1, TicketSide.NOBODY)


def test_threads_of_different_stays_strangers_and_changed_ones_are_not_merged(
    ours: Intake, theirs: Intake
) -> None:
    first, second = two_threads(ours)
    stranger, _ = two_threads(theirs)
    ids = {"conversation_id": first.id, "into_id": second.id}
    with pytest.raises(Collision):
        ours.do(merge_conversations, **ids, expected_version=99)
    for into in (stranger.id, "nobody"):
        with pytest.raises(NotFound):
            ours.do(merge_conversations, conversation_id=first.id, into_id=into)
    with pytest.raises(Refused):
        ours.do(merge_conversations, conversation_id=first.id, into_id=first.id)
    ours.do(link, one=first.id, reservation_id=ours.house.resident_id)
    ours.do(link, one=second.id, reservation_id=ours.house.guest_id)
    with pytest.raises(Refused, match="different stays"):
        ours.do(merge_conversations, **ids)
    ours.do(link, one=second.id, reservation_id=None)
    ours.do(merge_conversations, **ids)
    with pytest.raises(Refused, match="Open the conversation"):
        ours.do(merge_conversations, conversation_id=second.id, into_id=first.id)
    [row] = [one for one in ours.conversations if one.id == second.id]
    assert row.reservation_id == ours.house.resident_id


def link(work, *, one, reservation_id) -> None:  # type: ignore[no-untyped-def]
    row = work.session.scalars(select(Conversation).where(Conversation.id == one)).one()
    row.reservation_id = reservation_id


def guest_of_calendar(intake: Intake) -> str:
    """The guest of the sample calendar's second booking, booked by a link of our own."""
    return intake.tenant(
        kind=ReservationKind.GUEST,
        name="Marit Olsen",
        move_in_date=date(2026, 11, 25),
        contract_end_date=date(2026, 11, 29),
        lifecycle=Lifecycle.CONFIRMED,
    )


def test_a_booking_of_a_channels_calendar_leads_to_who_stays_on_those_nights(
    ours: Intake, theirs: Intake
) -> None:
    for one in (ours, theirs):
        stay = guest_of_calendar(one)
        one.do(
            import_calendar,
            reading=read_calendar((CALENDARS / "airbnb.ics").read_bytes(), one.clock.today()),
            unit_id=one.house.free_room_id,
            commit=True,
        )
        one.sample(OTA, "01")
        row = one.conversation_of("airbnb/at-5510022")
        assert (row.reservation_id, row.name) == (stay, "Marit Olsen")


def test_a_booking_that_a_check_in_link_was_made_for_leads_to_its_guest(ours: Intake) -> None:
    stay = guest_of_calendar(ours)
    with ours.database.writing(ours.house.workspace_id) as session:
        session.add(
            CheckInLink(
                reservation_id=stay,
                nonce="0" * 32,
                external_id="HMX1TEST02",
                created_at=ours.clock.now(),
                created_by="staff",
            )
        )
    ours.sample(OTA, "01")
    assert ours.conversation_of("airbnb/at-5510022").reservation_id == stay
