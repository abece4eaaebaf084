"""Websites report visits: strictly read, quickly stored, and without anybody's name."""

import json
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from werkzeug.test import TestResponse

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules import telemetry
from pms.rules.enumerations import Scope, TelemetryType
from pms.rules.telemetry import KeptEvent
from pms.site.models import TelemetryOpenDay, TelemetryReport
from pms.site.visits import read_events
from tests.cast import Cast
from tests.surfaces.agent_api.asking import ROOT, Asker, asker, error_of
from tests.tiers import examples

VIEW = {"type": "page_view", "path": "/units/kawasemi-101"}


def send(website: Asker, body: Any, **headers: str) -> TestResponse:
    raw = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
    facts = {"Content-Type": "application/json", **website.header}
    facts |= {name.replace("_", "-"): value for name, value in headers.items()}
    return website.client.post(f"{ROOT}/analytics", data=raw, headers=facts)


def accepted(answer: TestResponse) -> int:
    assert answer.status_code == 202, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    body = answer.get_json()
    assert set(body) == {"ok", "data"}
    assert set(body["data"]) == {"accepted"}
    number: int = body["data"]["accepted"]
    return number


def refused(answer: TestResponse) -> str:
    assert answer.status_code == 400, answer.text
    return error_of(answer)


def stored(database: Database, workspace_id: str) -> list[tuple[date, KeptEvent]]:
    """The events of all days, each with its day, as they came."""
    with database.reading(workspace_id) as session:
        reports = select(TelemetryReport.day_on, TelemetryReport.events).order_by(
            TelemetryReport.id
        )
        return [(day, event) for day, row in session.execute(reports) for event in read_events(row)]


def test_events_are_stored_as_what_they_are_counted_by(
    website: Asker, database: Database, cast: Cast, clock: FixedClock
) -> None:
    at = clock.now() - timedelta(hours=13)
    body = {
        "events": [
            VIEW
            | {
                "path": "/units/kawasemi-101?utm_campaign=autumn&email=hanako@example.jp#top",
                "referrer": "https://www.google.com/search?q=secret",
                "visitorId": "visitor-7",
            },
            {
                "type": "event",
                "name": "問い合わせ",
                "path": "/contact",
                "occurredAt": at.isoformat(),
                "properties": {"campaign": "spring", "email": "hanako@example.jp", "n": 3},
            },
        ]
    }
    assert accepted(send(website, body)) == 2
    (day, event), (today, view) = stored(database, cast.sumida.workspace_id)
    assert (view.type, view.path, view.campaign) == (
        TelemetryType.PAGE_VIEW,
        "/units/kawasemi-101",
        "autumn",
    )
    assert view.referrer == "www.google.com"
    assert view.visitor
    assert "visitor-7" not in view.visitor
    assert (event.name, event.campaign, event.visitor) == ("問い合わせ", "spring", "")
    assert (day, today) == (clock.today() - timedelta(days=1), clock.today())


def test_both_ways_of_reading_store_the_same(
    website: Asker, database: Database, cast: Cast, clock: FixedClock
) -> None:
    """A blank name makes a body unusual: it is read field by field."""
    quick = VIEW | {
        "name": " 部屋 ",
        "occurredAt": "2026-11-20T10:00:00.250+09:00",
        "visitorId": "v",
        "referrer": "https://Example.com:8443/a",
        "properties": {"campaign": " autumn ", "other": True},
    }
    for each in (quick, quick | {"unknown": None}):
        assert accepted(send(website, {"events": [each]})) == 1
    (day, one), other = stored(database, cast.sumida.workspace_id)
    assert (day, one) == other
    assert (day, one.name, one.referrer) == (date(2026, 11, 20), "部屋", "example.com")


def test_nothing_that_is_told_is_called_as_what_is_counted_together(
    website: Asker, database: Database, cast: Cast
) -> None:
    found = telemetry.OTHER
    event = {"type": "event", "path": "/a", "name": found, "properties": {"campaign": found}}
    query = VIEW | {"path": "/?utm_campaign=%20(other)"}
    for each in (event, event | {"unknown": None}, query):
        assert accepted(send(website, {"events": [each]})) == 1
    for _, kept in stored(database, cast.sumida.workspace_id):
        assert kept.name in ("(other)", "")
        assert kept.campaign == "(other)"


def test_a_visitor_is_the_same_for_a_day_and_somebody_else_the_next(
    website: Asker, database: Database, cast: Cast, clock: FixedClock
) -> None:
    event = VIEW | {"visitorId": "visitor-7"}
    accepted(send(website, {"events": [event, event]}))
    accepted(send(website, {"events": [event]}))
    clock.advance(timedelta(days=1))
    accepted(send(website, {"events": [event]}))
    first, second, third, next_day = (
        event.visitor for _, event in stored(database, cast.sumida.workspace_id)
    )
    assert first == second == third != next_day


