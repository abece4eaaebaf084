"""Whatever is sent to an address that is written to, it is taken or refused in one field; never a 5xx.

Walks every address below /api/ that takes something in, webhooks too. A refusal leaves no row.
"""

import json
import random
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.enumerations import Scope
from tests.cast import Cast
from tests.surfaces.agent_api.asking import Asker, asker
from tests.surfaces.agent_api.bodies import path_of, rows, sound_body, written_to
from tests.tiers import examples

SOME = settings(
    max_examples=examples(15, 25), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
DOCUMENTED = {200, 201, 202, 400, 401, 403, 404, 409, 413, 415, 429}
NASTY: tuple[object, ...] = (
    None,
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "\U0010ffff",
    "\u202eevil\u200b\ufeff",
    "e\u0301" * 5_000,
    "\u0344" * 300,
    "x" * 201,
    "x" * 100_000,
    "<script>alert(1)</script>",
    "'; DROP TABLE unit; --",
    "{name} {0} {} %s %(x)s",
    "name\r\nBcc: everyone@example.jp",
    "../../../etc/passwd",
    "=1+1",
    "0" * 32,
    "F" * 32,
    "１２３",
    "1e3",
    "2026-02-30",
    "0000-00-00",
    "9999-12-31",
    "2200-12-31",
    "1900-01-01",
    "2026-11-20T03:00:00Z",
    "2026-11-20T03:00:00+99:99",
    "0001-01-01T00:00:00+23:59",
    0,
    -0.0,
    -1,
    1,
    1.5,
    1e308,
    2**31,
    2**63 - 1,
    -(2**63),
    2**63,
    10**400,
    float("inf"),
    float("nan"),
    True,
    False,
    [],
    {},
    [[]],
    [None],
    [{}],
    [{"a": 1}] * 101,
    ["x"] * 1_000,
    {"a": {"b": {"c": []}}},
    {"\0": "\ud800"},
    {str(number): number for number in range(200)},
)
NAMES = (
    *("name", "email", "message", "phone", "unitId", "moveInDate", "locale", "externalId"),
    *("positionId", "events", "type", "path", "occurredAt", "visitorId", "referrer", "properties"),
    *("conversationId", "checkIn", "checkOut", "guestName", "guests", "contractEndDate"),
    *("supplier", "orderNumber", "orderedOn", "buildingId", "projectNumber", "items", "total"),
    *("description", "quantity", "unitPrice", "category", "channel", "messageId", "text"),
    *("sentAt", "bookingReference", "listing", "resume", "destination", "entry", "object", "id"),
    *("data", "event", "envelopeId", "colour", "", "__proto__"),
)
values = st.sampled_from(NASTY) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner),
    max_leaves=6,
)
objects = st.dictionaries(st.sampled_from(NAMES), values, max_size=8)
latin = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=60)
kinds = st.sampled_from(
    [
        "application/json",
        "application/json; charset=utf-8",
        "application/json; charset=shift_jis",
        "application/json; charset=\xff",
        "application/problem+json",
        "text/plain",
        "",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=b",
        "multipart/form-data; boundary=" + "x" * 300,
        "multipart/mixed; boundary=b",
    ]
)


class Everything:
    """Someone who holds a key for each address, and looks what their requests leave behind."""

    def __init__(self, app: Flask, database: Database, house: Any, key: Asker) -> None:
        self.rules = written_to(app)
        self._database, self._house, self._key = database, house, key
        self._rows = rows(database)

    def send(self, sent: bytes, **headers: str) -> None:
        for rule in self.rules:
            self.send_to(rule, sent, **headers)

    def send_to(self, rule: Any, sent: bytes, **headers: str) -> TestResponse:
        usual = {
            "HTTP_AUTHORIZATION": f"Bearer {self._key.key}",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(sent)),
        }
        answer = self._key.client.post(
            path_of(rule, self._house), data=sent, environ_overrides={**usual, **headers}
        )
        text = (rule.rule, answer.status_code, answer.text[:300], sent[:300], headers)
        assert answer.status_code in DOCUMENTED, text
        assert json.loads(answer.data, parse_constant=_no_constant), text
        assert len(answer.data) < 6_000, text
        assert answer.headers["X-Request-Id"]
        if answer.status_code >= 400:
            assert set(answer.get_json()) == {"error"}, text
            assert answer.get_json()["error"], text
            assert rows(self._database) == self._rows, text
        else:
            self._rows = rows(self._database)
        return answer

    def sound(self, rule: Any) -> dict[str, Any]:
        return dict(sound_body(rule, self._house))


@pytest.fixture
def everything(
    app: Flask, client: FlaskClient, database: Database, clock: FixedClock, cast: Cast
) -> Everything:
    writes = frozenset(scope for scope in Scope if not scope.endswith(":read"))
    key = asker(client, database, clock, cast.sumida.workspace_id, writes)
    return Everything(app, database, cast.sumida, key)


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


def octets(body: object) -> bytes:
    """JSON as the most careless of programs writes it: NaN, lone surrogates and all."""
    return json.dumps(body).encode()


def test_every_body_in_the_book_is_taken(everything: Everything) -> None:
    for rule in everything.rules:
        if rule.endpoint.startswith("agent_api."):
            answer = everything.send_to(rule, octets(everything.sound(rule)))
            assert answer.status_code in (200, 201, 202), (rule.rule, answer.text)


