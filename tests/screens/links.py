"""A project shared with a contractor, with everything that its pages can show."""

from datetime import timedelta

from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.enumerations import TaskKind
from pms.upkeep.project_lines import add_purchase, log_hours
from pms.upkeep.projects import WantedProject, open_project
from pms.upkeep.share_links import named_link, share_project
from pms.upkeep.task_days import tasks_of_project
from pms.upkeep.tasks import WantedTask, add_task
from tests.screens.world import LIVED_IN, World

_ACTOR = "person/nobody"


def shared_project(world: World) -> str:
    """Open a project with tasks, hours and a purchase, and return its id."""
    building_id = world.any_id("building")
    unit_id = world.any_id("unit", f"building_id={building_id}")
    today = world.clock.today()
    with world.database.writing(world.workspace_ids[LIVED_IN]) as session:
        wanted = WantedProject(
            building_id=building_id,
            unit_id=unit_id,
            title="浴室の天井からの水漏れ",
            description="上の階の給水管の継ぎ手と思われます。",
        )
        project_id = open_project(Work(session, world.clock, _ACTOR), wanted=wanted)
        for title, days in (("配管の点検と、漏れている箇所の特定", -2), ("クロスの張り替え", 8)):
            task = WantedTask(
                kind=TaskKind.REPAIR,
                building_id=building_id,
                unit_id=unit_id,
                project_id=project_id,
                title=title,
                due_on=today + timedelta(days=days),
            )
            add_task(Work(session, world.clock, _ACTOR), wanted=task)
        log_hours(
            Work(session, world.clock, _ACTOR),
            project_id=project_id,
            worked_on=today,
            minutes=90,
            note="止水まで。",
        )
        add_purchase(
            Work(session, world.clock, _ACTOR),
            project_id=project_id,
            bought_on=today,
            what="エルボ継ぎ手",
            amount_yen=3_200,
            shop="墨田建材",
        )
    return project_id


def contractor_token(world: World) -> str:
    """Share such a project and return what its link carries."""
    project_id = shared_project(world)
    with world.database.writing(world.workspace_ids[LIVED_IN]) as session:
        return share_project(
            Work(session, world.clock, _ACTOR),
            project_id=project_id,
            contractor_name="墨田設備工業",
            contractor_phone="03-1234-5678",
            hourly_yen=3_500,
            expires_on=world.clock.today() + timedelta(days=30),
            signer=Signer(world.settings.secret_key),
        )


def share_link_id(world: World) -> str:
    """Share such a project and return the id of the link."""
    named = named_link(
        world.database.across_workspaces_reading,
        Signer(world.settings.secret_key),
        contractor_token(world),
    )
    assert named is not None
    return named.link_id


def contractors_path(world: World) -> dict[str, str]:
    """Return the parameters of a contractor's pages: a link, and a task of its project."""
    token = contractor_token(world)
    named = named_link(
        world.database.across_workspaces_reading, Signer(world.settings.secret_key), token
    )
    assert named is not None
    project_id = world.value_of("share_link", named.link_id, "project_id")
    with world.database.reading(world.workspace_ids[LIVED_IN]) as session:
        task_id = tasks_of_project(session, project_id)[0].id
    return {"token": token, "task_id": task_id}
