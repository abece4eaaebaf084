"""Conversations with residents: whose turn it is, what is mailed, how the work is told."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.foundation.lists import Paging
from pms.foundation.outbox import OutboxMail
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.inbox.models import Ticket
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import StaffRole, TaskKind, TicketSide, TicketState, TicketStep
from pms.upkeep.tasks import WantedTask, add_task
from pms.upkeep.ticket_lists import (
    TicketSearch,
    count_turns,
    list_tickets,
    tickets_of_project,
    tickets_of_reservation,
)
from pms.upkeep.ticket_threads import messages_of, ticket_record
from pms.upkeep.ticket_updates import open_ticket, tell_tickets
from pms.upkeep.tickets import TicketVisibility, answer_ticket, close_ticket, reopen_ticket
from tests.cast import Cast
from tests.staff import introduce_staff
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.upkeep.works import Works

OFFICE = "person/office"
ALL = TicketVisibility.everything()


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Sumida's house."""
    return Works(database, clock, cast.sumida)


def begin(session: WorkspaceSession, works: Works, **given: Any) -> str:
    """The office writes to Hanako Sato in 101."""
    usual: dict[str, Any] = {
        "reservation_id": works.house.resident_id,
        "subject": "給湯器",
        "text": "伺います。",
    }
    return open_ticket(Work(session, works.clock, OFFICE), **usual | given)


def steps(session: WorkspaceSession, ticket_id: str) -> Sequence[TicketStep | None]:
    return [said.step for said in messages_of(session, ticket_id) if said.step]


def of_report(session: WorkspaceSession, request_id: str) -> str:
    return session.scalars(select(Ticket.id).where(Ticket.request_id == request_id)).one()


def test_words_of_the_office_are_mailed_in_the_residents_language_and_wait_for_them(
    works: Works,
) -> None:
    with works.writing() as session:
        ticket_id = begin(session, works, text="明日10時に伺います。")
        mail = session.scalars(select(OutboxMail)).one()
        ticket = ticket_record(session, ticket_id, ALL)
    assert mail.recipient == works.house.resident_email
    assert mail.subject == "【隅田シェアハウス】給湯器"
    assert "明日10時に伺います。" in mail.text
    assert "シェアハウス カワセミ荘 101" in mail.text
    assert f"/tickets/{ticket_id}" not in mail.text, "the page is named to who signs in"
    [link] = re.findall(r"http\S+", mail.text)
    assert "/sign-in?next=" in link, "the link asks to sign in, and is no credential"
    assert ticket.awaits == TicketSide.RESIDENT
    assert [said.text for said in ticket.messages] == ["明日10時に伺います。"]


def test_a_residents_report_opens_a_conversation_that_answers_at_once(works: Works) -> None:
    request_id = works.report("水が漏れています\n台所です", reservation_id=works.house.resident_id)
    with works.writing() as session:
        ticket = ticket_record(session, of_report(session, request_id), ALL)
        mails = session.scalar(select(func.count(OutboxMail.id)))
    assert ticket.subject == "水が漏れています"
    assert ticket.awaits == TicketSide.STAFF
    assert [said.side for said in ticket.messages if said.text] == [TicketSide.RESIDENT]
    assert [said.step for said in ticket.messages if said.step] == [TicketStep.RECEIVED]
    assert mails == 0, "a report is no word of the staff"


def test_without_an_address_no_mail_leaves_and_it_is_told(works: Works) -> None:
    with works.writing() as session:
        row = session.get_one(Reservation, (works.house.workspace_id, works.house.resident_id))
        row.email = None
        ticket_id = begin(session, works)
        is_mailed = answer_ticket(
            Work(session, works.clock, OFFICE), ticket_id=ticket_id, text="お電話します。"
        )
        assert not is_mailed
        assert session.scalar(select(func.count(OutboxMail.id))) == 0


def test_the_turn_goes_to_and_fro(works: Works) -> None:
    resident = f"reservation/{works.house.resident_id}"
    with works.writing() as session:
        ticket_id = begin(session, works)
        said: dict[str, Any] = {"ticket_id": ticket_id, "text": "わかりました。"}
        answer_ticket(Work(session, works.clock, resident), side=TicketSide.RESIDENT, **said)
        assert ticket_record(session, ticket_id, ALL).awaits == TicketSide.STAFF
        assert count_turns(session, ALL) == {TicketSide.STAFF: 1}
        answer_ticket(Work(session, works.clock, OFFICE), **said)
        assert ticket_record(session, ticket_id, ALL).awaits == TicketSide.RESIDENT


