"""The inbox: who sees what, answering on the right channel, what failed, templates, links."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

from pms.channels.conversation_merges import merge_conversations
from pms.enquiries.enquiries import WrittenEnquiry, receive_enquiry
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.outbox import OutboxMail, ProviderCall
from pms.foundation.work import Work
from pms.inbox.models import (
    Conversation,
    ConversationHandle,
    Enquiry,
    EnquiryNote,
    GuestMessage,
    Ticket,
    TicketMessage,
)
from pms.rules.enumerations import EnquirySource, EnquiryState, IntegrationKind, TicketSide
from pms.rules.message_words import Channel, MessageKind, MessageState
from pms.upkeep.ticket_updates import open_ticket
from pms.upkeep.tickets import answer_ticket, close_ticket
from pms.workspaces.models import Integration
from tests.cast import Cast, House
from tests.staff import Browser, Staff
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.surfaces.dashboard.conversation_records import begun, conversation_records, said
from tests.surfaces.dashboard.upkeep.test_tickets_screen import shared_ticket_id

__all__ = ["shared_ticket_id"]


@pytest.fixture
def house(cast: Cast) -> House:
    """Sumida's."""
    return cast.sumida


@pytest.fixture
def on_line(database: Database, clock: FixedClock, house: House) -> str:
    """Emma Wilson, the guest in 202, asks on LINE."""
    with database.writing(house.workspace_id) as session:
        row = begun(session, clock, name="Emma", reservation_id=house.guest_id)
        said(session, clock, row, "チェックインは何時ですか。")
        return row.id


@pytest.fixture
def line_is_connected(database: Database, clock: FixedClock, house: House) -> None:
    """Sumida has an account of LINE."""
    connect(database, clock, house, IntegrationKind.LINE)


def sent(browser: Browser, path: str, **fields: str) -> TestResponse:
    """Send a form."""
    return browser.post(path, fields)


def connect(database: Database, clock: FixedClock, house: House, kind: IntegrationKind) -> None:
    """Have a provider known, as far as sending asks."""
    with database.writing(house.workspace_id) as session:
        session.add(
            Integration(
                id=new_id(),
                kind=kind,
                address="https://line.example",
                sealed_secret="",
                hint="",
                set_at=clock.now(),
                set_by="staff",
            )
        )


def ticket(
    database: Database, clock: FixedClock, house: House, text: str = "お湯が出ません。"
) -> str:
    with database.writing(house.workspace_id) as session:
        return open_ticket(
            Work(session, clock, f"reservation/{house.resident_id}"),
            reservation_id=house.resident_id,
            subject="給湯器",
            text=text,
        )


def the_conversation(database: Database, house: House) -> Conversation:
    with database.reading(house.workspace_id) as session:
        row = session.scalars(select(Conversation)).one()
        session.expunge(row)
    return row


def test_without_anybody_the_inbox_says_who_appears_there(office: Browser) -> None:
    text = office.get("/conversations?lang=en").text
    assert "No open conversations" in text
    assert "email, LINE, WhatsApp and booking sites" in text


