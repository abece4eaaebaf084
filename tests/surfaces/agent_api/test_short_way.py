"""A poll answered the short way is, byte for byte, the one that goes through the whole framework."""

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from types import MethodType
from typing import Any

import pytest
from flask import Flask, request_started
from prometheus_client import REGISTRY
from sqlalchemy import select, update

from app import create_app
from pms.access.keys import issue_key, revoke_key
from pms.access.models import ApiKey
from pms.catalogue.models import Unit
from pms.foundation.budget import RollingWindow, open_storage
from pms.foundation.budget.storages import bucket_of
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.rules.enumerations import Scope
from pms.surfaces.limits import EXTENSION
from pms.workspaces.models import Workspace
from tests.cast import Cast
from tests.surfaces.agent_api.asking import EVERYTHING_ELSE, PLENTY, ROOT
from tests.tiers import examples

Seen = tuple[str, list[tuple[str, str]], bytes, str]
_MILLISECONDS = re.compile(r"[0-9.]+(?= ms)")
_FEW = 4


@dataclass(frozen=True)
class Asked:
    """One request but for its key, which is another on each way."""

    path: str
    headers: Mapping[str, str]
    method: str = "GET"


@dataclass
class Way:
    """One application and a key of its own; keys of both ways are alike."""

    app: Flask
    key_id: str
    key: str
    capsys: pytest.CaptureFixture[str]
    through_the_framework: int = 0

    def ask(self, asked: Asked) -> Seen:
        """Return status, headers and body as they were sent, and what was logged."""
        headers = {"Authorization": f"Bearer {self.key}", "X-Request-Id": "the-same-for-both"}
        self.capsys.readouterr()
        with request_started.connected_to(self._note, self.app):
            answer = self.app.test_client().open(
                ROOT + asked.path, method=asked.method, headers=headers | dict(asked.headers)
            )
        logged = _MILLISECONDS.sub("…", self.capsys.readouterr().out)
        return answer.status, list(answer.headers), answer.data, logged

    def _note(self, _: Flask, **__: Any) -> None:
        self.through_the_framework += 1


@dataclass(frozen=True)
class Ways:
    """The program as it is, and the same without its short way, over one database and clock."""

    short: Way
    whole: Way

    def agree_on(self, asked: Asked) -> Seen:
        short, whole = self.short.ask(asked), self.whole.ask(asked)
        assert short == whole, asked
        return short

    def settle(self, asked: Asked) -> Seen:
        """Ask until the short way knows the question."""
        self.agree_on(asked)
        return self.agree_on(asked)

    @contextmanager
    def taking_the_short_way(self) -> Iterator[None]:
        before = self.short.through_the_framework
        yield
        assert self.short.through_the_framework == before


Make = Callable[..., Ways]


@pytest.fixture
def ways(
    settings: Settings,
    clock: FixedClock,
    database: Database,
    cast: Cast,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Make]:
    apps: list[Flask] = []

    def way(is_short: bool, scopes: frozenset[Scope], budget: int) -> Way:
        served = replace(settings, trusted_hosts=("localhost", "pms.example.jp"))
        app = create_app(served, clock)
        apps.append(app)
        if not is_short:
            app.wsgi_app = MethodType(Flask.wsgi_app, app)  # type: ignore[method-assign]
        with database.writing(cast.sumida.workspace_id) as session:
            issued = issue_key(
                session, clock, "staff", name="test", scopes=sorted(scopes), budget_per_hour=budget
            )
        return Way(app, issued.id, issued.plaintext, capsys)

    def make(scopes: frozenset[Scope] = EVERYTHING_ELSE, budget: int = PLENTY) -> Ways:
        return Ways(way(True, scopes, budget), way(False, scopes, budget))

    yield make
    for app in apps:
        app.extensions["pms.database"].dispose()
        app.extensions[EXTENSION].rolling_storage.close()


