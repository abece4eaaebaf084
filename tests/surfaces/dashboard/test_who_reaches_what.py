"""Walks every address of the dashboard as every role, as a stranger, and as nobody.

A new address is walked as soon as it is registered. One that names a kind of record nobody made
yet fails until `records_of` makes one.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

import pytest
from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.enumerations import StaffRole
from pms.surfaces.dashboard.gate import dashboard
from tests.cast import Cast
from tests.row_counts import row_counts
from tests.staff import Browser, Staff, open_browser
from tests.surfaces.choices import FORM, NOT_OFFERED, choices_of
from tests.surfaces.dashboard.records import records_of
from tests.surfaces.dashboard.reservations.forms import controls_of

_PREFIX = "dashboard."
# These say nothing of a workspace: a month that is no record, a picture named by its content, how
# wide a picture is, what a provider does, which program reads a file, which part of a home it is.
_NO_RECORD = frozenset(
    {"workspace", "month", "digest", "width", "integration_kind", "webhook_source"}
    | {"program", "kind", "year", "step", "sheet_name", "room", "party"}
)
# A person's own sessions are theirs in every workspace; another's are tested below.
_GONE_FOR_A_STRANGER = 404

_ABSENT: Final = "0" * 32
_BUTTON: Final = re.compile(r"<button[^>]*\bname=\"([^\"]+)\"[^>]*\bvalue=\"([^\"]*)\"")
_ID: Final = re.compile(r"[0-9a-f]{32}")
_SECRET_ADDRESS: Final = re.compile(r"/(check-in|reserve|contractor|calendar)/[A-Za-z0-9_-]{20,}")
_ACTION: Final = re.compile(r"^<form[^>]*action=\"([^\"]+)\"")
_LINK: Final = re.compile(r"\b(?:href|hx-get)=\"(/[^\"#]*)")
_NAME: Final = re.compile(r"<(?:input|select|textarea)[^>]*\bname=\"([^\"]+)\"")
_ASKED: Final = (
    *("buildingId", "unitId", "projectId", "requestId", "reservationId", "taskId", "personId"),
    *("ownerId", "kind", "state", "view", "day", "week", "page", "q", "month", "fromOn"),
)


def addresses(app: Flask) -> Iterator[tuple[Rule, str]]:
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith(_PREFIX):
            methods = (rule.methods or set()) - {"HEAD", "OPTIONS"}
            assert len(methods) == 1, f"{rule} answers several methods"
            yield rule, methods.pop()


def ask_address(
    browser: Browser, rule: Rule, method: str, values: Mapping[str, str]
) -> TestResponse:
    facts = {name: values[name] for name in rule.arguments if name != "workspace"}
    if "/receipts/" in rule.rule and "paper_id" in facts:
        facts["paper_id"] = values["receipt_id"]
    built = rule.build({**facts, "workspace": "here"})
    assert built is not None
    path = built[1].removeprefix("/dashboard/here")
    return browser.get(path) if method == "GET" else browser.post(path)


@pytest.fixture
def ours(database: Database, clock: FixedClock, cast: Cast, staff: Staff) -> Mapping[str, str]:
    """A record of every kind, at Sumida."""
    return records_of(database, clock, cast.sumida, staff.office_id)


@pytest.fixture
def theirs(database: Database, clock: FixedClock, cast: Cast, staff: Staff) -> Mapping[str, str]:
    """A record of every kind, at Minato."""
    return records_of(database, clock, cast.minato, staff.stranger_id)


def test_every_page_opens_for_the_operator(
    app: Flask, operator: Browser, ours: Mapping[str, str]
) -> None:
    for rule, method in addresses(app):
        if method == "GET" and rule.endpoint != "dashboard.logo":
            answer = ask_address(operator, rule, method, ours)
            assert answer.status_code in {200, 303}, f"{rule}: {answer.status_code}"
            is_kept = answer.headers["Cache-Control"] != "no-store"
            if is_kept and answer.mimetype == "text/html":
                assert not _SECRET_ADDRESS.search(answer.text), f"{rule} is not is_secret"


def test_the_answer_to_a_form_is_not_kept_by_the_browser(
    app: Flask, operator: Browser, ours: Mapping[str, str]
) -> None:
    for rule, method in addresses(app):
        if method == "POST":
            answer = ask_address(operator, rule, method, ours)
            assert answer.headers["Cache-Control"] == "no-store", str(rule)


def test_a_page_that_a_refused_form_shows_again_links_only_to_what_can_be_opened(
    app: Flask, operator: Browser, ours: Mapping[str, str]
) -> None:
    """Its links to languages, themes, sorting and pages too, also from beyond the end of a list."""
    adapter, pages, links = app.url_map.bind("localhost"), 0, set[str]()
    for rule, method in addresses(app):
        if method != "POST" or _ends_the_session(rule.rule):
            continue
        built = rule.build({**ours, "workspace": operator.home.rpartition("/")[2]})
        assert built is not None
        typed = {"csrf_token": operator.form_token}
        path = built[1].partition("?")[0]
        answer = operator.client.post(f"{path}?page=9", data=typed)
        if answer.status_code < 400 or answer.mimetype != "text/html":
            continue
        pages += 1
        found = {link.replace("&amp;", "&") for link in _LINK.findall(answer.text)}
        shut = [
            link for link in found if "GET" not in adapter.allowed_methods(link.partition("?")[0])
        ]
        assert shut == [], f"{rule}: {shut}"
        links |= found
    assert pages > 80
    assert any("/invoices?page=9&" in link for link in links)


def test_a_form_for_a_record_that_does_not_exist_is_not_there_and_writes_nothing(
    app: Flask, operator: Browser, ours: Mapping[str, str], database: Database
) -> None:
    """Each form is sent with every box ticked, by each of its buttons."""
    forms = set(_forms(app, operator, ours))
    before, tried = row_counts(database), 0
    for address, form in sorted(forms, key=lambda found: (_ends_the_session(found[0]), *found)):
        ticked = form.replace('type="checkbox"', 'type="checkbox" checked')
        values = {"csrf_token": operator.form_token, **controls_of(ticked)}
        for found in set(_ID.findall(address)):
            for name, value in {("", ""), *_BUTTON.findall(form)}:
                typed = {**values, name: value} if name else values
                answer = operator.client.post(address.replace(found, _ABSENT), data=typed)
                tried += 1
                found_status = f"{address} {name}={value}: {answer.status_code}"
                assert answer.status_code == _GONE_FOR_A_STRANGER, found_status
    assert tried > 100
    assert row_counts(database) == before


def test_a_form_without_anything_in_it_breaks_nothing(
    app: Flask, operator: Browser, ours: Mapping[str, str]
) -> None:
    for rule, method in addresses(app):
        if method == "POST":
            answer = ask_address(operator, rule, method, ours)
            assert answer.status_code < 500, f"{rule}: {answer.status_code}"


@pytest.mark.parametrize(
    "nonsense",
    [
        "x",
        pytest.param("\x00", marks=pytest.mark.thorough("a third of the nonsense is quick")),
        pytest.param("１" * 40, marks=pytest.mark.thorough("a third of the nonsense is quick")),
    ],
    ids=["letter", "null", "digits"],
)
def test_a_question_of_nonsense_breaks_nothing(
    app: Flask, operator: Browser, ours: Mapping[str, str], nonsense: str
) -> None:
    asked = dict.fromkeys(_ASKED, nonsense)
    for rule, method in addresses(app):
        if method == "GET":
            built = rule.build({**ours, "workspace": operator.home.rpartition("/")[2]})
            assert built is not None
            status = operator.client.get(built[1].partition("?")[0], query_string=asked).status_code
            assert status < 500, f"{rule}: {status}"


@pytest.mark.only_on("postgresql")
def test_an_address_with_a_nul_is_not_there_and_a_form_is_refused(
    app: Flask, operator: Browser, ours: Mapping[str, str]
) -> None:
    """PostgreSQL refuses a NUL in a text as an error, where SQLite finds no row."""
    nobodys = {name: id_ if name in _NO_RECORD else "\0" for name, id_ in ours.items()}
    for rule, method in addresses(app):
        if rule.arguments - _NO_RECORD:
            answer = ask_address(operator, rule, method, nobodys)
            assert answer.status_code == _GONE_FOR_A_STRANGER, f"{rule}: {answer.status_code}"
    typed = {"buildingId": ours["building_id"], "unit": "1\0"}
    assert operator.post("/viewings", typed).status_code == 400


def test_a_form_without_its_token_is_refused(
    app: Flask, operator: Browser, ours: Mapping[str, str]
) -> None:
    for rule, method in addresses(app):
        if method == "POST":
            built = rule.build({**ours, "workspace": operator.home.rpartition("/")[2]})
            assert built is not None
            answer = operator.client.post(built[1])
            assert answer.status_code == 400, f"{rule}: {answer.status_code}"


def test_no_role_reaches_more_than_it_is_told(
    app: Flask, clock: FixedClock, staff: Staff, cast: Cast, ours: Mapping[str, str]
) -> None:
    reach = {name: found.roles for name, found in dashboard.checks.items()}
    for role in (StaffRole.OFFICE, StaffRole.HOUSEKEEPING, StaffRole.MAINTENANCE):
        browser = open_browser(app, clock, staff.of_role(role), cast.sumida.slug)
        for rule, method in addresses(app):
            if role in reach[rule.endpoint.removeprefix(_PREFIX)]:
                continue
            answer = ask_address(browser, rule, method, ours)
            assert answer.status_code == 403, f"{role} {rule}: {answer.status_code}"


def test_the_menu_holds_only_what_the_role_reaches(
    housekeeper: Browser, office: Browser, operator: Browser
) -> None:
    assert "/billing" not in housekeeper.get("/").text
    assert "/billing" in office.get("/").text
    assert "/keys" not in office.get("/").text
    assert "/keys" in operator.get("/").text


def test_a_strangers_record_is_not_there(
    app: Flask, operator: Browser, theirs: Mapping[str, str]
) -> None:
    for rule, method in addresses(app):
        if rule.arguments - _NO_RECORD:
            answer = ask_address(operator, rule, method, theirs)
            assert answer.status_code == _GONE_FOR_A_STRANGER, f"{rule}: {answer.status_code}"


def test_a_strangers_record_below_our_own_is_not_there_either(
    app: Flask, operator: Browser, ours: Mapping[str, str], theirs: Mapping[str, str]
) -> None:
    for rule, method in addresses(app):
        named = sorted(rule.arguments - _NO_RECORD)
        if len(named) > 1:
            for foreign in named:
                mixed = {**ours, foreign: theirs[foreign]}
                answer = ask_address(operator, rule, method, mixed)
                assert answer.status_code == _GONE_FOR_A_STRANGER, f"{rule} with {foreign}"


def test_another_workspaces_dashboard_is_not_there(
    app: Flask, operator: Browser, cast: Cast, theirs: Mapping[str, str]
) -> None:
    abroad = Browser(operator.client, cast.minato.slug, operator.form_token)
    for rule, method in addresses(app):
        answer = ask_address(abroad, rule, method, theirs)
        assert answer.status_code == _GONE_FOR_A_STRANGER, f"{rule}: {answer.status_code}"


def test_who_is_not_signed_in_is_sent_to_the_sign_in(
    app: Flask, cast: Cast, ours: Mapping[str, str]
) -> None:
    nobody = Browser(app.test_client(), cast.sumida.slug, "")
    for rule, method in addresses(app):
        answer = ask_address(nobody, rule, method, ours)
        assert answer.status_code == 303, f"{rule}: {answer.status_code}"
        assert "/sign-in" in answer.location


@pytest.mark.thorough("forms are read by one function; an empty form is sent everywhere")
def test_a_field_sent_twice_with_the_first_empty_breaks_nothing(
    app: Flask, operator: Browser, ours: Mapping[str, str]
) -> None:
    """Each field of each page's own forms is sent twice: nobody could say which was meant."""
    forms = {address: set(_NAME.findall(form)) for address, form in _forms(app, operator, ours)}
    # What ends the session comes last.
    for address in sorted(forms, key=_ends_the_session):
        data = {**{name: ["", "x"] for name in forms[address]}, "csrf_token": operator.form_token}
        answer = operator.client.post(address, data=data)
        assert answer.status_code < 500, f"{address} {sorted(forms[address])}"
        assert _ends_the_session(address) or "/sign-in" not in (answer.location or "")
    assert len(forms) > 100


