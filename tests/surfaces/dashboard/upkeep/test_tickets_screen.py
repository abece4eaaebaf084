"""The inbox and a conversation: who sees what, answering, ending, beginning."""

import pytest
from sqlalchemy import func, select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.inbox.models import Ticket, TicketMessage
from pms.reservations.models import Reservation
from pms.rules.enumerations import TaskKind, TicketSide, TicketState
from pms.upkeep.projects import WantedProject, open_project
from pms.upkeep.tasks import WantedTask, add_task
from pms.upkeep.ticket_updates import open_ticket
from tests.cast import Cast
from tests.staff import Browser, Staff
from tests.surfaces.agent_api.test_questions_to_the_database import statements


@pytest.fixture
def ticket_id(database: Database, clock: FixedClock, cast: Cast) -> str:
    """Hanako Sato says that there is no hot water."""
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        return open_ticket(
            Work(session, clock, f"reservation/{house.resident_id}"),
            reservation_id=house.resident_id,
            subject="お湯が出ません",
            text="昨日から<b>お湯</b>が出ません。",
        )


@pytest.fixture
def shared_ticket_id(database: Database, clock: FixedClock, cast: Cast, staff: Staff) -> str:
    """A conversation about a project in which the maintenance worker has a task."""
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        wanted = WantedProject(building_id=house.building_id, title="給湯器の交換")
        project_id = open_project(Work(session, clock, "staff"), wanted=wanted)
        task = WantedTask(
            kind=TaskKind.REPAIR,
            building_id=house.building_id,
            title="交換",
            project_id=project_id,
            assignee_id=staff.maintenance_id,
        )
        add_task(Work(session, clock, "staff"), wanted=task)
        return open_ticket(
            Work(session, clock, "person/staff"),
            reservation_id=house.resident_id,
            subject="給湯器を交換します",
            text="火曜日に伺います。",
            project_id=project_id,
        )


def test_the_end_of_the_contract_stands_beside_a_conversation(
    office: Browser, ticket_id: str
) -> None:
    text = office.get(f"/tickets/{ticket_id}?lang=en").text
    assert "31 Mar 2027" in text
    assert "No end date" not in text


def messages(database: Database, cast: Cast) -> int:
    with database.reading(cast.sumida.workspace_id) as session:
        return session.scalar(select(func.count(TicketMessage.id))) or 0


def test_without_anybody_the_inbox_says_how_a_conversation_begins(office: Browser) -> None:
    text = office.get("/tickets?lang=en").text
    assert "No open conversations" in text
    assert "You can also start one from a reservation" in text


def test_the_inbox_tells_whose_turn_it_is_and_keeps_what_is_closed_apart(
    office: Browser, ticket_id: str
) -> None:
    text = office.get("/tickets?lang=en").text
    assert "お湯が出ません" in text
    assert "To answer (1)" in text
    assert "No one is waiting for a reply" not in office.get("/tickets?awaits=staff&lang=en").text
    assert "Not waiting for any resident" in office.get("/tickets?awaits=resident&lang=en").text
    office.post(f"/tickets/{ticket_id}/closure")
    assert "お湯が出ません" not in office.get("/tickets?lang=en").text.split('id="results"')[1]
    assert "お湯が出ません" in office.get("/tickets?state=closed&lang=en").text


@pytest.mark.parametrize("query", ["state=gone", "awaits=somebody"])
def test_an_unknown_filter_is_told_and_not_passed_over(office: Browser, query: str) -> None:
    answer = office.get(f"/tickets?{query}&lang=en")
    assert answer.status_code == 422
    assert "is not one of the choices" in answer.text


def test_a_conversation_shows_the_words_the_steps_and_who_the_resident_is(
    office: Browser, cast: Cast, ticket_id: str
) -> None:
    text = office.get(f"/tickets/{ticket_id}?lang=en").text
    assert "昨日から&lt;b&gt;お湯&lt;/b&gt;が出ません。" in text
    assert "We have your report." in text
    assert "佐藤 花子" in text
    assert cast.sumida.resident_email in text
    assert "ご報告" in office.get(f"/tickets/{ticket_id}?lang=ja").text or "We have" not in text


def test_an_answer_is_mailed_and_said(
    office: Browser, database: Database, cast: Cast, ticket_id: str
) -> None:
    answer = office.post(f"/tickets/{ticket_id}/messages", {"text": "伺います。", "key": "tap"})
    assert answer.status_code == 303
    text = office.get(f"/tickets/{ticket_id}?lang=en").text
    assert "Sent by email." in text
    assert "岡田 誠" in text
    assert "Waiting for the resident" in text
    office.post(f"/tickets/{ticket_id}/messages", {"text": "伺います。", "key": "tap"})
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalar(select(func.count(OutboxMail.id))) == 1