def test_an_answer_that_arrives_twice_is_said_once(works: Works) -> None:
    with works.writing() as session:
        ticket_id = begin(session, works)
        for _ in range(2):
            said: dict[str, Any] = {"ticket_id": ticket_id, "text": "はい", "key": "tap-1"}
            answer_ticket(Work(session, works.clock, OFFICE), **said)
        assert len(messages_of(session, ticket_id)) == 2
        assert session.scalar(select(func.count(OutboxMail.id))) == 2


@pytest.mark.parametrize("text", ["", " \n ", None])
def test_nothing_is_no_answer(works: Works, text: str | None) -> None:
    with works.writing() as session:
        ticket_id = begin(session, works)
        with pytest.raises(Refused) as refused:
            answer_ticket(Work(session, works.clock, OFFICE), ticket_id=ticket_id, text=text)
    assert refused.value.field == "text"


def test_a_closed_conversation_takes_no_words_until_it_is_open_again(works: Works) -> None:
    with works.writing() as session:
        ticket_id = begin(session, works)
        for _ in range(2):
            close_ticket(Work(session, works.clock, OFFICE), ticket_id=ticket_id)
        ticket = ticket_record(session, ticket_id, ALL)
        assert (ticket.state, ticket.awaits) == (TicketState.CLOSED, TicketSide.NOBODY)
        with pytest.raises(Refused, match="closed"):
            answer_ticket(Work(session, works.clock, OFFICE), ticket_id=ticket_id, text="はい")
        for _ in range(2):
            reopen_ticket(Work(session, works.clock, OFFICE), ticket_id=ticket_id)
        ticket = ticket_record(session, ticket_id, ALL)
        assert (ticket.state, ticket.awaits) == (TicketState.OPEN, TicketSide.RESIDENT)
        assert ticket.closed_at is None
        events = session.scalars(
            select(AuditRecord.audit_event).where(AuditRecord.subject_id == ticket_id)
        ).all()
    assert sorted(events) == sorted(
        [AuditEvent.TICKET_OPENED, AuditEvent.TICKET_CLOSED, AuditEvent.TICKET_REOPENED]
    )


def test_the_audit_keeps_no_words_of_a_conversation(works: Works) -> None:
    with works.writing() as session:
        ticket_id = begin(session, works, text="秘密の話")
        answer_ticket(Work(session, works.clock, OFFICE), ticket_id=ticket_id, text="もっと秘密")
        kept = session.scalars(select(AuditRecord.after)).all()
    assert "秘密" not in str(kept)


def test_the_work_moves_and_the_conversation_tells_each_step_once(works: Works) -> None:
    request_id = works.report(reservation_id=works.house.resident_id)
    project_id = works.fold(request_id)
    with works.writing() as session:
        ticket_id = of_report(session, request_id)
        facts: dict[str, Any] = {"project_id": project_id, "step": TicketStep.VISIT_PLANNED}
        clock, on = works.clock, date(2026, 11, 24)
        assert tell_tickets(Work(session, clock, OFFICE), on=on, **facts) == 1
        assert tell_tickets(Work(session, clock, OFFICE), on=on, **facts) == 0, "said already"
        assert tell_tickets(Work(session, clock, OFFICE), on=date(2026, 11, 25), **facts) == 1
        assert steps(session, ticket_id) == [
            TicketStep.RECEIVED,
            TicketStep.PLANNED,
            TicketStep.VISIT_PLANNED,
            TicketStep.VISIT_PLANNED,
        ]
        turn = ticket_record(session, ticket_id, ALL).awaits
    assert turn == TicketSide.STAFF, "a step is no answer"


def test_a_closed_conversation_and_anothers_are_told_nothing(works: Works) -> None:
    project_id = works.open()
    with works.writing() as session:
        ours = begin(session, works, project_id=project_id)
        closed = begin(session, works, project_id=project_id)
        other = begin(session, works)
        close_ticket(Work(session, works.clock, OFFICE), ticket_id=closed)
        facts: dict[str, Any] = {"project_id": project_id, "step": TicketStep.STARTED}
        assert tell_tickets(Work(session, works.clock, OFFICE), **facts) == 1
        assert tell_tickets(Work(session, works.clock, OFFICE), step=TicketStep.DONE) == 0
        assert steps(session, ours) == [TicketStep.STARTED]
        assert steps(session, closed) == steps(session, other) == []
        assert {row.id for row in tickets_of_project(session, project_id)} == {ours, closed}


