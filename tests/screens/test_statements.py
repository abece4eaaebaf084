"""Pages ask the database little, as much in a large workspace as in a small one."""

from collections.abc import Mapping
from typing import Final

from flask.testing import FlaskClient

from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY, note_change
from tests.screens.screens import SCREENS, Screen
from tests.screens.visiting import has_reader, session_of, states_of
from tests.screens.world import LIVED_IN, World
from tests.surfaces.dashboard.reservations.test_questions import asked

MOST: Final = 25
_MORE: Final[Mapping[str, tuple[int, str]]] = {
    "dashboard.today": (
        30,
        "gathers what every part of the desk has waiting, leases and papers too",
    ),
    "dashboard.bank_day": (31, "each kind of transfer is a list of its own, with what it may pay"),
    "dashboard.reservation_cancellation": (27, "what a cancellation takes back, and the head"),
    "dashboard.reservation_departure": (26, "what a notice changes, and the tenancy's head"),
    "dashboard.ledger_entry": (26, "a bill, the ledger it is part of, and the tenancy's head"),
    "dashboard.conversation": (28, "what was written in several channels, and the tenancy's head"),
    "dashboard.reservation_deposit": (30, "what was found at move-out, the ledger, and the head"),
    "dashboard.reservation_link": (27, "what the building asks of applicants, and what is missing"),
    "dashboard.contract": (28, "the document as it would be explained, and the tenancy's head"),
    "resident.tenancy": (
        28,
        "what is asked of the resident, rents too, how they pay, and the head",
    ),
    "reservation_links.offer-accepted": (
        28,
        "the document, what the building asks, the bill, and the head",
    ),
}
"""What asks more, at most how often, and why."""
_KEPT: Final[Mapping[str, str]] = {
    "dashboard.payout_list": "FROM owner_statement",
    "dashboard.fees": "FROM period_fee",
    "dashboard.check_charges": "FROM reservation JOIN unit",
}
"""What adds everything up, and what it is made of."""


def test_no_page_asks_the_database_more_than_a_page_may(world: World) -> None:
    found = []
    lists = [screen for screen in SCREENS if "long" in states_of(world, screen)]
    assert {"dashboard.bills", "dashboard.viewings"} <= {screen.name for screen in lists}
    for screen in SCREENS:
        client = _client_of(world, screen)
        for state in ("normal", "long") if screen in lists else ("normal",):
            where = world.addresses[f"{screen.name} {state}"]
            client.get(where)  # what a first visit asks besides is kept
            with asked() as statements:
                assert client.get(where).status_code == 200, where
            most, _why = _MORE.get(screen.name, (MOST, ""))
            if len(statements) > most:
                found.append(f"{screen.name} asks {len(statements)} questions ({state})")
    assert not found, "\n".join(found)


def test_what_adds_everything_up_is_read_again_only_after_a_change(world: World) -> None:
    workspace_id = world.workspace_ids[LIVED_IN]
    for screen in (screen for screen in SCREENS if screen.name in _KEPT):
        client, table = _client_of(world, screen), _KEPT[screen.name]
        where = world.addresses[f"{screen.name} normal"]
        client.get(where)
        with asked() as unchanged:
            client.get(where)
        with world.database.writing(workspace_id) as session:
            for counter in (CATALOGUE, OCCUPANCY, LEDGER):
                note_change(session, workspace_id, counter)
        with asked() as changed:
            client.get(where)
        assert not any(table in statement for statement in unchanged), screen.name
        assert any(table in statement for statement in changed), screen.name


def _client_of(world: World, screen: Screen) -> FlaskClient:
    client = world.app.test_client()
    if has_reader(screen):
        client.set_cookie("session", session_of(world, screen))
    return client
