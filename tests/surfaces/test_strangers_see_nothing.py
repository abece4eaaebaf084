"""Whoever belongs to one workspace meets nothing of another, whichever address they try.

The test walks every address the program answers. A new address fails it until a line here says
how its parameters are filled with a stranger's records, or why the address is for everyone.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from pms.access.keys import issue_key
from pms.catalogue.models import Photo
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.rules.enumerations import Scope
from tests.cast import Cast, House

# Who belongs to nobody's workspace may open these: the reason stands beside each.
FOR_EVERYONE: Mapping[str, str] = {
    "assets.asset": "the program's own styles, scripts and pictures",
    "welcome.start": "the start page speaks of the service alone",
    "welcome.robots": "tells what search engines may read",
    "manual.front": "the manual speaks of the service alone",
    "manual.front_markdown": "the manual speaks of the service alone",
    "manual.search": "searches the manual alone",
    "manual.sample_statement": "an example of a file, made of invented people",
    "manual.page": "the manual speaks of the service alone",
    "manual.markdown": "the manual speaks of the service alone",
    "manual.picture": "the manual speaks of the service alone",
    "manual.llms": "the manual speaks of the service alone",
    "manual.llms_full": "the manual speaks of the service alone",
    "photos.photo": "pictures of units stand on public pages; an id opens one under its own slug",
    "auth.sign_in": "nobody is known yet when signing in",
    "auth.enter": "the same answer for every address",
    "auth.pin": "shows what this very browser asked for",
    "auth.try_pin": "the code decides, on the screen that asked",
    "auth.ask_again": "the same answer for every address",
    "auth.second_factor": "only for a session that waits for it",
    "auth.try_second_factor": "only for a session that waits for it",
    "auth.kept_text": "shows a signed-in person what they typed themselves",
    "auth.sign_in_link": "the link is the credential, tested in test_signing_in",
    "auth.use_sign_in_link": "the link is the credential, tested in test_signing_in",
    "auth.sign_out": "ends one's own session",
    "auth.invitation": "the link is the credential, tested in test_invitations",
    "auth.sign_up": "asks for an address, where a setting allows it, tested in test_sign_up",
    "auth.ask_to_sign_up": "the same answer for every address, tested in test_sign_up",
    "auth.opening": "the link is the credential, tested in test_openings",
    "auth.open_workspace": "the link is the credential, tested in test_openings",
    "auth.accept_invitation": "the link is the credential, tested in test_invitations",
    "auth.workspaces": "lists the signed-in person's own workspaces",
    "dev_mail.mails": "development alone, tested in test_mailbox",
    "dev_mail.mail": "development alone, tested in test_mailbox",
    "offline.service_worker": "a script of the program's own",
    "offline.no_network": "speaks of the network alone",
    "calendars.calendar": "the address is the credential, tested in calendars/test_unit_calendar",
    "operations.healthz": "tells that the process is up",
    "operations.readyz": "tells that the database is there",
    "operations.show_metrics": "for operators of the machines; counts, no records",
}
# Which of a stranger's records each parameter is filled with.
FILLED: Mapping[str, Mapping[str, str]] = {
    "agent_api.show_property": {"unit_id": "free_room_id"},
    "agent_api.show_resident": {"reservation_id": "resident_id"},
    "agent_api.show_unit": {"slug": "free_room_slug"},
    "agent_api.show_building": {"slug": "building_slug"},
    "agent_api.show_post": {"slug": "post_slug"},
}
LISTS = frozenset(
    f"agent_api.{view}"
    for view in (
        "list_properties",
        "list_residents",
        "list_showings",
        "list_units",
        "list_buildings",
        "list_posts",
        "list_campaigns",
        "list_positions",
        "list_services",
        "show_config",
        "show_sitemap",
        "list_redirects",
    )
)
# What a stranger's name, room and words could be smuggled in by.
QUESTIONS: tuple[Mapping[str, str], ...] = (
    {},
    {"building": "building_id"},
    {"building": "building_slug"},
    {"unit": "free_room_id"},
    {"unit": "residents_room_id"},
    {"email": "resident_email"},
    {"search": "resident_email"},
    {"search": "slug"},
)
READ_ONLY = {"HEAD", "OPTIONS"}


@dataclass(frozen=True)
class Keys:
    """Every scope there is, in the two keys that may carry them."""

    people: str
    everything_else: str

    def header(self, rule: Rule) -> dict[str, str]:
        key = self.people if "resident" in rule.endpoint else self.everything_else
        return {"Authorization": f"Bearer {key}"}


@pytest.fixture
def keys(database: Database, cast: Cast, clock: FixedClock) -> Keys:
    return keys_of(cast.sumida, database, clock)


@pytest.fixture
def strangers_keys(database: Database, cast: Cast, clock: FixedClock) -> Keys:
    return keys_of(cast.minato, database, clock)


def keys_of(house: House, database: Database, clock: FixedClock) -> Keys:
    others = set(Scope) - {Scope.RESIDENTS_READ}
    with database.writing(house.workspace_id) as session:
        people = issue_key(
            Work(session, clock, "staff"), name="people", scopes=[Scope.RESIDENTS_READ]
        )
        rest = issue_key(
            Work(session, clock, "staff"),
            name="rest",
            scopes=sorted(others),
            budget_per_hour=100_000,
        )
    return Keys(people.plaintext, rest.plaintext)


def guarded(app: Flask) -> list[Rule]:
    # The dashboard has a walk of its own, as every role: test_who_reaches_what. So have the links
    # of contractors, guests and applicants, as everybody without one and with another one: their test_gate;
    # what providers push in, with a stranger's signature: tests/channels/test_deliveries_of_providers;
    # and the portals, as nobody, as a stranger and as a neighbour: portals/test_who_reaches_what.
    walked = (
        "dashboard.",
        "contractor_links.",
        "guest_checkin.",
        "reservation_links.",
        "settlement_links.",
        "webhooks.",
        "resident.",
        "owner.",
    )
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint not in FOR_EVERYONE]
    return [
        rule
        for rule in rules
        if not rule.endpoint.startswith(walked) and rule not in written_to(app)
    ]


def written_to(app: Flask) -> list[Rule]:
    """What is written to with a key: agent_api/test_strangers_write_nothing fills the bodies."""
    rules = (rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("agent_api."))
    return [rule for rule in rules if "POST" in (rule.methods or ())]


def filled(rule: Rule, house: House) -> str:
    return filled_with(
        rule, {name: getattr(house, of) for name, of in FILLED[rule.endpoint].items()}
    )


def filled_with(rule: Rule, values: Mapping[str, str]) -> str:
    built = rule.build(values)
    assert built is not None
    return str(built[1])


def asked(client: FlaskClient, rule: Rule, path: str, keys: Keys, **query: str) -> TestResponse:
    methods = (rule.methods or set()) - READ_ONLY
    assert len(methods) == 1, f"{rule} answers several methods: test each"
    return client.open(path, method=methods.pop(), headers=keys.header(rule), query_string=query)


def test_every_address_is_filled_or_for_everyone(app: Flask) -> None:
    for rule in guarded(app):
        found = set(FILLED.get(rule.endpoint, {}))
        assert rule.arguments == found, f"{rule} ({rule.endpoint}) has no line in FILLED"
        assert rule.arguments or rule.endpoint in LISTS, f"{rule.endpoint} has no line in LISTS"


def test_no_line_speaks_of_an_address_that_is_gone(app: Flask) -> None:
    there = {rule.endpoint for rule in app.url_map.iter_rules()}
    assert {*FOR_EVERYONE, *FILLED, *LISTS} <= there


def test_our_own_records_are_found(app: Flask, client: FlaskClient, cast: Cast, keys: Keys) -> None:
    for rule in guarded(app):
        if rule.arguments:
            answer = asked(client, rule, filled(rule, cast.sumida), keys)
            assert answer.status_code == 200, f"{rule}: {answer.text}"


def test_a_strangers_records_are_not_found(
    app: Flask, client: FlaskClient, cast: Cast, keys: Keys
) -> None:
    for rule in guarded(app):
        if rule.arguments:
            answer = asked(client, rule, filled(rule, cast.minato), keys)
            assert answer.status_code == 404, f"{rule}: {answer.text}"
            assert set(answer.get_json()) == {"error"}


def test_a_strangers_record_and_none_at_all_get_the_same_answer(
    app: Flask, client: FlaskClient, cast: Cast, keys: Keys
) -> None:
    for rule in guarded(app):
        if rule.arguments:
            foreign_path = filled(rule, cast.minato)
            nobodys = dict.fromkeys(rule.arguments, "0" * 32)
            foreign = asked(client, rule, foreign_path, keys)
            nobody = asked(client, rule, filled_with(rule, nobodys), keys)
            assert nobody.status_code == 404
            value = foreign_path.rsplit("/", 1)[-1]
            assert foreign.text.replace(value, "") == nobody.text.replace("0" * 32, "")


def test_no_list_shows_anything_of_a_stranger(
    app: Flask, client: FlaskClient, cast: Cast, keys: Keys
) -> None:
    for rule in guarded(app):
        if rule.endpoint in LISTS:
            for question in QUESTIONS:
                query = {name: getattr(cast.minato, of) for name, of in question.items()}
                answer = asked(client, rule, rule.rule, keys, **query)
                assert answer.status_code in {200, 400}, f"{rule}: {answer.text}"
                assert traces(answer.text, query, cast.minato) == [], f"{rule} {query}"


def test_every_list_shows_something_of_ours(
    app: Flask, client: FlaskClient, cast: Cast, keys: Keys
) -> None:
    for rule in guarded(app):
        # Nothing of the cast has moved to another address.
        if rule.endpoint in LISTS - {"agent_api.list_redirects"}:
            answer = asked(client, rule, rule.rule, keys)
            assert answer.status_code == 200
            assert any(mark in answer.text for mark in (*cast.sumida.ids, cast.sumida.slug)), rule


def test_what_is_kept_of_one_workspaces_answers_never_answers_another(
    app: Flask, client: FlaskClient, cast: Cast, keys: Keys, strangers_keys: Keys
) -> None:
    for rule in guarded(app):
        if rule.endpoint in LISTS:
            ours = asked(client, rule, rule.rule, keys)
            theirs = asked(client, rule, rule.rule, strangers_keys)
            assert traces(ours.text, {}, cast.minato) == []
            assert traces(theirs.text, {}, cast.sumida) == []
            assert traces(asked(client, rule, rule.rule, keys).text, {}, cast.minato) == []


def test_a_tag_of_one_workspace_is_worth_nothing_in_another(
    app: Flask, client: FlaskClient, cast: Cast, keys: Keys, strangers_keys: Keys
) -> None:
    for rule in guarded(app):
        tag = None
        if rule.endpoint in LISTS:
            tag = asked(client, rule, rule.rule, keys).headers.get("ETag")
        if tag:
            for presented, status in ((keys, 304), (strangers_keys, 200)):
                header = presented.header(rule) | {"If-None-Match": tag}
                assert client.get(rule.rule, headers=header).status_code == status, rule


def traces(text: str, query: Mapping[str, str], house: House) -> list[str]:
    """What of the stranger an answer shows, apart from what the question itself said."""
    marks = {value for value in vars(house).values() if value not in query.values()}
    return [mark for mark in sorted(marks) if mark in text]


def test_a_picture_is_found_under_its_own_workspace_alone(
    app: Flask, client: FlaskClient, cast: Cast, database: Database, settings: Settings
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        photo = session.get_one(Photo, (cast.sumida.workspace_id, cast.sumida.photo_id))
        photo.files = {"800": Files(settings).put(b"a picture", "webp")}
    ours = f"/{cast.sumida.photo_id}/800.webp"
    assert client.get(f"/photos/{cast.sumida.slug}{ours}").status_code == 200
    assert client.get(f"/photos/{cast.minato.slug}{ours}").status_code == 404
    assert client.get(f"/photos/{cast.sumida.workspace_id}{ours}").status_code == 404


def test_without_a_key_no_guarded_address_answers(
    app: Flask, client: FlaskClient, cast: Cast
) -> None:
    for rule in (*guarded(app), *written_to(app)):
        path = filled(rule, cast.sumida) if rule.arguments else rule.rule
        methods = (rule.methods or set()) - READ_ONLY
        assert client.open(path, method=methods.pop()).status_code == 401, rule
