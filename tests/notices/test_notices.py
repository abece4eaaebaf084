"""Who is told what: once, by the ways of their role or choice, not at night, and not what is over."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from pms.access.models import Member
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.foundation.lists import Paging
from pms.foundation.outbox import OutboxMail
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import FolderPostbox
from pms.jobs.notice_mails import send_notices
from pms.jobs.outbox import send_outbox
from pms.jobs.runs import Tools
from pms.notices import choices, notices, sent_notices
from pms.notices.models import Notice, NoticeSending
from pms.notices.sent_notices import SendingState, SentSearch
from pms.rules.enumerations import StaffRole, TaskKind, TaskState, TicketSide, UserKind
from pms.rules.notices_to_people import NoticeGroup, NoticeKind, UnsentBecause
from pms.upkeep.moves import move_task
from pms.upkeep.requests import ReportedProblem, report_problem
from pms.upkeep.task_visibility import TaskVisibility, assign_task
from pms.upkeep.tasks import WantedTask, add_task
from pms.upkeep.ticket_updates import open_ticket
from pms.upkeep.tickets import answer_ticket
from tests.cast import Cast
from tests.portals import open_portal_browser
from tests.staff import Staff, introduce_staff

ALL = TaskVisibility.everything()


class Desk:
    """The staff of Sumida at work, and the worker that sends their notices."""

    def __init__(
        self, settings: Settings, database: Database, clock: FixedClock, cast: Cast
    ) -> None:
        self.database, self.clock, self.house = database, clock, cast.sumida
        self.staff: Staff = introduce_staff(database, cast)
        self.tools = Tools(settings, database, clock, FolderPostbox(settings.mail_dir))

    def do(
        self, act: Callable[..., Any], by: StaffRole | str = StaffRole.OFFICE, **given: Any
    ) -> Any:
        actor = f"person/{self.staff.of_role(by)}" if isinstance(by, StaffRole) else by
        return self.database.write_as(
            self.house.workspace_id, self.clock, actor, lambda work: act(work, **given)
        )

    def give_cleaning(self, to: StaffRole = StaffRole.HOUSEKEEPING) -> str:
        wanted = WantedTask(
            kind=TaskKind.CLEANING,
            building_id=self.house.building_id,
            unit_id=self.house.free_room_id,
            assignee_id=self.staff.of_role(to),
        )
        return str(self.do(add_task, wanted=wanted))

    def write_as_resident(self, text: str) -> str:
        given = {"reservation_id": self.house.resident_id, "subject": "給湯器", "text": text}
        return str(self.do(open_ticket, f"reservation/{self.house.resident_id}", **given))

    def later(self, **wait: float) -> None:
        self.clock.advance(timedelta(**wait))
        send_notices(self.tools)

    def mails(self, to: StaffRole | None = None) -> list[OutboxMail]:
        with self.database.reading(self.house.workspace_id) as session:
            asked = select(OutboxMail).order_by(OutboxMail.written_at, OutboxMail.id)
            found = session.scalars(asked).all()
        return [mail for mail in found if to is None or mail.recipient == f"{to}@sumida.example"]

    def unread(self, of: StaffRole) -> list[Notice]:
        with self.database.reading(self.house.workspace_id) as session:
            asked = notices.own_notices(session, self.staff.of_role(of), Paging(1, 50))
            return [notice for notice in asked.notices if notice.opened_at is None]

    def sent(self, **search: Any) -> list[tuple[str | None, SendingState, UnsentBecause | None]]:
        with self.database.reading(self.house.workspace_id) as session:
            found = sent_notices.list_sent(session, SentSearch(**search), Paging(1, 50))
            return [
                (one.name, way.state, way.sending.unsent_because)
                for one in found.notices
                for way in one.ways
            ]


@pytest.fixture
def desk(settings: Settings, database: Database, clock: FixedClock, cast: Cast) -> Desk:
    return Desk(settings, database, clock, cast)


def test_a_task_is_told_to_whom_it_is_given_in_one_mail_with_a_link_to_the_page(desk: Desk) -> None:
    first, second = desk.give_cleaning(), desk.give_cleaning()
    assert [notice.subject_id for notice in desk.unread(StaffRole.HOUSEKEEPING)] == [second, first]
    assert not desk.unread(StaffRole.OFFICE)  # who did it is not told
    desk.later(minutes=1)
    assert not desk.mails()
    desk.later(minutes=4)
    (mail,) = desk.mails()
    assert mail.recipient == "housekeeping@sumida.example"
    assert mail.subject.endswith("作業についての通知が2件あります")
    assert mail.text.count("/sign-in?next=%2Fdashboard%2Fsumida%2Fnotices%2F") == 2
    assert "email=housekeeping%40sumida.example" in mail.text
    desk.later(hours=1)
    assert len(desk.mails()) == 1


def test_what_happens_once_is_told_once(desk: Desk) -> None:
    task_id = desk.give_cleaning()
    reader = desk.staff.housekeeping_id
    desk.do(assign_task, task_id=task_id, assignee_id=reader, visibility=ALL)
    assert len(desk.unread(StaffRole.HOUSEKEEPING)) == 1
    event = notices.NoticeEvent(task_id, "/tasks", {}, (desk.staff.housekeeping_id,), "1.0")
    for _ in range(2):
        desk.do(lambda work: notices.notify_staff(work, NoticeKind.TASK_GIVEN, event))
    with desk.database.reading(desk.house.workspace_id) as session:
        assert session.scalar(select(func.count(Notice.id))) == 1
        assert session.scalar(select(func.count(NoticeSending.id))) == 1


def test_a_task_that_is_done_or_given_to_a_colleague_is_not_mailed(desk: Desk) -> None:
    done, given_on = desk.give_cleaning(), desk.give_cleaning()
    desk.do(assign_task, task_id=given_on, assignee_id=desk.staff.maintenance_id, visibility=ALL)
    for state in (TaskState.DOING, TaskState.DONE):
        desk.do(move_task, StaffRole.HOUSEKEEPING, task_id=done, to=state, visibility=ALL)
    desk.later(minutes=6)
    (mail,) = desk.mails()
    assert mail.recipient == "maintenance@sumida.example"
    over = ("林 さくら", SendingState.UNSENT, UnsentBecause.OVER)
    assert desk.sent(reader_id=desk.staff.housekeeping_id) == [over, over]
    assert not desk.unread(StaffRole.HOUSEKEEPING)


def test_a_notice_that_was_read_in_the_page_is_not_mailed(desk: Desk) -> None:
    desk.give_cleaning()
    reader = desk.staff.housekeeping_id
    desk.database.write(
        desk.house.workspace_id, lambda session: notices.note_opened(session, desk.clock, reader)
    )
    desk.later(minutes=6)
    assert not desk.mails()
    assert desk.sent() == [("林 さくら", SendingState.UNSENT, UnsentBecause.READ)]


def test_at_night_a_mail_waits_for_the_morning_unless_it_is_urgent(desk: Desk) -> None:
    desk.clock.advance(timedelta(hours=11, minutes=30))  # 23:30 in Japan
    desk.write_as_resident("電球が切れました。")
    desk.later(hours=8)
    assert not desk.mails()
    desk.write_as_resident("天井から水漏れしています。")
    desk.later(minutes=0)
    urgent = {mail.recipient for mail in desk.mails()}
    assert urgent == {"office@sumida.example", "operator@sumida.example"}
    desk.later(minutes=31)
    # The one that waited went with the urgent one.
    assert len(desk.mails(StaffRole.OFFICE)) == 1
    assert desk.mails(StaffRole.OFFICE)[0].text.count("%2Fnotices%2F") == 2


def test_a_report_reaches_maintenance_and_a_message_the_office(desk: Desk) -> None:
    reported = ReportedProblem(
        building_id=desk.house.building_id,
        unit_id=desk.house.residents_room_id,
        reservation_id=desk.house.resident_id,
        what="網戸が破れています",
    )
    desk.do(report_problem, f"reservation/{desk.house.resident_id}", reported=reported)
    desk.later(minutes=6)
    readers = {role for role in StaffRole if desk.unread(role)}
    assert readers == {StaffRole.OPERATOR, StaffRole.OFFICE, StaffRole.MAINTENANCE}
    mailed = {mail.recipient for mail in desk.mails()}
    assert mailed == {"office@sumida.example", "maintenance@sumida.example"}
    assert ("小川 智子", SendingState.UNSENT, UnsentBecause.ROLE) in desk.sent()


def test_who_works_for_some_buildings_is_told_of_these_only(desk: Desk) -> None:
    bound = {StaffRole.OFFICE: ["b" * 32], StaffRole.MAINTENANCE: [desk.house.building_id]}
    with desk.database.writing(desk.house.workspace_id) as session:
        for role, building_ids in bound.items():
            asked = select(Member).where(Member.person_id == desk.staff.of_role(role))
            session.scalars(asked).one().building_ids = building_ids
    desk.write_as_resident("電球が切れました。")
    reported = ReportedProblem(
        building_id=desk.house.building_id,
        unit_id=desk.house.residents_room_id,
        reservation_id=desk.house.resident_id,
        what="網戸が破れています",
    )
    desk.do(report_problem, f"reservation/{desk.house.resident_id}", reported=reported)
    readers = {role for role in StaffRole if desk.unread(role)}
    assert readers == {StaffRole.OPERATOR, StaffRole.MAINTENANCE}


def test_a_message_that_was_answered_is_not_mailed(desk: Desk) -> None:
    ticket_id = desk.write_as_resident("電球が切れました。")
    desk.do(answer_ticket, ticket_id=ticket_id, text="伺います。", side=TicketSide.STAFF)
    before = len(desk.mails())
    desk.later(minutes=16)
    assert len(desk.mails()) == before


def test_a_person_chooses_and_may_be_sent_it_again(desk: Desk) -> None:
    desk.do(
        choices.set_mail_choices,
        StaffRole.HOUSEKEEPING,
        person_id=desk.staff.housekeeping_id,
        wanted={NoticeGroup.TASKS: False, NoticeGroup.RUNS: None},
    )
    desk.give_cleaning()
    desk.later(minutes=6)
    assert not desk.mails()
    assert desk.sent() == [("林 さくら", SendingState.UNSENT, UnsentBecause.CHOICE)]
    (notice,) = desk.unread(StaffRole.HOUSEKEEPING)
    desk.do(sent_notices.send_notice_again, notice_id=notice.id)
    with pytest.raises(Refused, match="has not been sent yet"):
        desk.do(sent_notices.send_notice_again, notice_id=notice.id)
    desk.later(seconds=1)
    assert len(desk.mails(StaffRole.HOUSEKEEPING)) == 1
    assert desk.sent()[0] == ("林 さくら", SendingState.HANDED, None)
    send_outbox(desk.tools)
    assert desk.sent()[0] == ("林 さくら", SendingState.SENT, None)


def test_a_written_mail_whose_matter_is_over_is_withdrawn(desk: Desk) -> None:
    task_id = desk.give_cleaning()
    desk.later(minutes=6)
    for state in (TaskState.DOING, TaskState.DONE):
        desk.do(move_task, StaffRole.HOUSEKEEPING, task_id=task_id, to=state, visibility=ALL)
    send_outbox(desk.tools)
    (mail,) = desk.mails()
    assert mail.withdrawn_at is not None
    assert mail.sent_at is None
    assert desk.sent() == [("林 さくら", SendingState.UNSENT, UnsentBecause.OVER)]


def test_nobody_opens_the_notice_of_another_person(desk: Desk) -> None:
    desk.give_cleaning()
    (notice,) = desk.unread(StaffRole.HOUSEKEEPING)
    with (
        desk.database.reading(desk.house.workspace_id) as session,
        pytest.raises(NotFound),
    ):
        notices.find_own_notice(session, notice.id, desk.staff.office_id)


@pytest.mark.differs("locks")
def test_a_thousand_notices_are_told_once_each_in_bulk(desk: Desk) -> None:
    people = tuple(desk.staff.of_role(role) for role in StaffRole)
    events = [
        notices.NoticeEvent(f"{n:032x}", "/today", {"run_kind": "export"}, people)
        for n in range(250)
    ]
    desk.do(lambda work: notices.notify_staff(work, NoticeKind.RUN_FINISHED, *events), "worker")
    desk.later(minutes=6)
    with desk.database.reading(desk.house.workspace_id) as session:
        mailed = select(func.count(NoticeSending.id)).where(NoticeSending.mail_id.is_not(None))
        assert session.scalar(mailed) == 4 * len(events)
    # Each mail names the first few, and how many more there are.
    assert "ほかに" in desk.mails(StaffRole.OFFICE)[0].text


def test_the_link_of_a_mail_opens_its_page_at_once_or_after_one_press(
    desk: Desk, app: Flask
) -> None:
    ticket_id = str(desk.write_as_resident("電球が切れました。"))
    desk.do(answer_ticket, ticket_id=ticket_id, text="伺います。", side=TicketSide.STAFF)
    (mail,) = desk.mails()
    page = f"/resident/sumida/{desk.house.resident_id}/tickets/{ticket_id}"
    (link,) = re.findall(r"http://[^/]+(\S+)", mail.text)
    asked = app.test_client().get(link).text
    assert f'value="{mail.recipient}"' in asked
    assert f'value="{page}"' in asked
    signed_in = open_portal_browser(
        app,
        desk.clock,
        UserKind.RESIDENT,
        workspace_id=desk.house.workspace_id,
        slug="sumida",
        address=mail.recipient,
    )
    led_to = signed_in.client.get(link)
    assert (led_to.status_code, led_to.location) == (303, page)
    assert signed_in.client.get(page).status_code == 200
