"""Enquiries at the desk: taken in, recognised, answered, moved on; viewings booked and told."""

import re
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from pms.enquiries.enquiries import WrittenEnquiry, receive_enquiry
from pms.enquiries.models import Viewing
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.inbox.models import Enquiry, EnquiryNote
from pms.reservations.models import Reservation
from pms.rules.enumerations import EnquirySource, EnquiryState, ViewingStatus
from tests.cast import Cast
from tests.staff import Browser, Staff
from tests.surfaces.agent_api.test_questions_to_the_database import statements

ASKED: dict[str, Any] = {
    "name": "林 光",
    "email": "hikaru@example.jp",
    "phone": "090-1234-5678",
    "locale": "en",
    "source": "phone",
    "unit": "102",
    "moveInDate": "2026-12-01",
    "message": "Is a viewing on Saturday possible?",
}


def taken_in(office: Browser, **given: Any) -> str:
    """Write an enquiry down and return its path."""
    answer = office.post("/enquiries", {**ASKED, **given})
    assert answer.status_code == 303, answer.text
    return str(answer.location).partition(office.home)[2]


def mails(database: Database, cast: Cast) -> list[OutboxMail]:
    with database.reading(cast.sumida.workspace_id) as session:
        return list(session.scalars(select(OutboxMail).order_by(OutboxMail.id)))


def test_an_enquiry_by_telephone_is_answered_by_mail_in_the_callers_language(
    office: Browser, database: Database, cast: Cast
) -> None:
    path = taken_in(office)
    answered = {"text": "Yes, at two o'clock.", "key": "one-tap"}
    assert office.post(f"{path}/answers", answered).status_code == 303
    assert office.post(f"{path}/answers", answered).status_code == 303
    (mail,) = mails(database, cast)
    assert mail.recipient == "hikaru@example.jp"
    assert "Yes, at two o'clock." in mail.text
    assert "Is a viewing on Saturday possible?" in mail.text
    assert "Kawasemi House 102" in mail.text
    text = office.get(f"{path}?lang=en").text
    assert "Yes, at two o&#39;clock." in text
    assert ">Answered<" in text


def test_the_same_person_is_marked_and_linked_and_never_merged(
    office: Browser, database: Database, cast: Cast
) -> None:
    first = taken_in(office)
    by_phone = taken_in(office, name="Hikaru", email="", phone="+81 90 1234 5678", unit="")
    by_mail = taken_in(office, name="Hayashi", email=" HIKARU@example.jp ", phone="", unit="")
    stranger = taken_in(office, name="別人", email="else@example.jp", phone="03-0000-0000")
    text = office.get("/enquiries?lang=en").text
    assert text.count("Previous enquiry") == 2
    for path in (by_phone, by_mail):
        assert f"{office.home}{first}" in office.get(path).text
    assert "Other enquiries" not in office.get(f"{stranger}?lang=en").text
    with database.reading(cast.sumida.workspace_id) as session:
        assert len(session.scalars(select(Enquiry.id)).all()) == 4


def test_reservations_and_waitlist_places_of_the_address_stand_beside(
    office: Browser, cast: Cast
) -> None:
    path = taken_in(office, email=cast.sumida.resident_email.upper())
    office.post(
        "/waitlist",
        {"name": "待つ人", "email": cast.sumida.resident_email, "wantedFrom": "2026-12-01"},
    )
    text = office.get(path).text
    assert f"/reservations/{cast.sumida.resident_id}" in text
    assert "Waiting" in office.get(f"{path}?lang=en").text


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"email": "", "phone": ""}, "an email address or a telephone number"),
        ({"name": ""}, "Please fill this in"),
        ({"unit": "999"}, "was not found"),
        ({"moveInDate": "soon"}, "Enter a date such as"),
    ],
)
def test_what_cannot_be_kept_comes_again_as_typed(
    office: Browser, database: Database, cast: Cast, wrong: dict[str, str], text: str
) -> None:
    answer = office.post("/enquiries?lang=en", {**ASKED, **wrong})
    assert answer.status_code == 422
    assert text in answer.text
    assert "Is a viewing on Saturday possible?" in answer.text
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalars(select(Enquiry)).all() == []