def addresses(cast: Cast) -> Iterator[str]:
    yield from ("/properties", "/properties?limit=1&page=2&locale=ja", "/properties?x=1&limit=999")
    yield from ("/properties?search=%E5%80%8B%E5%AE%A4", "/properties?search=caf%C3%A9+%2B")
    yield f"/properties/{cast.sumida.free_room_id}"
    for page in ("units", "buildings", "posts", "campaigns", "positions", "services", "config"):
        yield from (f"/site/{page}", f"/site/{page}?locale=en")
    yield from ("/site/sitemap", f"/site/units/{cast.sumida.free_room_slug}?locale=ja")
    yield from (f"/site/buildings/{cast.sumida.building_slug}", "/site/%75nits")
    # Not answered, or not kept: nothing of these may become known.
    yield from ("/properties?sort=up", "/properties?page=0", "/properties/nobody", "/site/units/no")
    yield from ("/residents", "/showings", "/nothing", "", "/", "//properties", "/properties/")
    yield from ("/properties?limit=%ff", "/properties?limit=1&limit=1", "/site/config?locale=fr")


def manners(tag: str) -> Iterator[Mapping[str, str]]:
    yield {}
    for encodings in ("gzip", "GZIP, br", "gzip;q=0", "br;q=1, gzip;q=0.5", "identity", "*", ";;"):
        yield {"Accept-Encoding": encodings}
    for tags in (tag, tag.removeprefix("W/"), f'"x", {tag}', f'"x",{tag} ,"y"', '"x"', "*", ""):
        yield {"If-None-Match": tags}
        yield {"If-None-Match": tags, "Accept-Encoding": "gzip"}
    yield {"Cookie": "lang=ja; session=x", "Accept-Language": "ja"}
    yield {"Upgrade": "websocket", "Connection": "Upgrade"}
    for host in ("pms.example.jp", "localhost:80", "elsewhere.example", "bad host", ""):
        yield {"Host": host}
    yield {"X-Request-Id": "a line\tbreak or so"} | {"X-Forwarded-Host": "elsewhere.example"}
    for authorization in ("", "Bearer", "Basic eDp5", "Bearer pms_live_torn"):
        yield {"Authorization": authorization}
    yield {"Range": "bytes=0-9", "If-Modified-Since": "Fri, 20 Nov 2026 03:00:00 GMT"}
    yield {"Expect": "100-continue", "Content-Length": "0", "Accept": "text/html"}


def without_id(seen: Seen) -> tuple[str, list[tuple[str, str]], bytes]:
    status, headers, body, _ = seen
    return status, [pair for pair in headers if pair[0] != "X-Request-Id"], body


def test_both_ways_agree_on_every_address_and_manner(ways: Make, cast: Cast) -> None:
    both = ways()
    paths = list(addresses(cast))
    for path in paths[:: examples(3, 1)]:
        tag = dict(both.settle(Asked(path, {}))[1]).get("ETag", 'W/"none"')
        for headers in manners(tag):
            asked = Asked(path, headers)
            if "X-Request-Id" in headers:
                one, other = without_id(both.short.ask(asked)), without_id(both.whole.ask(asked))
                assert one == other
            else:
                both.agree_on(asked)
        for method in ("HEAD", "POST", "OPTIONS", "DELETE"):
            both.agree_on(Asked(path, {}, method))
    assert both.short.through_the_framework < both.whole.through_the_framework * 2 / 3


def test_a_known_poll_goes_the_short_way(ways: Make) -> None:
    both, asked = ways(), Asked("/properties", {})
    tag = dict(both.settle(asked)[1])["ETag"]
    with both.taking_the_short_way():
        assert both.agree_on(asked)[0] == "200 OK"
        assert both.agree_on(Asked("/properties", {"If-None-Match": tag}))[0] == "304 NOT MODIFIED"
        assert both.agree_on(Asked("/properties", {"Accept-Encoding": "gzip"}))[0] == "200 OK"


def test_a_revoked_key_is_refused_at_the_very_next_poll(
    ways: Make, database: Database, clock: FixedClock, cast: Cast
) -> None:
    both, asked = ways(), Asked("/properties", {})
    both.settle(asked)
    with database.writing(cast.sumida.workspace_id) as session:
        for way in (both.short, both.whole):
            revoke_key(session, clock, "staff", way.key_id)
    status, headers, _, _ = both.agree_on(asked)
    assert status == "401 UNAUTHORIZED"
    assert not [name for name, _ in headers if name.startswith("RateLimit")]


def counted(settings: Settings, way: Way) -> int:
    storage = open_storage(settings)
    requests = len(storage.instants(bucket_of(way.key_id)))
    storage.close()
    return requests


