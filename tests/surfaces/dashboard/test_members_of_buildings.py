"""Who works for which buildings is decided on the page of a member, and by an invitation."""

from sqlalchemy import select

from pms.access.models import Invitation, Member
from pms.enquiries.enquiries import WrittenEnquiry, receive_enquiry
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.rules.enumerations import EnquirySource, StaffRole, TaskKind
from pms.upkeep.tasks import WantedTask, add_task
from tests import cast as builders
from tests.cast import LONG_AGO, Cast
from tests.staff import Browser, Staff


def test_a_member_is_bound_to_a_building_and_freed_again(
    operator: Browser, housekeeper: Browser, database: Database, cast: Cast, staff: Staff
) -> None:
    house = cast.sumida
    with database.reading(house.workspace_id) as session:
        of_person = Member.person_id == staff.of_role(StaffRole.HOUSEKEEPING)
        member_id = session.scalars(select(Member.id).where(of_person)).one()
    chosen = {"role": "housekeeping", "reach": "some", "buildingIds": [house.building_id]}
    assert operator.post(f"/people/{member_id}/role", chosen).status_code == 303
    listed = operator.get("/people").text
    assert "Only Kawasemi House" in listed
    form = operator.get(f"/people/{member_id}/role").text
    assert form.count("checked") == 3
    assert housekeeper.get(f"/buildings/{house.building_id}").status_code == 200
    everything = {"role": "housekeeping", "reach": "all", "buildingIds": [house.building_id]}
    operator.post(f"/people/{member_id}/role", everything)
    with database.reading(house.workspace_id) as session:
        assert session.get_one(Member, (house.workspace_id, member_id)).building_ids is None
        events = select(AuditRecord.after).where(
            AuditRecord.audit_event == "member.buildings_changed"
        )
        noted = session.scalars(events.order_by(AuditRecord.at, AuditRecord.id)).all()
    assert noted == [{"building_ids": [house.building_id]}, {"building_ids": None}]
    assert "Kawasemi House" in operator.get("/audit").text


def test_no_building_and_an_operator_of_one_are_refused(
    operator: Browser, database: Database, cast: Cast, staff: Staff
) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        of_person = Member.person_id == staff.of_role(StaffRole.OFFICE)
        member_id = session.scalars(select(Member.id).where(of_person)).one()
    address = f"/people/{member_id}/role"
    none = operator.post(address, {"role": "office", "reach": "some"})
    assert none.status_code == 422
    assert "hoose at least one building" in none.text
    chosen = {"role": "operator", "reach": "some", "buildingIds": [cast.sumida.building_id]}
    assert operator.post(address, chosen).status_code == 422
    strangers = {"role": "office", "reach": "some", "buildingIds": [cast.minato.building_id]}
    assert operator.post(address, strangers).status_code == 422


def test_an_invitation_carries_the_buildings(
    operator: Browser, database: Database, cast: Cast
) -> None:
    house = cast.sumida
    invited = {
        "email": "new@example.jp",
        "role": "maintenance",
        "reach": "some",
        "buildingIds": [house.building_id],
    }
    assert operator.post("/people", invited).status_code == 303
    with database.reading(house.workspace_id) as session:
        assert session.scalars(select(Invitation.building_ids)).one() == [house.building_id]
    assert "Only Kawasemi House" in operator.get("/people").text


def test_work_is_given_only_to_members_who_would_see_it(
    operator: Browser, database: Database, cast: Cast, staff: Staff
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        session.add(builders.building(id="b" * 32, name="鶴見荘", slug="tsurumi"))
        bound = Member.person_id.in_((staff.office_id, staff.of_role(StaffRole.HOUSEKEEPING)))
        for member in session.scalars(select(Member).where(bound)):
            member.building_ids = ["b" * 32]
        task_id = add_task(
            Work(session, FixedClock(LONG_AGO), "staff"),
            wanted=WantedTask(kind=TaskKind.CLEANING, building_id=house.building_id),
        )
        enquiry_id = receive_enquiry(
            Work(session, FixedClock(LONG_AGO), "staff"),
            enquiry=WrittenEnquiry(
                name="問う人", email="asks@example.jp", source=EnquirySource.PHONE
            ),
        )
    for path, person_id in (
        (f"/tasks/{task_id}/assignee", staff.of_role(StaffRole.HOUSEKEEPING)),
        (f"/enquiries/{enquiry_id}/assignee", staff.office_id),
    ):
        answer = operator.post(path, {"assigneeId": person_id, "version": "1"})
        assert answer.status_code == 422
        assert "works for other buildings" in answer.text