def test_it_moves_on_as_the_rule_says_and_opens_again(
    office: Browser, staff: Staff, database: Database, cast: Cast
) -> None:
    path = taken_in(office)
    assert office.post(f"{path}/state", {"state": "lost"}).status_code == 303
    assert "Reopen" in office.get(f"{path}?lang=en").text
    assert office.post(f"{path}/state", {"state": "new"}).status_code == 303
    assert office.post(f"{path}/state", {"state": "viewing"}).status_code == 303
    refused = office.post(f"{path}/state?lang=en", {"state": "new"})
    assert refused.status_code == 422
    assert office.post(f"{path}/state", {"state": "sold"}).status_code == 422
    assert office.post(f"{path}/assignee", {"assigneeId": staff.office_id}).status_code == 303
    housekeeper = {"assigneeId": staff.housekeeping_id}
    assert office.post(f"{path}/assignee", housekeeper).status_code == 422
    assert "岡田 誠" in office.get(f"/enquiries?assigneeId={staff.office_id}").text
    assert "林 光" not in office.get("/enquiries?assigneeId=nobody").text
    assert office.post(f"{path}/notes", {"note": "二回電話した", "key": "n"}).status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        (note,) = session.scalars(select(EnquiryNote))
        (row,) = session.scalars(select(Enquiry))
    assert (note.is_answer, note.text) == (False, "二回電話した")
    assert row.state is EnquiryState.VIEWING
    assert mails(database, cast) == []


def test_two_edits_merge_and_a_field_both_changed_is_asked_about(
    office: Browser, operator: Browser
) -> None:
    path = taken_in(office)
    shown = office.get(f"{path}/facts").text
    hidden = dict(re.findall(r'type="hidden" name="((?:was\.\w+|version))" value="([^"]*)"', shown))
    theirs = {**ASKED, **hidden, "name": "林 ひかる", "phone": "090-1111-2222"}
    assert operator.post(f"{path}/facts", theirs).status_code == 303
    mine = {**ASKED, **hidden, "name": "林 光子"}
    clash = office.post(f"{path}/facts?lang=en", mine)
    assert clash.status_code == 422
    assert "林 ひかる" in clash.text
    assert "林 光子" in clash.text
    again = dict(
        re.findall(
            r'type="hidden" name="((?:was\.\w+|version|choose))" value="([^"]*)"', clash.text
        )
    )
    chosen = {**mine, **again, "phone": "090-1111-2222", "keep.name": "mine"}
    assert office.post(f"{path}/facts", chosen).status_code == 303
    text = office.get(path).text
    assert "林 光子" in text
    assert "090-1111-2222" in text


def test_the_search_finds_an_enquiry_by_name_or_number(
    office: Browser, housekeeper: Browser
) -> None:
    path = taken_in(office, name="ﾊﾔｼ ヒカル")
    assert path in office.get("/search?q=はやし").text
    assert path in office.get("/search?q=090-1234").text
    assert path not in housekeeper.get("/search?q=はやし").text
    assert housekeeper.get("/enquiries").status_code == 403


BOOKED: dict[str, Any] = {
    "unit": "102",
    "onDay": "2026-11-24",
    "atTime": "14:00",
    "minutes": "30",
    "name": "林 光",
    "email": "hikaru@example.jp",
    "locale": "ja",
}


def booked(office: Browser, **given: Any) -> str:
    answer = office.post("/viewings", {**BOOKED, **given})
    assert answer.status_code == 303, answer.text
    return str(answer.location).partition(office.home)[2]


def test_a_viewing_is_booked_moved_and_cancelled_and_the_visitor_is_told_each_time(
    office: Browser, database: Database, cast: Cast
) -> None:
    enquiry = taken_in(office)
    path = booked(office, enquiryId=enquiry.rsplit("/", 1)[-1])
    assert ">Viewing booked<" in office.get(f"{enquiry}?lang=en").text
    assert path in office.get(enquiry).text
    hours = office.get(f"{path}/time").text
    hidden = dict(re.findall(r'type="hidden" name="((?:was\.\w+|version))" value="([^"]*)"', hours))
    moved = {**hidden, "onDay": "2026-11-25", "atTime": "9時30分", "minutes": "45", "hostId": ""}
    assert office.post(f"{path}/time", moved).status_code == 303
    assert office.post(f"{path}/cancellation").status_code == 303
    assert office.post(f"{path}/cancellation").status_code == 422
    first, second, third = mails(database, cast)
    assert "2026年11月24日(火) 14:00〜14:30（日本時間）" in first.text
    assert "2026年11月25日(水) 09:30〜10:15（日本時間）" in second.text
    assert "変更前　 2026年11月24日(火) 14:00" in second.text
    assert "取り消しました" in third.text
    assert [one.attachments[0]["media_type"] for one in (first, second, third)] == [
        "text/calendar"
    ] * 3
    with database.reading(cast.sumida.workspace_id) as session:
        row = session.get_one(Viewing, (cast.sumida.workspace_id, path.rsplit("/", 1)[-1]))
    assert (row.status, row.version) == (ViewingStatus.CANCELLED, 3)


def test_the_unit_or_the_host_twice_at_once_is_told_and_done_only_when_meant(
    office: Browser, staff: Staff
) -> None:
    booked(office, hostId=staff.office_id)
    same_unit = office.post("/viewings?lang=en", {**BOOKED, "atTime": "14:20", "name": "二人目"})
    assert same_unit.status_code == 422
    assert "the unit is already shown to 林 光" in same_unit.text.lower()
    same_host = {**BOOKED, "unit": "101", "atTime": "13:45", "hostId": staff.office_id}
    refused = office.post("/viewings?lang=en", same_host)
    assert refused.status_code == 422
    assert "岡田 誠 already shows 102" in refused.text
    assert office.post("/viewings", {**same_host, "mayOverlap": "y"}).status_code == 303
    booked(office, atTime="14:30", name="次の人")