def test_with_a_script_the_answer_appears_in_place_and_the_field_is_empty(
    office: Browser, ticket_id: str
) -> None:
    headers = {"HX-Request": "true"}
    path = f"/tickets/{ticket_id}/messages"
    answer = office.post(f"{path}?lang=en", {"text": "伺います。"}, headers=headers)
    assert answer.status_code == 200
    assert answer.text.lstrip().startswith("<div")
    assert 'data-say="Sent by email."' in answer.text
    assert "伺います。</textarea>" not in answer.text
    part = office.block(f"/tickets/{ticket_id}?part=messages").text
    assert "伺います。" in part
    assert "<textarea" not in part, "what is typed stays when the words are asked for again"


def test_what_is_refused_comes_again_as_typed(
    office: Browser, database: Database, cast: Cast, ticket_id: str
) -> None:
    before = messages(database, cast)
    assert office.post(f"/tickets/{ticket_id}/messages", {"text": " "}).status_code == 422
    office.post(f"/tickets/{ticket_id}/closure")
    answer = office.post(f"/tickets/{ticket_id}/messages?lang=en", {"text": "まだですか"})
    assert answer.status_code == 422
    assert "This conversation is closed" in answer.text
    assert messages(database, cast) == before


def test_closing_offers_the_way_back(
    office: Browser, database: Database, cast: Cast, ticket_id: str
) -> None:
    assert office.post(f"/tickets/{ticket_id}/closure").status_code == 303
    shown = office.get(f"/tickets/{ticket_id}?lang=en").text
    assert "undo-bar" in shown
    assert f"/tickets/{ticket_id}/reopening" in shown
    office.post(f"/tickets/{ticket_id}/reopening")
    with database.reading(cast.sumida.workspace_id) as session:
        row = session.scalars(select(Ticket)).one()
        assert (row.state, row.awaits) == (TicketState.OPEN, TicketSide.STAFF)


def test_maintenance_meets_their_projects_and_no_address(
    maintainer: Browser, cast: Cast, ticket_id: str, shared_ticket_id: str
) -> None:
    inbox = maintainer.get("/tickets?lang=en").text
    assert "給湯器を交換します" in inbox
    assert "お湯が出ません" not in inbox
    text = maintainer.get(f"/tickets/{shared_ticket_id}?lang=en").text
    for private in (cast.sumida.resident_email, "090-", "佐藤 花子"):
        assert private not in inbox + text
    assert "PRJ-0001" in text
    assert maintainer.get(f"/tickets/{ticket_id}").status_code == 404
    for way in ("messages", "closure", "reopening"):
        path = f"/tickets/{ticket_id}/{way}"
        assert maintainer.post(path, {"text": "はい"}).status_code == 404
    answered = maintainer.post(f"/tickets/{shared_ticket_id}/messages", {"text": "はい"})
    assert answered.status_code == 303


def test_the_office_begins_a_conversation_from_a_reservation(
    office: Browser, database: Database, cast: Cast
) -> None:
    reservation = f"/reservations/{cast.sumida.resident_id}/messages"
    tab = office.get(f"{reservation}?lang=en").text
    begin = f"/tickets/new?reservationId={cast.sumida.resident_id}"
    assert begin in tab
    assert "佐藤 花子" in office.get(begin).text
    given = {
        "reservationId": cast.sumida.resident_id,
        "subject": "点検",
        "text": "来週、点検に伺います。",
    }
    refused = office.post("/tickets?lang=en", {**given, "subject": ""})
    assert refused.status_code == 422
    assert "来週、点検に伺います。" in refused.text
    assert office.post("/tickets", given).status_code == 303
    assert "点検" in office.get(reservation).text
    assert messages(database, cast) == 1


def test_without_an_address_it_is_said_that_no_mail_leaves(
    office: Browser, database: Database, cast: Cast, ticket_id: str
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        session.get_one(Reservation, (house.workspace_id, house.resident_id)).email = None
    assert "no email will be sent" in office.get(f"/tickets/{ticket_id}?lang=en").text
    office.post(f"/tickets/{ticket_id}/messages", {"text": "はい"})
    assert "No email will be sent." in office.get(f"/tickets/{ticket_id}?lang=en").text


def test_ten_times_the_conversations_ask_the_database_as_often(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    def asked_with(more: int) -> int:
        with database.writing(cast.sumida.workspace_id) as session:
            for number in range(more):
                open_ticket(
                    Work(session, clock, "person/staff"),
                    reservation_id=cast.sumida.resident_id,
                    subject=f"{number}",
                    text="はい",
                )
        with statements() as sent:
            assert office.get("/tickets").status_code == 200
        return len(sent)

    asked_with(1)  # what a first visit asks besides
    assert asked_with(3) == asked_with(30) <= 12
