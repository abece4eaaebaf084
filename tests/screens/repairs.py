"""Reports and a project with everything on its page, made where screens are looked at."""

from tests.cast import House
from tests.screens.world import LIVED_IN, World
from tests.upkeep.works import Works


def reported_problem(world: World) -> str:
    """Return the id of a report that nobody has decided about, beside another of its unit."""
    works = _works(world)
    unit_id = world.any_id("unit", f"building_id={works.house.building_id}")
    works.report("浴室の換気扇から音がする\n夜のあいだずっと続いている", unit_id=unit_id)
    return works.report("換気扇がうるさい", unit_id=unit_id, may_enter=True)


def folded_project(world: World) -> str:
    """Return the id of a project with a report, hours and a purchase."""
    works = _works(world)
    project_id = works.fold(works.report("エアコンから水が垂れてくる", unit_id=None))
    works.work(project_id, 150, 4_500, note="分解と清掃")
    works.buy(project_id, 3_200, shop="ホームセンター")
    return project_id


def _works(world: World) -> Works:
    house, building_id = object.__new__(House), world.any_id("building")
    found = {
        "workspace_id": world.workspace_ids[LIVED_IN],
        "building_id": building_id,
        "residents_room_id": world.any_id("unit", f"building_id={building_id}"),
    }
    for name, value in found.items():
        object.__setattr__(house, name, value)
    return Works(world.database, world.clock, house)