def test_who_waits_longest_stands_first_and_a_resident_before_the_staff(
    works: Works,
) -> None:
    with works.writing() as session:
        asked = begin(session, works, subject="先")
        works.clock.advance(timedelta(hours=1))
        first = begin(session, works, subject="早い", side=TicketSide.RESIDENT)
        works.clock.advance(timedelta(hours=1))
        second = begin(session, works, subject="遅い", side=TicketSide.RESIDENT)
        found = list_tickets(session, TicketSearch(), Paging(1, 50), ALL)
        waiting = list_tickets(
            session, TicketSearch(awaits=TicketSide.RESIDENT), Paging(1, 50), ALL
        )
    assert [row.id for row in found.rows] == [first, second, asked]
    assert [row.id for row in waiting.rows] == [asked]
    assert found.rows[0].last is not None
    assert found.rows[0].last.step == TicketStep.RECEIVED
    assert found.rows[2].last is not None
    assert found.rows[2].last.text == "伺います。"


def test_maintenance_meets_the_conversations_of_projects_it_has_a_task_in(
    works: Works, cast: Cast
) -> None:
    staff = introduce_staff(works.database, cast)
    project_id = works.open()
    request_id = works.report(reservation_id=works.house.resident_id)
    folded_into = works.fold(request_id)
    visibility = TicketVisibility.of_staff(StaffRole.MAINTENANCE, staff.maintenance_id)
    with works.writing() as session:
        ours = begin(session, works, project_id=project_id)
        begin(session, works)
        assert list_tickets(session, TicketSearch(), Paging(1, 50), visibility).total == 0
        with pytest.raises(NotFound):
            answer_ticket(
                Work(session, works.clock, OFFICE),
                ticket_id=ours,
                text="はい",
                visibility=visibility,
            )
        for project in (project_id, folded_into):
            wanted = WantedTask(
                kind=TaskKind.REPAIR,
                title="修理",
                building_id=works.house.building_id,
                project_id=project,
                assignee_id=staff.maintenance_id,
            )
            add_task(Work(session, works.clock, OFFICE), wanted=wanted)
        found = list_tickets(session, TicketSearch(), Paging(1, 50), visibility)
        assert {row.id for row in found.rows} == {ours, of_report(session, request_id)}
        assert found.total == 2
        answer_ticket(
            Work(session, works.clock, OFFICE), ticket_id=ours, text="はい", visibility=visibility
        )


def test_a_resident_meets_their_own_conversations_alone(works: Works) -> None:
    with works.writing() as session:
        ours = begin(session, works)
        visibility = TicketVisibility.of_reservation(works.house.guest_id)
        with pytest.raises(NotFound):
            ticket_record(session, ours, visibility)
        assert [row.id for row in tickets_of_reservation(session, works.house.resident_id)] == [
            ours
        ]
        assert not tickets_of_reservation(session, works.house.guest_id)


@pytest.mark.parametrize("ticket_id", ["0" * 32, "elsewhere", ""])
def test_an_unknown_conversation_is_not_found(works: Works, ticket_id: str) -> None:
    with works.writing() as session:
        for audit_event in (close_ticket, reopen_ticket):
            with pytest.raises(NotFound):
                audit_event(Work(session, works.clock, OFFICE), ticket_id=ticket_id)
        with pytest.raises(NotFound):
            ticket_record(session, ticket_id, ALL)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"subject": " "}, "subject"),
        ({"text": ""}, "text"),
        ({"request_id": "0" * 32}, "requestId"),
        ({"project_id": "elsewhere"}, "projectId"),
    ],
)
def test_what_cannot_begin_is_refused_beside_its_field(
    works: Works, given: dict[str, Any], field: str
) -> None:
    with works.writing() as session, pytest.raises(Refused) as refused:
        begin(session, works, **given)
    assert refused.value.field == field


def test_nobody_begins_a_conversation_with_a_stranger(works: Works, cast: Cast) -> None:
    with works.writing() as session, pytest.raises(NotFound):
        begin(session, works, reservation_id=cast.minato.resident_id)


def test_the_inbox_asks_as_often_for_many_as_for_few(works: Works) -> None:
    def asked_with(more: int) -> int:
        with works.writing() as session:
            for number in range(more):
                begin(session, works, subject=f"{number}")
        with works.writing() as session, statements() as sent:
            list_tickets(session, TicketSearch(), Paging(1, 50), ALL)
        return len(sent)

    assert asked_with(2) == asked_with(20) <= 4