def test_every_request_is_counted_once_also_when_the_budget_runs_out(
    ways: Make, settings: Settings, clock: FixedClock
) -> None:
    both, asked = ways(budget=_FEW), Asked("/properties", {})
    statuses = [both.agree_on(asked)[0][:3] for _ in range(2 * _FEW)]
    assert statuses == ["200"] * _FEW + ["429"] * _FEW
    for way in (both.short, both.whole):
        assert counted(settings, way) == 2 * _FEW
    clock.advance(timedelta(hours=1))
    assert both.agree_on(asked)[0] == "200 OK"


def raise_the_rents(session: Any) -> None:
    session.execute(update(Unit).values(rent_yen=77_000))


def speak_the_other_language(session: Any) -> None:
    workspace = session.scalars(select(Workspace)).one()
    workspace.default_locale = "en" if workspace.default_locale == "ja" else "ja"


@pytest.mark.parametrize("change", [raise_the_rents, speak_the_other_language])
def test_a_change_is_in_the_very_next_answer_and_counted_once(
    ways: Make, database: Database, settings: Settings, cast: Cast, change: Callable[[Any], None]
) -> None:
    path = "/site/units"
    both, asked = ways(), Asked(path, {})
    before = both.settle(asked)
    with database.writing(cast.sumida.workspace_id) as session:
        change(session)
    after = both.agree_on(asked)
    assert dict(after[1])["ETag"] != dict(before[1])["ETag"]
    with both.taking_the_short_way():
        assert both.agree_on(asked)[2] == after[2]
    assert counted(settings, both.short) == counted(settings, both.whole) == 4


def test_a_day_later_in_japan_the_question_is_answered_anew(ways: Make, clock: FixedClock) -> None:
    both, asked = ways(), Asked("/properties", {})
    tag = dict(both.settle(asked)[1])["ETag"]
    clock.advance(timedelta(hours=12))
    status, headers, _, _ = both.agree_on(Asked("/properties", {"If-None-Match": tag}))
    assert (status, dict(headers)["ETag"] == tag) == ("200 OK", False)


def test_a_scope_taken_away_closes_a_known_question(
    ways: Make, database: Database, settings: Settings, cast: Cast
) -> None:
    both, asked = ways(), Asked("/properties", {})
    both.settle(asked)
    with database.writing(cast.sumida.workspace_id) as session:
        session.execute(update(ApiKey).values(scopes=[Scope.CONTENT_READ]))
    assert both.agree_on(asked)[0] == "403 FORBIDDEN"
    assert counted(settings, both.short) == 3


# A file is what can be taken away here.
@pytest.mark.only_on("sqlite")
def test_a_budget_that_cannot_be_counted_lets_no_known_poll_pass(
    ways: Make, settings: Settings
) -> None:
    both, asked = ways(), Asked("/properties", {})
    both.settle(asked)
    for way in (both.short, both.whole):
        strategy: RollingWindow = way.app.extensions[EXTENSION]
        strategy.rolling_storage.close()
    shutil.rmtree(settings.budget_dir)
    settings.budget_dir.write_text("in the way")
    assert both.agree_on(asked)[0] == "503 SERVICE UNAVAILABLE"


def test_both_ways_are_counted_alike_for_the_metrics(ways: Make) -> None:
    both, asked = ways(), Asked("/properties", {})
    both.settle(asked)
    labels = {"route": "agent_api.list_properties", "method": "GET", "status": "200"}
    read = partial(REGISTRY.get_sample_value, "pms_requests_total", labels)
    seconds = partial(
        REGISTRY.get_sample_value, "pms_request_seconds_count", {"route": labels["route"]}
    )
    before = read() or 0, seconds() or 0
    both.agree_on(asked)
    assert (read(), seconds()) == (before[0] + 2, before[1] + 2)


def test_what_is_remembered_is_bounded(ways: Make) -> None:
    way = ways().short
    long = Asked(f"/site/config?x={'1' * 3_000}", {})
    for number in range(1_100):
        way.ask(Asked(f"/site/config?x={number}", {}))
    for asked, times_through in ((long, 2), (Asked("/site/config?x=0", {}), 1)):
        before = way.through_the_framework
        for _ in range(2):
            way.ask(asked)
        assert way.through_the_framework == before + times_through