def test_two_workspaces_share_neither_rows_nor_visitors(
    website: Asker, client: FlaskClient, database: Database, clock: FixedClock, cast: Cast
) -> None:
    other = asker(client, database, clock, cast.minato.workspace_id)
    event = VIEW | {"visitorId": "visitor-7"}
    for each in (website, other):
        assert accepted(send(each, {"events": [event]})) == 1
    ((_, ours),) = stored(database, cast.sumida.workspace_id)
    ((_, theirs),) = stored(database, cast.minato.workspace_id)
    assert ours.visitor != theirs.visitor


@pytest.mark.parametrize(
    ("event", "text"),
    [
        ({"type": "page_view"}, "events[1].path: missing"),
        ({"path": "/"}, "events[1].type: missing"),
        (VIEW | {"type": "click"}, "events[1].type: 'click' is not one of page_view, event"),
        (VIEW | {"path": ""}, "events[1].path: missing"),
        (VIEW | {"path": "units"}, "events[1].path: 'units' is not a path that begins with /"),
        (VIEW | {"path": "/" + "x" * 1_000}, "events[1].path: '1001 characters'"),
        (VIEW | {"path": "/" + "漢" * 333 + "x"}, "events[1].path: '1001 bytes in UTF-8' is not a"),
        (VIEW | {"path": "/" + "漢" * 334}, "path of at most 1000 bytes"),
        (VIEW | {"path": 7}, "events[1].path: '7'"),
        (VIEW | {"name": "x" * 101}, "events[1].name"),
        (VIEW | {"name": "a\u0007b"}, "events[1].name"),
        (VIEW | {"name": "a\u0085b"}, "events[1].name"),
        (VIEW | {"visitorId": "x" * 201}, "events[1].visitorId"),
        (VIEW | {"visitorId": {}}, "events[1].visitorId"),
        (VIEW | {"referrer": "x" * 2_001}, "events[1].referrer"),
        (VIEW | {"occurredAt": "yesterday"}, "events[1].occurredAt: 'yesterday'"),
        (VIEW | {"occurredAt": "2026-11-18T02:59:59Z"}, "from 2026-11-18T03:00:00Z to"),
        (VIEW | {"occurredAt": "2026-11-20T03:05:01Z"}, "to 2026-11-20T03:05:00Z"),
        (VIEW | {"occurredAt": "2026-11-20T03:00:00"}, "events[1].occurredAt"),
        (VIEW | {"occurredAt": 1_790_000_000}, "events[1].occurredAt"),
        (VIEW | {"properties": []}, "events[1].properties"),
        (VIEW | {"properties": {"a": {"b": 1}}}, "events[1].properties.a"),
        (VIEW | {"properties": {"campaign": 7}}, "events[1].properties.campaign"),
        (VIEW | {"properties": {"campaign": "x" * 101}}, "events[1].properties.campaign"),
        (VIEW | {"properties": {str(n): n for n in range(21)}}, "events[1].properties"),
        ("page_view", "events[1]: 'page_view' is not an object"),
    ],
)
def test_one_bad_event_refuses_all_and_is_named(
    website: Asker, database: Database, cast: Cast, event: Any, text: str
) -> None:
    assert text in refused(send(website, {"events": [VIEW, event]}))
    assert not stored(database, cast.sumida.workspace_id)


def test_every_problem_is_named_at_once(website: Asker) -> None:
    events = [VIEW | {"type": "x"}, VIEW, VIEW | {"path": "y", "name": 1}]
    message = refused(send(website, {"events": events}))
    for field in ("events[0].type", "events[2].path", "events[2].name"):
        assert field in message


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", "not JSON"),
        (b"[]", "not an object"),
        (b"{}", "events: missing"),
        (b'{"events": []}', "events"),
        (b'{"events": null}', "events"),
        (b'{"events": [NaN]}', "NaN"),
        (
            b'{"events":[{"type":"page_view","path":"/a","path":"/b"}]}',
            "path: given more than once",
        ),
        (
            b'{"events":[{"type":"page_view","path":"/a","path" : "/b","name":"\\u0022:"}]}',
            "path: given more than once",
        ),
        (b'{"events":[{"type":"page_view","path":"/\xff"}]}', "UTF-8"),
        (b'{"events":[{"type":"page_view","path":"/\\ud800"}]}', "surrogates"),
    ],
)
def test_what_is_no_report_is_refused(website: Asker, raw: bytes, text: str) -> None:
    assert text in refused(send(website, raw))


def test_a_report_has_at_most_a_hundred_events(
    website: Asker, database: Database, cast: Cast
) -> None:
    assert accepted(send(website, {"events": [VIEW] * 100})) == 100
    assert len(stored(database, cast.sumida.workspace_id)) == 100
    assert "events: 'a list of 101'" in refused(send(website, {"events": [VIEW] * 101}))


