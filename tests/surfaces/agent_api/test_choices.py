"""What a parameter or a field of the JSON API does not list is refused by name, and not stored."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.enumerations import (
    EsignStatus,
    Locale,
    PaymentStatus,
    Scope,
    TelemetryType,
    UnitSort,
    UnitType,
    ViewingStatus,
)
from tests.cast import Cast
from tests.surfaces.agent_api.asking import ROOT, Asker, asker, error_of
from tests.surfaces.agent_api.bodies import rows, sound_body, written_to

_SURFACE: Final = Path(__file__).parents[3] / "pms/surfaces/agent_api"
ASKED: Final[tuple[tuple[str, str, type[StrEnum]], ...]] = (
    ("/properties", "type", UnitType),
    ("/properties", "sort", UnitSort),
    ("/properties", "locale", Locale),
    ("/residents", "paymentStatus", PaymentStatus),
    ("/residents", "esignStatus", EsignStatus),
    ("/showings", "status", ViewingStatus),
    ("/site/config", "locale", Locale),
    ("/site/posts", "locale", Locale),
)
SENT: Final[tuple[tuple[str, str, type[StrEnum]], ...]] = (
    ("/analytics", "type", TelemetryType),
    ("/chat", "locale", Locale),
    ("/inquiries", "locale", Locale),
    ("/check-in-links", "locale", Locale),
    ("/reservation-links", "locale", Locale),
)
NOT_LISTED: Final = ("\u3000", "", "\u00a0", "\u200b", "x/y", "EN", "ja\u3000")


def test_every_enumerated_name_of_the_surface_is_tried_here() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in _SURFACE.glob("*.py"))
    read = set(re.findall(r'\b(?:query|body)\.choice\("(\w+)"', source))
    assert read == {name for _, name, _ in (*ASKED, *SENT)}


@pytest.mark.parametrize("asked", ASKED)
def test_a_parameter_that_is_not_listed_is_refused_by_name(
    website: Asker, office: Asker, database: Database, asked: tuple[str, str, type[StrEnum]]
) -> None:
    path, name, words = asked
    before, who = rows(database), office if path == "/residents" else website
    for value in NOT_LISTED:
        answer = who.client.get(
            f"{ROOT}{path}?{urlencode({name: value})}",
            headers={"Authorization": f"Bearer {who.key}"},
        )
        _refuses(answer, name, value, words)
    assert rows(database) == before


@pytest.mark.parametrize("asked", SENT)
def test_a_field_that_is_not_listed_is_refused_by_name_and_not_stored(
    client: FlaskClient,
    database: Database,
    clock: FixedClock,
    cast: Cast,
    asked: tuple[str, str, type[StrEnum]],
) -> None:
    path, name, words = asked
    writes = frozenset(scope for scope in Scope if not scope.endswith(":read"))
    key = asker(client, database, clock, cast.sumida.workspace_id, writes)
    (rule,) = (rule for rule in written_to(client.application) if rule.rule == ROOT + path)
    sound, before = sound_body(rule, cast.sumida), rows(database)
    for value in NOT_LISTED:
        sent = (
            {"events": [{**sound["events"][0], name: value}]}
            if "events" in sound
            else {**sound, name: value}
        )
        answer = client.post(ROOT + path, json=sent, headers={"Authorization": f"Bearer {key.key}"})
        _refuses(answer, name, value, words)
    assert rows(database) == before


def _refuses(answer: TestResponse, name: str, value: str, words: type[StrEnum]) -> None:
    told = error_of(answer)
    found = f"{name}={value!r}: {answer.status_code} {told}"
    assert answer.status_code == 400, found
    assert name in told, found
    assert all(word in told for word in words), found
    assert not value.isprintable() or value in told, found