def test_any_object_may_come(everything: Everything) -> None:
    @SOME
    @given(objects)
    def tried(body: dict[str, Any]) -> None:
        everything.send(octets(body))

    tried()


def test_any_octets_may_come(everything: Everything) -> None:
    @SOME
    @given(st.binary(max_size=200) | st.text(max_size=100).map(lambda text: text.encode()))
    def tried(sent: bytes) -> None:
        everything.send(sent)

    tried()


def test_each_field_of_a_sound_body_may_be_anything(everything: Everything) -> None:
    rng = random.Random(7)
    for rule in everything.rules:
        sound = everything.sound(rule)
        known = sorted({*sound, "externalId", "phone", "locale", "guests", "contractEndDate"})
        for value in NASTY:
            everything.send_to(rule, octets({**sound, rng.choice(known): value}))


def test_a_sound_body_may_be_torn_off_anywhere(everything: Everything) -> None:
    rng = random.Random(7)
    for rule in everything.rules:
        whole = octets(everything.sound(rule))
        for cut in rng.sample(range(len(whole)), min(8, len(whole))):
            answer = everything.send_to(rule, whole[:cut])
            assert answer.status_code in (400, 401)


@pytest.mark.parametrize(
    "sent",
    [
        b"[" * 100_000,
        b'{"name":' * 100_000,
        b'{"name": ' + b"[" * 32 + b"]" * 32 + b"}",
        b'{"name": "a", "name": "b"}',
        b'{"items": [{"quantity": 1, "quantity": 2}]}',
        b'{"total": NaN, "guests": -Infinity}',
        b'{"total": ' + b"9" * 5_000 + b"}",
        b'{"total": 1e999}',
        b'{"name": "\\ud800", "email": "\\udc00@example.jp"}',
        b'{"name": "\xed\xa0\x80"}',
        b'\xef\xbb\xbf{"name": "a"}',
        '{"name": "あ"}'.encode("utf-16"),
        b'"' + b"\\" * 100_000,
        b"x" * (1024 * 1024 + 1),
        b'{"name": "' + b"x" * (11 * 1024 * 1024) + b'"}',
    ],
    ids=[str(number) for number in range(15)],
)
def test_bodies_made_to_break_a_parser_are_refused(everything: Everything, sent: bytes) -> None:
    for rule in everything.rules:
        answer = everything.send_to(rule, sent)
        assert answer.status_code in (400, 401, 413), (rule.rule, answer.text)


def test_any_headers_may_come_with_a_sound_body(everything: Everything) -> None:
    @SOME
    @given(kinds | latin, latin, latin, st.sampled_from(["", "gzip", "identity", "br, gzip"]))
    def tried(kind: str, named: str, signed: str, coding: str) -> None:
        headers = {
            "CONTENT_TYPE": kind,
            # Two bodies under one name are refused, which is another test's matter.
            "HTTP_IDEMPOTENCY_KEY": named and f"{named}{uuid4()}",
            "HTTP_CONTENT_ENCODING": coding,
            "HTTP_X_LINE_SIGNATURE": signed,
            "HTTP_X_HUB_SIGNATURE_256": signed,
            "HTTP_STRIPE_SIGNATURE": signed,
            "HTTP_X_DOCUSIGN_SIGNATURE_1": signed,
            "HTTP_ORIGIN": signed,
            "HTTP_X_REQUEST_ID": named,
            "HTTP_EXPECT": named,
        }
        for rule in everything.rules:
            everything.send_to(rule, octets(everything.sound(rule)), **headers)

    tried()


# What the parser of a torn form has read so far it leaves to be collected.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_any_parts_of_a_form_may_come(everything: Everything) -> None:
    @SOME
    @given(
        st.lists(st.tuples(st.sampled_from(NAMES), latin, st.binary(max_size=60)), max_size=5),
        st.sampled_from((b"--b--\r\n", b"--b", b"")),
    )
    def tried(parts: list[tuple[str, str, bytes]], end: bytes) -> None:
        sent = b"".join(
            b'--b\r\nContent-Disposition: form-data; name="%b"; filename="%b"\r\n\r\n%b\r\n'
            % (name.encode(), file.encode(), content)
            for name, file, content in parts
        )
        everything.send(sent + end, CONTENT_TYPE="multipart/form-data; boundary=b")

    tried()


@pytest.mark.parametrize("length", ["-1", "x", "999999999999", "5", "１", "", "1e3"])
def test_a_length_may_lie(everything: Everything, length: str) -> None:
    for rule in everything.rules:
        everything.send_to(rule, octets(everything.sound(rule)), CONTENT_LENGTH=length)


def test_a_workspace_named_in_an_address_may_be_anything(
    everything: Everything, client: FlaskClient
) -> None:
    named = [rule for rule in everything.rules if rule.arguments]

    @SOME
    @given(st.binary(max_size=40))
    def tried(part: bytes) -> None:
        for rule in named:
            stem = rule.rule.partition("<")[0]
            overrides = {"PATH_INFO": stem + part.decode("latin-1")}
            answer = client.post("/", json={}, environ_overrides=overrides)
            assert answer.status_code in DOCUMENTED | {405}, (stem, part)
            assert set(answer.get_json()) == {"error"}

    if named:
        tried()
