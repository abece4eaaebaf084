"""Which records fill the parameters of an address, and how a page is reached that needs more."""

from collections.abc import Callable, Mapping
from functools import partial
from io import BytesIO
from typing import Final

from playwright.sync_api import Page
from werkzeug.routing import Rule

from pms.access.code_sign_in import link_token
from pms.access.invitations import invite_member
from pms.access.models import SignInCode
from pms.access.opening_links import make_opening
from pms.demo.rows import read_toml
from pms.foundation.ids import new_id
from pms.foundation.tokens import Signer, new_token
from pms.foundation.work import Work
from pms.rules.enumerations import StaffRole, UserKind
from tests.bank.statement_files import Moved, statement_file
from tests.screens.links import contractors_path, share_link_id
from tests.screens.offers import offers_path, reservation_link_id
from tests.screens.portals import ask_for_code, portals_path
from tests.screens.repairs import folded_project, reported_problem
from tests.screens.screens import Screen
from tests.screens.stays import check_in_link_id, guests_path
from tests.screens.talks import planned_trip, talked_about
from tests.screens.world import LIVED_IN, World
from tests.staff import open_browser

_SHEET = (
    "物件名,部屋番号,種別,賃料\nみなと荘,101,シェアハウス,52000\nみなと荘,102,シェアハウス,abc\n"
)
_ROLL = "号室,氏名,契約開始,賃料,敷金,滞納額\n101,山田 一,2025/4/1,52000,あり,52000\n"

# The table whose record fills a parameter; a line of the screens may say which records will do.
TABLES: Final[Mapping[str, str]] = {
    "reservation_id": "reservation",
    "unit_id": "unit",
    "building_id": "building",
    "owner_id": "owner",
    "account_id": "bank_account",
    "debit_file_id": "debit_file",
    "payout_file_id": "payout_file",
    "entry_id": "ledger_entry",
    "invoice_id": "invoice",
    "payment_id": "payment",
    "run_id": "run",
    "key_id": "api_key",
    "fee_id": "fee",
    "member_id": "member",
    "page_id": "handbook_page",
    "photo_id": "photo",
    "block_id": "external_block",
    "feed_id": "calendar_feed",
    "task_id": "task",
    "enquiry_id": "enquiry",
    "lead_id": "lead",
    "order_id": "supplier_order",
    "chat_id": "chat_conversation",
    "conversation_id": "conversation",
    "event_id": "inbound_event",
    "secret_id": "webhook_secret",
    "reply_template_id": "reply_template",
    "viewing_id": "viewing",
    "contract_id": "contract",
    "template_id": "contract_template",
    "condition_report_id": "condition_report",
    "post_id": "post",
    "campaign_id": "campaign",
    "position_id": "position",
    "handover_id": "key_handover",
    "service_id": "service",
    "screening_id": "screening",
    "identity_paper_id": "identity_paper",
}


def rule_of(world: World, screen: Screen) -> Rule:
    """Return the rule by which a screen's page is opened."""
    rules = world.app.url_map.iter_rules(screen.endpoint)
    return next(rule for rule in rules if "GET" in (rule.methods or ()))


def address(world: World, screen: Screen, slug: str = LIVED_IN) -> str:
    """Return the address of a screen in a workspace."""
    rule = rule_of(world, screen)
    own = _own_path(world, screen)
    values = {
        name: slug if name == "workspace" else own.get(name) or _value(world, screen, name, slug)
        for name in rule.arguments
    }
    built = rule.build(values)
    assert built is not None
    asked = screen.query
    for kind in ("unit", "building", "reservation", "maintenance_request"):
        if f"{{{kind}}}" in asked:
            asked = asked.replace(f"{{{kind}}}", world.any_id(kind, slug=slug))
    return f"{built[1]}{asked}"


def _own_path(world: World, screen: Screen) -> Mapping[str, str]:
    if screen.endpoint.startswith("contractor_links."):
        return contractors_path(world)
    if screen.endpoint.startswith("reservation_links."):
        return offers_path(world, screen)
    if screen.endpoint.startswith("guest_checkin."):
        return guests_path(world, screen)
    if screen.endpoint == "auth.opening":
        return {"token": _opening(world)}
    if screen.endpoint.endswith(".sign_in_link"):
        return {"token": _sign_in_token(world, UserKind(_USER_KINDS[screen.endpoint]))}
    return portals_path(world, screen) if screen.is_behind_portal else {}


