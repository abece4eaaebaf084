"""Nobody, a stranger and a neighbour meet nothing of a resident; an address not walked fails."""

import pytest
from flask import Flask
from werkzeug.routing import Rule

from pms.foundation.clock import FixedClock
from pms.rules.enumerations import UserKind
from tests.cast import Cast
from tests.portals import open_portal_browser
from tests.staff import Browser

# Signing in is for everybody; its answers are tested in test_auth.
OPEN = (
    *("sign_in", "ask_for_code", "code", "try_code", "ask_again", "sign_out"),
    *("sign_in_link", "use_sign_in_link"),
)


@pytest.fixture
def strange_owner(app: Flask, clock: FixedClock, cast: Cast) -> Browser:
    """The owner of Minato, signed in there."""
    house = cast.minato
    return open_portal_browser(
        app,
        clock,
        UserKind.OWNER,
        workspace_id=house.workspace_id,
        slug=house.slug,
        address="owner@minato.example.jp",
    )


def rules_of(app: Flask, portal: str) -> list[Rule]:
    found = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith(f"{portal}.")]
    return [rule for rule in found if rule.endpoint.rpartition(".")[2] not in OPEN]


def answered(browser: Browser, rule: Rule, cast: Cast, reservation_id: str = "") -> int:
    values = dict.fromkeys(rule.arguments, "0" * 32)
    values |= {
        name: "1"
        for name in rule.arguments
        if name in rule._converters and type(rule._converters[name]).__name__ == "IntegerConverter"
    }
    values |= {"workspace": cast.sumida.slug}
    if "reservation_id" in rule.arguments:
        values |= {"reservation_id": reservation_id}
    built = rule.build(values)
    assert built is not None
    method = "POST" if "POST" in (rule.methods or ()) else "GET"
    data = {"csrf_token": browser.form_token} if method == "POST" else None
    answer = browser.client.open(built[1], method=method, data=data)
    if answer.status_code == 303:
        assert f"/{cast.sumida.slug}/sign-in" in (answer.location or ""), rule
    return answer.status_code


@pytest.mark.parametrize("portal", ["resident", "owner"])
def test_nobody_and_a_stranger_are_sent_to_the_sign_in(
    app: Flask, cast: Cast, stranger: Browser, strange_owner: Browser, portal: str
) -> None:
    nobody = Browser(app.test_client(), cast.sumida.slug, "")
    rules = rules_of(app, portal)
    assert rules
    for browser in (nobody, stranger, strange_owner):
        for rule in rules:
            assert answered(browser, rule, cast, cast.sumida.resident_id) == 303, rule


def test_a_neighbour_finds_nothing_of_another_reservation(
    app: Flask, cast: Cast, resident: Browser
) -> None:
    rules = [rule for rule in rules_of(app, "resident") if "reservation_id" in rule.arguments]
    assert rules
    for rule in rules:
        for other in (cast.sumida.owner_resident_id, cast.minato.resident_id, "0" * 32, "x"):
            assert answered(resident, rule, cast, other) == 404, rule


def test_every_address_names_its_reservation(app: Flask) -> None:
    # What the gate finds by this name is the resident's own; anything else would pass it by.
    apart = {"resident.home", "resident.end_other_sessions"}
    for rule in rules_of(app, "resident"):
        assert "reservation_id" in rule.arguments or rule.endpoint in apart, rule