def test_another_kind_of_body_is_told_so(website: Asker) -> None:
    raw = json.dumps({"events": [VIEW]}).encode()
    for kind in ("text/plain", "application/json; charset=shift_jis", ""):
        assert send(website, raw, Content_Type=kind).status_code == 415
    assert send(website, raw, Content_Encoding="gzip").status_code == 415
    charset = send(website, raw, Content_Type="application/json; charset=utf-8")
    assert accepted(charset) == 1
    large = send(website, b" " * (1024 * 1024) + raw)
    assert large.status_code == 413
    assert website.get("/analytics").status_code == 405


def test_only_a_key_of_the_scope_reports(
    client: FlaskClient, database: Database, clock: FixedClock, cast: Cast
) -> None:
    home = cast.sumida.workspace_id
    reads = asker(client, database, clock, home, frozenset({Scope.PROPERTIES_READ}))
    assert send(reads, {"events": [VIEW]}).status_code == 403
    alone = asker(client, database, clock, home, frozenset({Scope.ANALYTICS_WRITE}))
    assert accepted(send(alone, {"events": [VIEW]})) == 1
    assert send(Asker(client, "pms_live_x"), {"events": [VIEW]}).status_code == 401


def test_a_repeat_under_a_name_of_its_own_is_stored_once(
    website: Asker, database: Database, cast: Cast
) -> None:
    for _ in range(2):
        assert accepted(send(website, {"events": [VIEW]}, Idempotency_Key="report-1")) == 1
    assert len(stored(database, cast.sumida.workspace_id)) == 1


def test_a_full_day_takes_no_more(
    website: Asker, database: Database, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pms.site.received_visits.MOST_EVENTS_A_DAY", 150)
    report = {"events": [VIEW] * 100}
    assert [accepted(send(website, report)) for _ in range(3)] == [100, 50, 0]
    assert len(stored(database, cast.sumida.workspace_id)) == 150
    with database.reading(cast.sumida.workspace_id) as session:
        day = session.scalars(select(TelemetryOpenDay)).one()
        assert day.events == 300


_TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=5,
)
_EVENTS = st.fixed_dictionaries(
    {"type": st.sampled_from(["page_view", "event"]) | _VALUES, "path": _TEXTS | _VALUES},
    optional={
        "name": _TEXTS | _VALUES,
        "occurredAt": st.datetimes().map(lambda at: f"{at.isoformat()}Z") | _VALUES,
        "visitorId": _TEXTS | _VALUES,
        "referrer": _TEXTS | _VALUES,
        "properties": st.dictionaries(_TEXTS, _VALUES, max_size=3) | _VALUES,
    },
)


@settings(
    max_examples=examples(30, 150), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    body=st.fixed_dictionaries({"events": st.lists(_EVENTS | _VALUES, max_size=3)}) | _VALUES,
    is_escaped=st.booleans(),
)
def test_whatever_is_sent_is_answered_as_accepted_or_refused(
    website: Asker, body: Any, is_escaped: bool
) -> None:
    raw = json.dumps(body, ensure_ascii=is_escaped).encode(errors="surrogatepass")
    answer = send(website, raw)
    assert answer.status_code in (202, 400), answer.text
    if answer.status_code == 400:
        error_of(answer)


@settings(
    max_examples=examples(30, 100), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(paths=st.lists(st.text(max_size=40).map(lambda text: f"/{text}"), min_size=1, max_size=3))
def test_the_quick_way_takes_what_the_other_takes(website: Asker, paths: list[str]) -> None:
    events: list[Mapping[str, Any]] = [VIEW | {"path": path} for path in paths]
    try:
        quick = json.dumps({"events": events}, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return
    slow = json.dumps({"events": events, "unknown": "\\"}).encode()
    assert send(website, quick).status_code == send(website, slow).status_code


def test_what_is_kept_of_addresses() -> None:
    assert telemetry.kept_path("/a/b?c=d#e") == "/a/b"
    assert telemetry.kept_path("/reset/hanako@example.jp/x") == "/reset/…/x"
    assert telemetry.kept_path("/reset/hanako%40example.jp") == "/reset/…"
    assert telemetry.referrer_host("https://user:pw@Example.com:80/path@x") == "example.com"
    assert (
        telemetry.referrer_host("android-app://com.google.android.gm/") == "com.google.android.gm"
    )
    for nothing in ("", "example.com", "https://", "https:///x", "javascript:alert(1)", "a://<b>/"):
        assert telemetry.referrer_host(nothing) == ""
    assert telemetry.campaign_of("/a?x=1&utm_campaign=%E7%A7%8B", "") == "秋"
    assert telemetry.campaign_of("/a?utm_campaign=x", "told") == "told"
    assert telemetry.campaign_of("/a?utm_campaign=%00", "") == ""
    assert telemetry.visitor_mark("salt", "") == ""
