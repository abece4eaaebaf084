"""The example of a website is run as its README says, against the program as it is served."""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from pms.access.keys import issue_key
from pms.catalogue.models import Unit
from pms.catalogue.slugs import change_building_slug
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.inbox.models import Enquiry
from pms.reservations.models import Reservation
from pms.rules.scopes import PRESETS, Preset
from pms.site.models import Post, SiteConfiguration, TelemetryReport
from pms.site.visits import read_events
from pms.site.written_content import remove_post
from tests.architecture.source_tree import ROOT
from tests.cast import Cast
from tests.shifted_clock import carried_environment
from tests.staff import introduce_staff, open_browser
from tests.surfaces.manual.browser import served

EXAMPLE = ROOT / "docs/examples/website"
SHARP = "<b>\"&'</b>"


class Runner:
    """Somebody who runs the example in a folder of their own."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self.folder, self.settings = folder, dict(settings)

    def runs(self, *arguments: str, status: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, str(EXAMPLE / "website.py"), *arguments],
            cwd=self.folder,
            env={
                "PATH": os.environ["PATH"],
                "PYTHONUTF8": "1",
                **carried_environment(os.environ),
                **self.settings,
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def page(self, place: str) -> str:
        return (self.folder / "public" / place).read_text("utf-8")


@pytest.fixture
def base(app: Flask) -> Iterator[str]:
    """The address under which the program is served."""
    with served(app) as address:
        yield address


@pytest.fixture
def runner(base: str, database: Database, clock: FixedClock, cast: Cast, tmp_path: Path) -> Runner:
    """Sumida's website, with the three keys of the presets."""
    keys = {"BASE_URL": base}
    names = {
        Preset.READ: "READ_KEY",
        Preset.ACTIONS: "ACTIONS_KEY",
        Preset.TELEMETRY: "TELEMETRY_KEY",
    }
    with database.writing(cast.sumida.workspace_id) as session:
        for preset, name in names.items():
            scopes = sorted(PRESETS[preset])
            keys[name] = issue_key(
                Work(session, clock, "staff"), name=name, scopes=scopes
            ).plaintext
    folder = tmp_path / "website"
    folder.mkdir()
    return Runner(folder, keys)


def test_it_is_built_and_built_again_only_where_something_changed(
    runner: Runner, database: Database, cast: Cast
) -> None:
    house = cast.sumida
    first = runner.runs("build")
    assert f"wrote ja/units/{house.free_room_slug}/index.html" in first
    for locale in ("ja", "en"):
        for place in (
            f"units/{house.free_room_slug}",
            f"buildings/{house.building_slug}",
            f"posts/{house.post_slug}",
            f"campaigns/{house.campaign_slug}",
            f"positions/cleaner-{house.slug}",
            f"services/sublease-{house.slug}",
        ):
            assert runner.page(f"{locale}/{place}/index.html").startswith("<!doctype html>")
    assert "Free now" in runner.page(f"en/units/{house.free_room_slug}/index.html")
    locations = re.findall(
        r"<loc>https://sumida\.example\.jp/(.+?)</loc>", runner.page("sitemap.xml")
    )
    assert locations
    for place in locations:
        assert runner.page(f"{place}/index.html")
    assert "Unchanged" in runner.runs("build")
    with database.writing(house.workspace_id) as session:
        room = session.get_one(Unit, (house.workspace_id, house.free_room_id))
        room.rent_yen = 88_000
    second = runner.runs("build")
    written = set(re.findall(r"wrote (\S+)", second))
    for locale in ("ja", "en"):
        assert f"{locale}/units/{house.free_room_slug}/index.html" in written
    assert "88,000円" in runner.page(f"ja/units/{house.free_room_slug}/index.html")
    # The room stands on its building's, its campaign's and the first page too, and on no other.
    assert {place.partition("/")[2] for place in written} <= {
        "index.html",
        f"units/{house.free_room_slug}/index.html",
        f"buildings/{house.building_slug}/index.html",
        f"campaigns/{house.campaign_slug}/index.html",
    }
    assert "Unchanged" in runner.runs("build")