def test_a_soft_day_is_never_told_as_a_move_in_date(
    office: Browser, database: Database, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        row.expected_departure_date = date(2026, 12, 10)
    beside = office.get("/viewings/new?lang=en&part=unit&unit=101", headers={"HX-Request": "true"})
    assert "Tell the visitor, and do not promise a" in beside.text
    path = booked(office, unit="101", locale="en")
    (mail,) = mails(database, cast)
    assert "may become free around 10 December 2026" in mail.text
    assert "no move-in date is promised" in mail.text
    assert "Tell the visitor, and do not promise a" in office.get(f"{path}?lang=en").text
    enquiry = taken_in(office, unit="101")
    assert "Do not promise it" in office.get(f"{enquiry}?lang=en").text


def test_a_unit_lived_in_is_shown_and_not_offered(office: Browser) -> None:
    path = booked(office, unit="101")
    assert "not offer it" in office.get(f"{path}?lang=en").text


def test_the_week_shows_its_days_and_the_result_is_noted_from_the_day_on(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    path = booked(office, onDay=clock.today().isoformat(), atTime="18:00")
    early = booked(office)
    assert office.post(f"{early}/result", {"result": "done"}).status_code == 422
    assert (
        office.post(f"{path}/result", {"result": "no_show", "note": "連絡なし"}).status_code == 303
    )
    assert office.post(f"{path}/result", {"result": "done"}).status_code == 303
    assert office.post("/viewings", {**BOOKED, "onDay": "2026-11-19"}).status_code == 422
    assert early in office.get("/viewings?fromOn=2026-11-29").text
    assert early not in office.get("/viewings?fromOn=2026-11-22").text
    assert path in office.get("/viewings").text
    assert path in office.get("/").text, "today shows it too"
    assert office.get("/viewings?fromOn=soon").status_code == 422
    assert office.get("/viewings?fromOn=1900-01-01").status_code == 200
    assert office.get("/viewings?fromOn=2200-12-31").status_code == 200


def test_ten_times_the_enquiries_ask_the_database_as_often(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    def asked_with(more: int) -> int:
        with database.writing(cast.sumida.workspace_id) as session:
            for number in range(more):
                enquiry = WrittenEnquiry(
                    name=f"{number}",
                    source=EnquirySource.WEBSITE,
                    email="same@example.jp",
                    unit_id=cast.sumida.free_room_id,
                )
                receive_enquiry(Work(session, clock, "website"), enquiry=enquiry)
        with statements() as sent:
            assert office.get("/enquiries").status_code == 200
        return len(sent)

    asked_with(1)  # what a first visit asks besides
    assert asked_with(3) == asked_with(30) <= 16


def test_an_answer_that_could_not_be_sent_says_why_and_is_sent_again(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    path = taken_in(office)
    assert office.post(f"{path}/answers", {"text": "Yes.", "key": "k"}).status_code == 303
    assert "Being sent" in office.get(f"{path}?lang=en").text
    give_up(database, clock, cast)
    text = office.get(f"{path}?lang=en").text
    assert "no such address" in text
    assert "hikaru@example.jp" in text
    (again,) = re.findall(r'action="[^"]*(/enquiries/\w+/answers/\w+/retry)"', text)
    listed = office.get("/enquiries?lang=en&state=to_answer").text
    assert "To answer (1)" in listed
    assert "Not delivered" in listed
    assert office.post(again, {}).status_code == 303
    assert office.post(f"{again}?lang=en", {}).status_code == 422
    assert "Everyone has been answered" in office.get("/enquiries?lang=en&state=to_answer").text
    (mail,) = mails(database, cast)
    assert (mail.due_at, mail.given_up_at) == (clock.now(), None)


def test_without_an_address_any_more_it_says_how_else_and_refuses_to_send_it_again(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    path = taken_in(office)
    assert office.post(f"{path}/answers", {"text": "Yes.", "key": "k"}).status_code == 303
    give_up(database, clock, cast)
    text = office.get(f"{path}?lang=en").text
    (again,) = re.findall(r'action="[^"]*(/enquiries/\w+/answers/\w+/retry)"', text)
    with database.writing(cast.sumida.workspace_id) as session:
        session.scalars(select(Enquiry)).one().email = None
    assert "/retry" not in office.get(path).text
    assert office.post(again, {}).status_code == 422


def give_up(database: Database, clock: FixedClock, cast: Cast) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        for mail in session.scalars(select(OutboxMail)):
            mail.due_at, mail.given_up_at = None, clock.now()
            mail.failure = "SMTPRecipientsRefused: no such address"
