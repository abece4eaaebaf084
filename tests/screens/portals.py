"""Who looks at a portal's pages: the resident or the owner whose records they show."""

import re
from collections.abc import Mapping
from typing import Final

from playwright.sync_api import Page

from pms.contracts.explanations import is_unexplained, record_explanation
from pms.contracts.queries import contract_record
from pms.foundation.work import Work
from pms.rules.addresses import folded_address
from pms.rules.enumerations import UserKind
from tests.portals import open_portal_browser
from tests.screens.screens import Screen
from tests.screens.talks import talked_about
from tests.screens.world import LIVED_IN, World
from tests.talks import hold_talks

_LIVING: Final = "lifecycle=living&kind=resident"
# The table of each parameter whose record belongs to the resident's reservation, or to the
# owner's building; a line of the screens may say which records will do.
OF_RESERVATION: Final[Mapping[str, str]] = {
    "contract_id": "contract",
    "entry_id": "ledger_entry",
    "invoice_id": "invoice",
    "ticket_id": "ticket",
    "request_id": "maintenance_request",
}
OF_OWNER: Final[Mapping[str, str]] = {"building_id": "building"}


def portals_path(world: World, screen: Screen) -> Mapping[str, str]:
    """Return what fills an address: the record of whoever looks, and what hangs on it."""
    holder = _holder(world, screen)
    column, tables = (
        ("reservation_id", OF_RESERVATION) if _is_residents(screen) else ("owner_id", OF_OWNER)
    )
    rule = next(iter(world.app.url_map.iter_rules(screen.endpoint)))
    if "ticket_id" in rule.arguments:
        talked_about(world)
    found = {
        name: world.any_id(
            table, "&".join(filter(None, (f"{column}={holder}", screen.of.get(name))))
        )
        for name, table in tables.items()
        if name in rule.arguments
    }
    if screen.endpoint == "resident.contract":
        _explain(world, found["contract_id"])
    if "statement_id" in rule.arguments:
        of_building = f"building_id={world.any_id('building', f'owner_id={holder}')}"
        found["statement_id"] = world.any_id("owner_statement", of_building)
    return {column: holder, **found}


def portal_cookie(world: World, screen: Screen) -> str:
    """Return the session cookie of whoever looks at a page of a portal."""
    table = "reservation" if _is_residents(screen) else "owner"
    # The tenancy that the page is of: in a larger workspace others answer to the same description.
    named = re.search(
        r"/([0-9a-f]{32})(?:[/?]|$)", world.addresses.get(f"{screen.name} normal", "")
    )
    holder = named[1] if named and _is_residents(screen) else _holder(world, screen)
    address = folded_address(world.value_of(table, holder, "email"))
    user_kind = UserKind.RESIDENT if _is_residents(screen) else UserKind.OWNER
    browser = open_portal_browser(
        world.app,
        world.clock,
        user_kind,
        workspace_id=world.workspace_ids[LIVED_IN],
        slug=LIVED_IN,
        address=address,
    )
    cookie = browser.client.get_cookie("session")
    assert cookie is not None
    return str(cookie.value)


def ask_for_code(page: Page, user_kind: UserKind) -> None:
    """Reach the page of the code as a person does: by asking for one."""
    page.goto(f"/{user_kind.value}/{LIVED_IN}/sign-in")
    page.fill("[name=email]", "somebody@screens.example")
    page.click("main [type=submit]")
    page.wait_for_url("**/sign-in/pin/*")
    page.wait_for_load_state()


def _explain(world: World, contract_id: str) -> None:
    """Hand the prior explanation over on paper, as a contract that is to be signed needs it."""
    with world.database.writing(world.workspace_ids[LIVED_IN]) as session:
        if is_unexplained(session, contract_record(session, contract_id)):
            record_explanation(
                Work(session, world.clock, "person/screens"),
                contract_id=contract_id,
                handed_on=world.clock.today(),
            )
            hold_talks(session, world.clock)


def _is_residents(screen: Screen) -> bool:
    return screen.endpoint.startswith("resident.")


def _holder(world: World, screen: Screen) -> str:
    if _is_residents(screen):
        return world.any_id("reservation", screen.of.get("reservation_id", _LIVING))
    return world.any_id("owner", screen.of.get("owner_id", ""))
