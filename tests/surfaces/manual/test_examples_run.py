"""Every example of the manual runs, and the answer printed below it is what the service answers."""

import json
import re
from collections.abc import Iterator
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from pms.access.keys import issue_key
from pms.catalogue.models import FormerSlug
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.rules.request_budget import BUDGET_REQUESTS
from pms.site.models import Position
from pms.surfaces.manual.contents import SLUGS
from pms.surfaces.manual.rendering import read_page
from tests.cast import Cast
from tests.surfaces.manual.asking import KEYS, Asked, Example, all_examples, path_of, read_curl
from tests.surfaces.manual.furnished import furnish
from tests.surfaces.manual.shapes import Shape, differences, shape_of

EXAMPLES = all_examples()
SAMPLES = Path(__file__).parent / "sent"
"""What a reader has lying about to send, such as a résumé."""
VARIABLE = re.compile(r"\$([A-Z_]+)")


@pytest.fixture
def variables(
    cast: Cast, database: Database, clock: FixedClock, client: FlaskClient
) -> dict[str, tuple[str, ...]]:
    """What a reader has in the shell: keys, and each id and slug an example may name."""
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        furnish(session, house)
        session.add(
            FormerSlug(building_id=house.building_id, slug="building-5", given_up_at=clock.now())
        )
        position_id = session.scalars(select(Position.id)).first() or ""
        keys = {
            name: (issue_key(Work(session, clock, "staff"), name=name, scopes=scopes).plaintext,)
            for name, scopes in KEYS.items()
        }
    spend_all(client, *keys["PMS_SPENT_KEY"])
    return keys | {
        "UNIT_ID": (house.free_room_id, house.residents_room_id, house.guests_room_id),
        "FREE_UNIT_ID": (house.free_room_id,),
        "GUEST_UNIT_ID": (house.guests_room_id,),
        "POSSIBLE_UNIT_ID": (house.residents_room_id,),
        "BUILDING_ID": (house.building_id,),
        "RESIDENT_ID": (house.resident_id, house.owner_resident_id, house.guest_id),
        "UNIT_SLUG": (house.free_room_slug, f"kawasemi-house-101-{house.slug}"),
        "BUILDING_SLUG": (house.building_slug,),
        "POST_SLUG": (house.post_slug,),
        "POSITION_ID": (position_id,),
    }


def spend_all(client: FlaskClient, key: str) -> None:
    """Make as many requests as a key may in an hour."""
    for _ in range(BUDGET_REQUESTS):
        client.get("/api/agent/nothing", headers={"Authorization": f"Bearer {key}"})


def readings(example: Example, variables: dict[str, tuple[str, ...]]) -> list[Asked]:
    """The request once for each thing its variables may stand for."""
    names = sorted(set(VARIABLE.findall(example.command)))
    choices = product(*(variables[name] for name in names))
    return [read_curl(example.command, dict(zip(names, chosen, strict=True))) for chosen in choices]


def send(client: FlaskClient, asked: Asked) -> TestResponse:
    sent: Any = asked.body.encode() if asked.body is not None else parts_of(asked) or None
    return client.open(asked.address, method=asked.method, headers=asked.headers, data=sent)


def parts_of(asked: Asked) -> dict[str, object]:
    """The parts of a form; a file named by `@` is one of the samples."""
    return {
        name: (BytesIO((SAMPLES / value[1:]).read_bytes()), value[1:])
        if value.startswith("@")
        else value
        for name, value in asked.form
    }


def live_shape(client: FlaskClient, asked: list[Asked], answers: list[TestResponse]) -> Shape:
    """The shape of the answers, and of the same lists without their filters."""
    unfiltered = [
        client.get(one.address.partition("?")[0], headers=one.headers)
        for one in asked
        if "?" in one.address
    ]
    return shape_of(answer.json for answer in answers + unfiltered if answer.status_code < 300)


def test_every_example_is_answered_as_its_page_says(
    client: FlaskClient, variables: dict[str, tuple[str, ...]]
) -> None:
    untrue = {str(example): list(untruths(example, client, variables)) for example in EXAMPLES}
    assert {name: found for name, found in untrue.items() if found} == {}


def untruths(
    example: Example, client: FlaskClient, variables: dict[str, tuple[str, ...]]
) -> Iterator[str]:
    asked = readings(example, variables)
    answers = [send(client, one) for one in asked]
    if {answer.status_code for answer in answers} != {example.status}:
        yield f"answered with {[answer.status_code for answer in answers]}"
    elif example.answer is not None:
        shown, live = json.loads(example.answer), answers[0].get_json()
        if example.status >= 400:
            if shown != live:
                yield f"{shown} is printed, {live} is answered"
        else:
            yield from differences(shown, live_shape(client, asked, answers))
            yield from empty_lists(shown, live)
            yield from other_paging(shown["data"], live["data"])


def test_every_printed_answer_is_json_and_short() -> None:
    printed = [(str(example), example.answer) for example in EXAMPLES if example.answer is not None]
    shortened = [name for name, text in printed if "…" in dumped(text)]
    assert shortened == []
    assert [name for name, text in printed if len(text.splitlines()) > 80] == []


def dumped(text: str) -> str:
    return json.dumps(json.loads(text), ensure_ascii=False)


def test_every_address_of_the_api_has_an_example_that_works(app: Flask) -> None:
    shown = {path_of(example.command) for example in EXAMPLES if example.status < 300}
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/api/agent/"):
            pattern = re.sub(r"<[^>]+>", r"\\$[A-Z_]+", rule.rule)
            assert any(re.fullmatch(pattern, path) for path in shown), rule.rule


def test_every_page_of_an_address_tells_its_errors_and_that_a_live_response_wins() -> None:
    for slug in SLUGS:
        if slug.startswith("api/"):
            source = read_page(slug, "en").source
            assert "## Errors\n" in source
            assert "A live response wins" in source


def empty_lists(*answers: dict[str, Any]) -> Iterator[str]:
    """An example that shows nothing explains nothing."""
    for answer in answers:
        yield from (f"{name} is empty" for name, value in answer["data"].items() if value == [])


def other_paging(shown: dict[str, Any], live: dict[str, Any]) -> Iterator[str]:
    """The page and the limit of a list follow from the request alone."""
    for name in ("page", "limit"):
        found, answered = (data.get("pagination", {}).get(name) for data in (shown, live))
        if found != answered:
            yield f"pagination.{name}: {found} is printed, {answered} is answered"