@pytest.mark.only_on("postgresql")
@pytest.mark.thorough("a form for each of its fields")
def test_a_field_of_nonsense_in_a_form_that_is_otherwise_filled_breaks_nothing(
    app: Flask, operator: Browser, ours: Mapping[str, str]
) -> None:
    """PostgreSQL refuses an id that is none as a wrong type, where SQLite finds no row."""
    forms = dict(_forms(app, operator, ours))
    tried = set()
    for address in sorted(forms, key=_ends_the_session):
        names = sorted(set(_NAME.findall(forms[address])) - {"csrf_token"})
        values = controls_of(forms[address])
        for name in names:
            place = (re.sub(r"[0-9a-f]{32}", "", address), name)
            if place not in tried:
                tried.add(place)
                data = {"csrf_token": operator.form_token, **values, name: "x/y"}
                answer = operator.client.post(address, data=data)
                assert answer.status_code < 500, f"{address} {name}"
    assert len(tried) > 300


@NOT_OFFERED
def test_a_choice_that_the_page_does_not_offer_breaks_no_page(
    app: Flask, operator: Browser, ours: Mapping[str, str], sent: list[str]
) -> None:
    """All choices of a form are sent so, and then each alone; every page opens afterwards."""
    tried = 0
    for address, form in sorted(set(_forms(app, operator, ours))):
        names = choices_of(form)
        values = {"csrf_token": operator.form_token, **controls_of(form)}
        if not names or _ends_the_session(address):
            continue
        for changed in [names, *({name} for name in sorted(names) if len(names) > 1)]:
            typed = {**values, **dict.fromkeys(changed, sent)}
            answer = operator.client.post(address, data=typed)
            tried += 1
            found = f"{address} {sorted(changed)}: {answer.status_code}"
            assert answer.status_code < 500, found
            assert not "".join(sent) or answer.status_code >= 400, found
    assert tried > 100
    for rule, method in addresses(app):
        if method == "GET":
            answer = ask_address(operator, rule, method, ours)
            assert answer.status_code < 500, f"{rule}: {answer.status_code}"


def _forms(app: Flask, operator: Browser, ours: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the address and the text of every form on every page."""
    for rule, method in addresses(app):
        page = ask_address(operator, rule, method, ours) if method == "GET" else None
        if page is not None and page.mimetype == "text/html":
            for form in FORM.findall(page.text.partition("<main")[2]):
                action = _ACTION.search(form)
                yield action[1].replace("&amp;", "&") if action else page.request.path, form


def _ends_the_session(address: str) -> bool:
    return "/me" in address or "/sign-out" in address
