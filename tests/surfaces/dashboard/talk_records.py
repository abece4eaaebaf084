"""A conversation with a resident and a visit, for the walk through all addresses."""

from collections.abc import Mapping

from pms.contracts.people_changes import WrittenPaper, add_paper, hold_people
from pms.contracts.screenings import open_screening
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.rules.contract_people import IdentityKind
from pms.rules.enumerations import TaskKind
from pms.upkeep.tasks import WantedTask, add_task
from pms.upkeep.ticket_updates import open_ticket
from pms.upkeep.visit_changes import plan_visit
from tests.cast import House


def talk_records(
    database: Database, clock: FixedClock, house: House, person_id: str
) -> Mapping[str, str]:
    """Return the ids of a conversation, a visit, a screening and a paper, by the parameter of their address."""
    wanted = WantedTask(kind=TaskKind.CLEANING, building_id=house.building_id)
    with database.writing(house.workspace_id) as session:
        ticket_id = open_ticket(
            Work(session, clock, f"reservation/{house.resident_id}"),
            reservation_id=house.resident_id,
            subject="お湯が出ません",
            text="昨日からです。",
        )
        visit_id = plan_visit(
            Work(session, clock, "staff"),
            person_id=person_id,
            building_id=house.building_id,
            on_day=clock.today(),
            task_ids=[add_task(Work(session, clock, "staff"), wanted=wanted)],
        )
        screening_id = open_screening(session, clock, by="staff", reservation_id=house.resident_id)
        work = Work(session, clock, "staff")
        people_id = hold_people(session, clock, reservation_id=house.resident_id)
        paper = WrittenPaper(IdentityKind.STUDENT_CARD, "S-1")
        paper_id = add_paper(work, people_id=people_id, written=paper)
    return {
        "ticket_id": ticket_id,
        "visit_id": visit_id,
        "screening_id": screening_id,
        "identity_paper_id": paper_id,
    }