def test_an_old_address_of_a_house_leads_to_the_new_one(
    runner: Runner, database: Database, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        change_building_slug(
            Work(session, clock, "staff"), building_id=house.building_id, typed="kawasemi"
        )
    runner.runs("build")
    old = f"/ja/buildings/{house.building_slug}"
    assert f"{old} /ja/buildings/kawasemi 301\n" in runner.page("_redirects")
    assert 'content="0; url=/ja/buildings/kawasemi/"' in runner.page(f"{old[1:]}/index.html")
    assert "Unchanged" in runner.runs("build")


def test_a_page_of_what_is_gone_is_removed_and_nothing_else(
    runner: Runner, database: Database, clock: FixedClock, cast: Cast
) -> None:
    runner.runs("build")
    own = runner.folder / "public/ja/robots.txt"
    own.write_text("User-agent: *")
    with database.writing(cast.sumida.workspace_id) as session:
        post_id = session.scalars(select(Post.id)).one()
        remove_post(Work(session, clock, "staff"), post_id=post_id)
    result = runner.runs("build")
    assert f"removed ja/posts/{cast.sumida.post_slug}/index.html" in result
    assert not (runner.folder / f"public/en/posts/{cast.sumida.post_slug}").exists()
    assert own.exists()
    assert cast.sumida.post_slug not in runner.page("sitemap.xml")


def test_a_day_that_is_not_confirmed_stands_on_no_page(
    runner: Runner, database: Database, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        row.expected_departure_date = date(2026, 12, 17)
        moved = session.get_one(Reservation, (house.workspace_id, house.guest_id))
        moved.move_out_date = date(2026, 11, 29)
    runner.runs("build")
    pages = [file.read_text("utf-8") for file in (runner.folder / "public").rglob("*.html")]
    assert [page for page in pages if "May become free; no move-in date yet" in page]
    assert not [page for page in pages if "12-17" in page or "12-18" in page or "12/1" in page]


def test_every_word_is_escaped(runner: Runner, database: Database, cast: Cast) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.scalars(select(SiteConfiguration)).one().title_ja = SHARP
        session.scalars(select(Post)).one().title_ja = SHARP
        for room in session.scalars(select(Unit)):
            room.description_ja, room.features = SHARP, [SHARP]
    runner.runs("build")
    for file in (runner.folder / "public").rglob("*.html"):
        assert "<b>" not in file.read_text("utf-8"), file


def test_an_enquiry_arrives_in_the_office_and_once_however_often_it_is_sent(
    runner: Runner, app: Flask, database: Database, clock: FixedClock, cast: Cast
) -> None:
    asked = ("enquire", "--name", "林 光", "--email", "hikaru@example.jp")
    further = ("--message", "見学できますか。", "--unit", cast.sumida.free_room_id)
    result = runner.runs(*asked, *further, "--move-in", "2026-12-01")
    found = re.search(r"--again (\S+)", result)
    assert found is not None
    again = runner.runs(*asked, *further, "--move-in", "2026-12-01", "--again", found[1])
    assert again == result
    with database.reading(cast.sumida.workspace_id) as session:
        (enquiry,) = session.scalars(select(Enquiry))
    assert (enquiry.unit_id, enquiry.external_id) == (
        cast.sumida.free_room_id,
        f"website-{found[1]}",
    )
    staff = introduce_staff(database, cast)
    office = open_browser(app, clock, staff.office_id, cast.sumida.slug)
    shown = office.get("/enquiries?lang=en").text
    assert "林 光" in shown
    assert "Website" in shown


def test_visits_are_reported(runner: Runner, database: Database, cast: Cast) -> None:
    assert "2 visits are counted." in runner.runs("count", "/ja/", "/ja/units/x/")
    with database.reading(cast.sumida.workspace_id) as session:
        reports = session.scalars(select(TelemetryReport.events)).all()
    paths = [event.path for row in reports for event in read_events(row)]
    assert sorted(paths) == ["/ja/", "/ja/units/x/"]


def test_what_is_missing_or_refused_is_said_in_a_line(
    runner: Runner, database: Database, clock: FixedClock, cast: Cast
) -> None:
    key = runner.settings.pop("READ_KEY")
    assert "READ_KEY is not set" in runner.runs("build", status=1)
    runner.settings["READ_KEY"] = f"{key}x"
    assert "401: " in runner.runs("build", status=1)
    runner.settings["READ_KEY"] = runner.settings["ACTIONS_KEY"]
    assert "403: This key lacks" in runner.runs("build", status=1)
    with database.writing(cast.sumida.workspace_id) as session:
        scopes = sorted(PRESETS[Preset.READ])
        poor = issue_key(
            Work(session, clock, "staff"), name="poor", scopes=scopes, budget_per_hour=3
        )
    runner.settings["READ_KEY"] = poor.plaintext
    assert re.search(r"The budget is spent: try again in \d+ s", runner.runs("build", status=1))
    assert not (runner.folder / "public").exists()


def asking() -> ModuleType:
    """The part of the example that asks, as a module."""
    spec = importlib.util.spec_from_file_location("example_asking", EXAMPLE / "asking.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def busy(answers: list[tuple[int, dict[str, str]]]) -> Iterator[str]:
    """A service that answers what it is told, one after the other, and then as it should."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers = answers.pop(0) if answers else (200, {"ETag": 'W/"1"'})
            body = b'{"ok": true, "data": {"units": []}}'
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        serving = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        serving.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        serving.join()


@pytest.mark.parametrize(
    ("answers", "waits"),
    [
        ([(429, {"Retry-After": "7"})], [7.0]),
        ([(503, {}), (500, {}), (502, {})], [1.0, 2.0, 4.0]),
        ([(429, {"Retry-After": "3"}), (503, {})], [3.0, 2.0]),
    ],
)
def test_it_waits_as_long_as_it_is_told_and_longer_each_time_the_service_is_ill(
    answers: list[tuple[int, dict[str, str]]], waits: list[float]
) -> None:
    waited: list[float] = []
    with busy(answers) as address:
        answer = asking().Service(address, "key", waited.append).get("/units")
    assert (answer.status, answer.tag, waited) == (200, 'W/"1"', waits)


def test_a_service_that_stays_ill_is_given_up() -> None:
    module = asking()
    waited: list[float] = []
    with busy([(500, {})] * 9) as address, pytest.raises(module.StoppedError, match="busy"):
        module.Service(address, "key", waited.append).get("/units")
    assert waited == [1.0, 2.0, 4.0, 8.0]
    with pytest.raises(module.StoppedError, match="cannot be reached"):
        module.Service("http://127.0.0.1:9", "key", waited.append).get("/units")