def test_who_waits_longest_stands_first_and_what_failed_above_all(
    office: Browser, database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        for name, side, state in (
            ("待つ人", TicketSide.RESIDENT, None),
            ("後から待つ人", TicketSide.RESIDENT, None),
            ("返事をした人", TicketSide.STAFF, MessageState.SENT),
            ("届かなかった人", TicketSide.STAFF, MessageState.FAILED),
        ):
            row = begun(session, clock, name=name, handle=new_id())
            given = {} if state is None else {"state": state}
            said(session, clock, row, f"{name}の言葉", side=side, **given)
            clock.advance(timedelta(minutes=5))
    text = office.get("/conversations?lang=en").text
    places = [
        text.index(f">{name}<")
        for name in ("届かなかった人", "待つ人", "後から待つ人", "返事をした人")
    ]
    assert places == sorted(places)
    assert "To answer (3)" in text
    assert "1 reply could not be delivered" in text


def test_filters_narrow_by_channel_colleague_turn_and_words(
    *,
    office: Browser,
    database: Database,
    clock: FixedClock,
    house: House,
    staff: Staff,
    on_line: str,
) -> None:
    ticket(database, clock, house)
    sent(office, f"/inbox/{on_line}/assignee", assigneeId=staff.office_id)
    for query, seen in (
        ("channel=line", "Emma"),
        ("channel=portal", "佐藤 花子"),
        (f"assigneeId={staff.office_id}", "Emma"),
        ("assigneeId=nobody", "佐藤 花子"),
        ("search=チェックイン", "Emma"),
        ("search=202", "Emma"),
        ("search=ｻﾄｳ", "佐藤 花子"),
    ):
        text = office.get(f"/conversations?{query}&lang=en").text
        others = {"Emma", "佐藤 花子"} - {seen}
        assert f">{seen}<" in text, query
        assert not any(f">{other}<" in text for other in others), query
    assert "No matching conversations" in office.get("/conversations?search=nobody&lang=en").text
    assert office.get("/conversations?channel=fax").status_code == 422


def test_all_channels_of_a_person_are_one_thread_in_order_of_time(
    office: Browser, database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        asked = WrittenEnquiry(
            name="佐藤 花子",
            email=house.resident_email,
            source=EnquirySource.WEBSITE,
            message="一番目の言葉",
        )
        receive_enquiry(Work(session, clock, "key/site"), enquiry=asked)
    clock.advance(timedelta(hours=1))
    ticket(database, clock, house, "二番目の言葉")
    clock.advance(timedelta(hours=1))
    with database.writing(house.workspace_id) as session:
        row = session.scalars(select(Conversation)).one()
        session.add(
            ConversationHandle(
                conversation_id=row.id, channel=Channel.LINE, handle="U1", added_at=clock.now()
            )
        )
        said(session, clock, row, "三番目の言葉", channel=Channel.LINE, handle="U1")
    text = office.get(f"/inbox/{row.id}?lang=en").text
    order = [text.index(words) for words in ("一番目の言葉", "二番目の言葉", "三番目の言葉")]
    assert order == sorted(order)
    assert "給湯器" in text
    assert all(f">{name}<" in text for name in ("Email", "Resident portal", "LINE"))


def test_an_answer_goes_to_the_ticket_that_waits_and_is_mailed(
    office: Browser, database: Database, clock: FixedClock, house: House
) -> None:
    ticket_id = ticket(database, clock, house)
    row = the_conversation(database, house)
    clock.advance(timedelta(minutes=5))
    answer = sent(office, f"/inbox/{row.id}/answers", text="明日伺います。", key="k1", seen="0")
    assert answer.status_code == 303
    with database.reading(house.workspace_id) as session:
        words = session.scalars(
            select(TicketMessage.text).where(
                TicketMessage.ticket_id == ticket_id,
                TicketMessage.side == TicketSide.STAFF,
                TicketMessage.text.is_not(None),
            )
        ).all()
        mail = session.scalars(select(OutboxMail)).one()
    assert words == ["明日伺います。"]
    assert mail.recipient == house.resident_email
    assert the_conversation(database, house).awaits == TicketSide.RESIDENT


def test_a_tap_that_arrives_twice_answers_once(
    office: Browser, database: Database, clock: FixedClock, house: House
) -> None:
    ticket(database, clock, house)
    row = the_conversation(database, house)
    for _ in range(2):
        sent(office, f"/inbox/{row.id}/answers", text="明日伺います。", key="same", seen="0")
    with database.reading(house.workspace_id) as session:
        assert len(session.scalars(select(OutboxMail)).all()) == 1


def test_an_enquiry_is_answered_as_an_enquiry(
    office: Browser, database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        asked = WrittenEnquiry(
            name="林 光", email="hikaru@example.jp", source=EnquirySource.WEBSITE, message="空き？"
        )
        enquiry_id = receive_enquiry(Work(session, clock, "key/site"), enquiry=asked)
    row = the_conversation(database, house)
    sent(office, f"/inbox/{row.id}/answers", text="空いています。", key="k", seen="0")
    with database.reading(house.workspace_id) as session:
        note = session.scalars(select(EnquiryNote)).one()
        enquiry = session.get_one(Enquiry, (house.workspace_id, enquiry_id))
        assert (note.text, note.is_answer) == ("空いています。", True)
        assert enquiry.state == EnquiryState.ANSWERED


@pytest.mark.usefixtures("line_is_connected")
def test_an_answer_on_line_waits_for_the_worker(
    office: Browser, database: Database, house: House, on_line: str
) -> None:
    answer = sent(office, f"/inbox/{on_line}/answers", text="15時からです。", key="k", seen="0")
    assert answer.status_code == 303, answer.text
    with database.reading(house.workspace_id) as session:
        message = session.scalars(
            select(GuestMessage).where(GuestMessage.side == TicketSide.STAFF)
        ).one()
        call = session.scalars(select(ProviderCall)).one()
    assert (message.text, message.state, message.channel) == (
        "15時からです。",
        MessageState.WAITING,
        Channel.LINE,
    )
    assert call.subject_id == message.id


def test_a_channel_without_a_provider_is_told_and_the_words_stay(
    office: Browser, on_line: str
) -> None:
    answer = sent(office, f"/inbox/{on_line}/answers?lang=en", text="15時から", key="k", seen="0")
    assert answer.status_code == 422
    assert "provider is set up" in answer.text
    assert "15時から" in answer.text


def test_who_was_answered_by_a_colleague_meanwhile_is_not_answered_unseen(
    office: Browser, database: Database, clock: FixedClock, house: House
) -> None:
    ticket_id = ticket(database, clock, house)
    row = the_conversation(database, house)
    seen = re.search(r'name="seen" value="([^"]*)"', office.get(f"/inbox/{row.id}").text)
    assert seen is not None
    clock.advance(timedelta(minutes=5))
    with database.writing(house.workspace_id) as session:
        answer_ticket(
            Work(session, clock, "person/other"), ticket_id=ticket_id, text="今日伺います。"
        )
    late = sent(
        office, f"/inbox/{row.id}/answers?lang=en", text="明日伺います。", key="k", seen=seen[1]
    )
    assert late.status_code == 422
    assert "colleague replied in the meantime" in late.text
    assert "明日伺います。" in late.text and "今日伺います。" in late.text
    now = re.search(r'name="seen" value="([^"]*)"', late.text)
    assert now is not None
    again = sent(office, f"/inbox/{row.id}/answers", text="明日も伺います。", key="k", seen=now[1])
    assert again.status_code == 303


def test_an_answer_to_one_ticket_does_not_land_in_another(
    office: Browser, database: Database, clock: FixedClock, house: House
) -> None:
    read = ticket(database, clock, house)
    row = the_conversation(database, house)
    page = office.get(f"/inbox/{row.id}").text
    shown = re.search(r'name="ticketId" value="([^"]*)"', page)
    assert shown is not None and shown[1] == read
    clock.advance(timedelta(minutes=5))
    other = ticket(database, clock, house, "鍵をなくしました。")
    words = {"text": "明日伺います。", "key": "k", "seen": "0"}
    late = sent(office, f"/inbox/{row.id}/answers?lang=en", **words, ticketId=read)
    assert late.status_code == 422
    assert "nother of their tickets" in late.text
    assert "明日伺います。" in late.text and "鍵をなくしました。" in late.text
    now = re.search(r'name="ticketId" value="([^"]*)"', late.text)
    assert now is not None and now[1] == other
    assert sent(office, f"/inbox/{row.id}/answers", **words, ticketId=other).status_code == 303


def test_a_new_ticket_is_about_the_stay_beside_the_thread(
    office: Browser, database: Database, clock: FixedClock, house: House
) -> None:
    ticket_id = ticket(database, clock, house)
    with database.writing(house.workspace_id) as session:
        close_ticket(Work(session, clock, "person/office"), ticket_id=ticket_id)
    clock.advance(timedelta(minutes=5))
    with database.writing(house.workspace_id) as session:
        row = session.scalars(select(Conversation)).one()
        session.add(
            ConversationHandle(
                conversation_id=row.id,
                channel=Channel.PORTAL,
                handle=house.guest_id,
                added_at=clock.now(),
            )
        )
    words = {"text": "点検があります。", "key": "k", "seen": "0", "ticketId": ""}
    assert sent(office, f"/inbox/{row.id}/answers", **words).status_code == 303
    with database.reading(house.workspace_id) as session:
        about = session.scalars(select(Ticket.reservation_id).where(Ticket.id != ticket_id)).one()
    assert about == house.resident_id


def test_a_message_that_failed_says_why_and_is_sent_again(
    office: Browser, database: Database, clock: FixedClock, house: House, on_line: str
) -> None:
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Conversation, (house.workspace_id, on_line))
        failed = said(
            session,
            clock,
            row,
            "15時からです。",
            side=TicketSide.STAFF,
            state=MessageState.FAILED,
            failure="The provider refused it.",
            external_id=None,
        ).id
    text = office.get(f"/inbox/{on_line}?lang=en").text
    assert "The provider refused it." in text
    assert "Send again" in text
    assert office.post(f"/inbox/{on_line}/messages/{failed}/retry").status_code == 303
    with database.reading(house.workspace_id) as session:
        message = session.get_one(GuestMessage, (house.workspace_id, failed))
        assert message.state == MessageState.WAITING
        assert not session.get_one(Conversation, (house.workspace_id, on_line)).has_failure
    assert office.post(f"/inbox/{on_line}/messages/{failed}/retry").status_code == 422


def test_words_that_were_taken_back_are_kept_from_view(
    office: Browser, database: Database, clock: FixedClock, house: House, on_line: str
) -> None:
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Conversation, (house.workspace_id, on_line))
        said(session, clock, row, "秘密", taken_back_at=clock.now())
        row.last_words = "—"
    text = office.get(f"/inbox/{on_line}?lang=en").text
    assert "This message was unsent." in text
    assert "秘密" not in text


def test_a_template_is_put_into_the_answer_below_what_stands_there(
    office: Browser, database: Database, clock: FixedClock, house: House, on_line: str
) -> None:
    made = sent(
        office,
        "/reply-templates",
        name="入居案内",
        textJa="{{name}}様、{{building}} {{unit}}は{{moveIn}}からです。{{moveOut}}",
        textEn="",
    )
    assert made.status_code == 303
    page = office.get(f"/inbox/{on_line}").text
    template_id = re.search(r'<option value="([0-9a-f]{32})">入居案内', page)
    assert template_id is not None
    filled = sent(
        office, f"/inbox/{on_line}/drafts", text="こんにちは。", templateId=template_id[1], key="k"
    )
    assert filled.status_code == 200
    box = re.search(r"<textarea[^>]*>(.*?)</textarea>", filled.text, re.DOTALL)
    assert box is not None
    assert box[1].strip().startswith("こんにちは。")
    assert "Emma Wilson様、シェアハウス カワセミ荘 202は2026年" in box[1]
    with database.reading(house.workspace_id) as session:
        assert session.scalars(select(GuestMessage)).one().side == TicketSide.RESIDENT


def test_a_place_that_nobody_filled_is_not_sent(office: Browser, on_line: str) -> None:
    answer = sent(
        office, f"/inbox/{on_line}/answers?lang=en", text="{{moveOut}}まで", key="k", seen="0"
    )
    assert answer.status_code == 422
    assert "{{moveOut}} is not filled in" in answer.text


def test_a_template_with_an_unknown_place_a_taken_name_or_no_words_is_refused(
    office: Browser,
) -> None:
    def written(**given: str) -> str:
        usual = {"name": "案内", "textJa": "はい", "textEn": ""}
        return sent(office, "/reply-templates?lang=en", **{**usual, **given}).text

    assert "placeholder" in written(textJa="{{balance}}")
    assert "the text in at least one language" in written(textJa="")
    written()
    assert "template called" in written()


def test_a_reservation_is_found_put_beside_and_taken_away(
    office: Browser, database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        row = begun(session, clock, name="花")
        said(session, clock, row, "こんにちは")
        conversation_id = row.id
    page = office.get(f"/inbox/{conversation_id}/reservation?search=101").text
    assert "佐藤 花子" in page
    sent(office, f"/inbox/{conversation_id}/reservation", reservationId=house.resident_id)
    text = office.get(f"/inbox/{conversation_id}?lang=en").text
    assert "佐藤 花子" in text and house.resident_email in text
    # Without a notice the contract's end is told, as on the page of the reservation.
    assert "31 Mar 2027" in text and "No end date" not in text
    sent(office, f"/inbox/{conversation_id}/reservation", reservationId="")
    assert (
        "No reservation was found for this person"
        in office.get(f"/inbox/{conversation_id}?lang=en").text
    )
    refused = sent(office, f"/inbox/{conversation_id}/reservation", reservationId="0" * 32)
    assert refused.status_code == 422


def test_two_threads_of_one_person_become_one_and_the_old_address_leads_there(
    office: Browser, database: Database, clock: FixedClock, house: House, on_line: str
) -> None:
    ticket(database, clock, house)
    with database.reading(house.workspace_id) as session:
        kept = session.scalars(
            select(Conversation.id).where(Conversation.channel == Channel.PORTAL)
        ).one()
    assert "Emma" in office.get(f"/inbox/{kept}/merging?search=Emma").text
    # They are beside different stays.
    assert sent(office, f"/inbox/{kept}/merging", otherId=on_line).status_code == 422
    sent(office, f"/inbox/{on_line}/reservation", reservationId="")
    assert sent(office, f"/inbox/{kept}/merging", otherId=on_line).status_code == 303
    moved = office.get(f"/inbox/{on_line}")
    assert moved.status_code == 303
    assert moved.location.endswith(f"/inbox/{kept}")
    assert "チェックイン" in office.get(f"/inbox/{kept}").text


def test_what_is_done_leaves_the_list_until_new_words_come(
    office: Browser, database: Database, clock: FixedClock, house: House
) -> None:
    ticket_id = ticket(database, clock, house)
    row = the_conversation(database, house)
    office.post(f"/inbox/{row.id}/closure")
    assert ">佐藤 花子<" not in office.get("/conversations").text
    assert ">佐藤 花子<" in office.get("/conversations?state=done").text
    clock.advance(timedelta(minutes=5))
    with database.writing(house.workspace_id) as session:
        resident = f"reservation/{house.resident_id}"
        answer_ticket(
            Work(session, clock, resident),
            ticket_id=ticket_id,
            text="まだです",
            side=TicketSide.RESIDENT,
        )
    assert ">佐藤 花子<" in office.get("/conversations").text


def test_whatsapp_says_when_its_day_is_over(
    office: Browser, database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        row = begun(session, clock, channel=Channel.WHATSAPP, handle="819011112222")
        said(session, clock, row, "Hello", handle="819011112222")
        conversation_id = row.id
    words = "does not allow free text now"
    assert words not in office.get(f"/inbox/{conversation_id}?lang=en").text
    clock.advance(timedelta(hours=24, minutes=1))
    assert words in office.get(f"/inbox/{conversation_id}?lang=en").text


def test_edited_words_are_marked_and_stand_below_those_before(
    office: Browser, database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        row = begun(session, clock, channel=Channel.WHATSAPP, handle="819011112222")
        said(session, clock, row, "On the 30th", external_id="wamid.1")
        said(session, clock, row, "On the 31st", quoted_id="wamid.1", is_edit=True)
        conversation_id = row.id
    page = office.get(f"/inbox/{conversation_id}?lang=en").text
    assert re.search(r"Edited\. Before:.*On the 30th.*On the 31st", page, re.DOTALL)


def test_maintenance_reads_tickets_of_own_projects_and_nothing_else(
    *,
    maintainer: Browser,
    office: Browser,
    database: Database,
    clock: FixedClock,
    house: House,
    shared_ticket_id: str,
    on_line: str,
) -> None:
    ticket(database, clock, house, "家賃について")
    with database.writing(house.workspace_id) as session:
        row = session.scalars(
            select(Conversation).where(Conversation.channel == Channel.PORTAL)
        ).one()
        said(session, clock, row, "LINEの秘密", channel=Channel.LINE, handle="U9")
        own = row.id
    inbox = maintainer.get("/conversations?lang=en").text
    assert "佐藤" not in inbox and "Emma" not in inbox and "LINEの秘密" not in inbox
    assert "101" in inbox
    thread = maintainer.get(f"/inbox/{own}?lang=en").text
    assert "火曜日に伺います。" in thread
    for hidden in ("家賃について", "LINEの秘密", "佐藤", house.resident_email):
        assert hidden not in thread
    assert maintainer.get(f"/inbox/{on_line}").status_code == 404
    answer = sent(maintainer, f"/inbox/{own}/answers", text="10時です。", key="m", channel="line")
    assert answer.status_code == 422
    answer = sent(maintainer, f"/inbox/{own}/answers", text="10時です。", key="m")
    assert answer.status_code == 303
    with database.reading(house.workspace_id) as session:
        text = session.scalars(
            select(TicketMessage.ticket_id).where(TicketMessage.text == "10時です。")
        ).one()
    assert text == shared_ticket_id


def test_an_answer_that_maintenance_cannot_see_does_not_lock_them_out(
    *,
    maintainer: Browser,
    database: Database,
    clock: FixedClock,
    house: House,
    shared_ticket_id: str,
) -> None:
    rent = ticket(database, clock, house, "家賃について")
    clock.advance(timedelta(minutes=5))
    with database.writing(house.workspace_id) as session:
        answer_ticket(Work(session, clock, "person/other"), ticket_id=rent, text="確認します。")
        row = session.scalars(select(Conversation)).one()
        conversation_id = row.id
    page = maintainer.get(f"/inbox/{conversation_id}").text
    assert "確認します。" not in page
    seen = re.search(r'name="seen" value="([^"]*)"', page)
    assert seen is not None
    answer = sent(
        maintainer, f"/inbox/{conversation_id}/answers", text="10時です。", key="m", seen=seen[1]
    )
    assert answer.status_code == 303, answer.text
    with database.reading(house.workspace_id) as session:
        text = session.scalars(
            select(TicketMessage.ticket_id).where(TicketMessage.text == "10時です。")
        ).one()
    assert text == shared_ticket_id


def test_a_picture_is_shown_and_a_file_is_saved_and_neither_is_sniffed(
    *,
    office: Browser,
    maintainer: Browser,
    stranger: Browser,
    database: Database,
    clock: FixedClock,
    house: House,
) -> None:
    records = conversation_records(database, clock, house)
    picture = office.get(f"/messages/{records['guest_message_id']}/file")
    assert picture.status_code == 200
    assert picture.headers["Content-Type"] == "image/webp"
    assert picture.headers["X-Content-Type-Options"] == "nosniff"
    with database.writing(house.workspace_id) as session:
        message = session.get_one(GuestMessage, (house.workspace_id, records["guest_message_id"]))
        message.kind, message.media_type = MessageKind.FILE, "text/html"
        message.media_name = "a.html"
    file = office.get(f"/messages/{records['guest_message_id']}/file")
    assert file.headers["Content-Type"] == "application/octet-stream"
    assert file.headers["Content-Disposition"].startswith("attachment;")
    assert maintainer.get(f"/messages/{records['guest_message_id']}/file").status_code == 403
    assert stranger.get(f"/messages/{records['guest_message_id']}/file").status_code == 404


def test_a_long_thread_begins_with_the_latest_fifty(
    office: Browser, database: Database, clock: FixedClock, house: House, on_line: str
) -> None:
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Conversation, (house.workspace_id, on_line))
        for number in range(60):
            clock.advance(timedelta(minutes=1))
            said(session, clock, row, f"言葉{number}。")
    latest = office.get(f"/inbox/{on_line}?lang=en").text
    assert "言葉59。" in latest and "言葉10。" in latest and "言葉9。" not in latest
    assert "Earlier messages" in latest
    earlier = office.get(f"/inbox/{on_line}?page=2&lang=en").text
    assert "言葉9。" in earlier and "チェックイン" in earlier and "Later messages" in earlier
    assert "<textarea" not in earlier


def test_many_conversations_ask_the_database_as_little_as_one(
    office: Browser, database: Database, clock: FixedClock, house: House, on_line: str
) -> None:
    def asked(address: str) -> int:
        with statements() as asked_statements:
            assert office.get(address).status_code == 200
        return len(asked_statements)

    asked("/conversations")
    few, one = asked("/conversations"), asked(f"/inbox/{on_line}")
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Conversation, (house.workspace_id, on_line))
        for number in range(30):
            clock.advance(timedelta(minutes=1))
            said(session, clock, row, f"言葉{number}。")
            other = begun(session, clock, name=f"人{number}", handle=f"U{number}")
            said(session, clock, other, "こんにちは", handle=f"U{number}")
    asked("/conversations")
    assert asked("/conversations") == few
    assert asked(f"/inbox/{on_line}") == one
    assert few <= 12, few
    assert one <= 40, one


def test_the_thread_is_asked_for_again_in_part(office: Browser, on_line: str) -> None:
    part = office.client.get(
        f"{office.home}/inbox/{on_line}?part=messages", headers={"HX-Request": "true"}
    ).text
    assert part.strip().startswith('<div id="messages"')
    assert "<textarea" not in part


def test_a_merged_conversation_is_not_answered_by_mistake(
    office: Browser, database: Database, clock: FixedClock, house: House, on_line: str
) -> None:
    with database.writing(house.workspace_id) as session:
        other = begun(session, clock, name="別", handle="U2").id
        merge_conversations(Work(session, clock, "staff"), conversation_id=other, into_id=on_line)
    answer = sent(office, f"/inbox/{other}/answers?lang=en", text="はい", key="k", seen="0")
    assert answer.status_code == 422, "no provider is connected; the words stay"
