"""A list asks the database as little in a large workspace as in a small one."""

from collections.abc import Mapping
from typing import Final

from tests.screens.screens import SCREENS
from tests.screens.visiting import session_of, states_of
from tests.screens.world import World
from tests.surfaces.dashboard.reservations.test_questions import asked

MOST: Final = 25
_MORE: Final[Mapping[str, tuple[int, str]]] = {
    "dashboard.today": (26, "gathers what every part of the desk has waiting"),
    "dashboard.bank_day": (31, "each kind of transfer is a list of its own, with what it may pay"),
}
"""What asks more, at most how often, and why."""


def test_no_list_asks_the_database_more_than_a_page_may(world: World) -> None:
    found = []
    lists = [screen for screen in SCREENS if "long" in states_of(world, screen)]
    assert {"dashboard.bills", "dashboard.viewings"} <= {screen.name for screen in lists}
    for screen in lists:
        client = world.app.test_client()
        client.set_cookie("session", session_of(world, screen))
        for state in ("normal", "long"):
            where = world.addresses[f"{screen.name} {state}"]
            client.get(where)  # what a first visit asks besides is kept
            with asked() as statements:
                assert client.get(where).status_code == 200, where
            most, _why = _MORE.get(screen.name, (MOST, ""))
            if len(statements) > most:
                found.append(f"{screen.name} asks {len(statements)} questions ({state})")
    assert not found, "\n".join(found)