def _value(world: World, screen: Screen, name: str, slug: str) -> str:
    if name in MADE:
        return MADE[name](world)
    return world.any_id(TABLES[name], screen.of.get(name, ""), slug)


def _opening(world: World) -> str:
    with world.database.across_workspaces_writing() as session:
        return make_opening(session, world.clock, made_by="test")


def _invitation(world: World) -> str:
    links: list[str] = []
    with world.database.writing(world.workspace_ids[LIVED_IN]) as session:
        invite_member(
            Work(session, world.clock, "system"),
            email="new@screens.example",
            role=StaffRole.OFFICE,
            inviter="小川 智子",
            locale="ja",
            signer=Signer(world.settings.secret_key),
            link=lambda token: links.append(token) or token,  # type: ignore[func-returns-value]
        )
    return links[0]


_USER_KINDS: Final = {
    "auth.sign_in_link": "staff",
    "resident.sign_in_link": "resident",
    "owner.sign_in_link": "owner",
}


def _sign_in_token(world: World, user_kind: UserKind) -> str:
    code = SignInCode(
        id=new_id(),
        user_kind=user_kind,
        workspace_id=None if user_kind is UserKind.STAFF else world.workspace_ids[LIVED_IN],
        address="somebody@screens.example",
        locale="ja",
        screen_hash="",
        is_link=True,
        salt=new_token(),
        sent_at=world.clock.now(),
    )
    with world.database.across_workspaces_writing() as session:
        session.add(code)
    return link_token(Signer(world.settings.secret_key), code)


def _sheet(world: World) -> str:
    who = world.people[StaffRole.OPERATOR]
    browser = open_browser(world.app, world.clock, who, LIVED_IN)
    sent = {"kind": "units", "file": (BytesIO(_SHEET.encode()), "sheet.csv")}
    return str(browser.post("/import", sent).location).rsplit("/", 1)[-1]


def _transfer(world: World) -> str:
    who = world.people[StaffRole.OPERATOR]
    browser = open_browser(world.app, world.clock, who, LIVED_IN)
    moved = [Moved("モガミ テルミ", 86_000, world.clock.today())]
    # It ends with the balance from which the demo's sample of a statement goes on.
    opening_yen = read_toml("bank")["closing_yen"] - moved[0].yen
    statement = BytesIO(statement_file(moved, opening_yen))
    sent = {"file": (statement, "statement.txt"), "gap": "y"}
    browser.post("/bank", sent)
    return world.any_id("bank_transfer", "", LIVED_IN)


def _takeover(world: World) -> str:
    who = world.people[StaffRole.OPERATOR]
    browser = open_browser(world.app, world.clock, who, LIVED_IN)
    sent = {"file": (BytesIO(_ROLL.encode()), "roll.csv")}
    return str(browser.post("/takeover", sent).location).rsplit("/", 2)[-2]


# Parameters that are no record's id.
MADE: Final[Mapping[str, Callable[[World], str]]] = {
    "token": _invitation,
    "screen": lambda _: "none",
    "integration_kind": lambda _: "payments",
    "webhook_source": lambda _: "payments",
    "month": lambda _: "2026-10",
    "year": lambda _: "2026",
    "sheet_id": _sheet,
    "takeover_id": _takeover,
    "step": lambda _: "money",
    "transfer_id": _transfer,
    "share_link_id": share_link_id,
    "reservation_link_id": reservation_link_id,
    "check_in_link_id": check_in_link_id,
    "request_id": reported_problem,
    "project_id": folded_project,
    "ticket_id": talked_about,
    "visit_id": planned_trip,
    "room": lambda _: "kitchen",
    "party": lambda _: "guarantor",
}


def ask_for_pin(page: Page) -> None:
    """Reach the page of the code as a person does: by asking for one."""
    page.goto("/sign-in")
    page.fill("[name=email]", "operator@screens.example")
    page.click("button[value=code]")
    page.wait_for_url("**/sign-in/pin/*")
    page.wait_for_load_state()


# Pages that only open on the way.
ON_THE_WAY: Final[Mapping[str, Callable[[Page], None]]] = {
    "auth.pin": ask_for_pin,
    "resident.code": partial(ask_for_code, user_kind=UserKind.RESIDENT),
    "owner.code": partial(ask_for_code, user_kind=UserKind.OWNER),
}
