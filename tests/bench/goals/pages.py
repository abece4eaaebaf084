"""S7 to S9: the pages people use, at the demo's size, ten and a hundred times as large, and first visits."""

import gc
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Final

from sqlalchemy import create_engine, text

from app import create_app
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from pms.rules.enumerations import UserKind
from pms.surfaces.first_visits import open_first_pages
from pms.surfaces.page_templates import KeptTemplates, compile_templates
from tests.bench.rounds import Figure, Spread, spread
from tests.bench.stage import Stage
from tests.databases import settings_of_a_test
from tests.demo.seeding import NOON, plain_album, seeded
from tests.portals import open_portal_browser
from tests.screens.grown import grow
from tests.staff import Browser, open_browser

_SLUG: Final = "midori-living"
_ONE, _MANY, _PORTAL = "what shows one thing", "what shows a page of many", "portals"
_PAGES: Final[Mapping[str, Mapping[str, str]]] = {
    _ONE: {
        "reservation": "/reservations/{reservation}",
        "ledger": "/reservations/{reservation}/ledger",
        "unit": "/units/{unit}",
    },
    _MANY: {
        "Today": "/",
        "calendar": "/chart",
        "reservations": "/reservations",
        "units": "/units",
        "board": "/work?view=board",
        "billing": "/billing",
        "statements": "/owner-statements",
        "arrears": "/arrears",
        "search": "/search?q=佐藤",
    },
    _PORTAL: {"resident's home": "resident", "owner's home": "owner"},
}
_MUST: Final = {_ONE: (1.2, 1.05), _MANY: (3, 1.5), _PORTAL: (1.2, 1.05)}
_VISITS: Final = 5
_FIRST_VISITED: Final = ("Today", "reservation", "billing", "search")


def judge_pages(stage: Stage) -> Iterable[Figure]:
    """CPU of each page over the demo; then what it costs over a larger workspace."""
    base = _costs(world(stage.folder, 1), stage.rounds)
    worst = max(base, key=lambda name: base[name].median)
    note = ", ".join(f"{name} {cost.median:.0f}" for name, cost in base.items())
    yield Figure("S7", f"the dearest page, {worst}, CPU", base[worst], 25, 12, "ms", note=note)
    for times in (10,) if stage.is_quick else (10, 100):
        grown = _costs(world(stage.folder, times), min(stage.rounds, 3))
        for kind, pages in _PAGES.items():
            ratios = {name: grown[name].median / base[name].median for name in pages}
            worst = max(ratios, key=ratios.__getitem__)
            found = Spread(ratios[worst], min(ratios.values()), ratios[worst])
            what = f"{times} times the workspace, {kind}: {worst}"
            yield Figure("S8", what, found, *_MUST[kind], note=f"{grown[worst].median:.0f} ms")


def judge_first_visits(stage: Stage) -> Iterable[Figure]:
    """The first visits of pages in a new worker against the tenth of each."""
    settings = world(stage.folder, 1)
    rounds = []
    for _ in range(min(stage.rounds, 5)):
        with get_context("spawn").Pool(1) as pool:
            rounds.append(pool.apply(_visits, (settings,)))
    for name in _FIRST_VISITED:
        found = spread([one[name] for one in rounds])
        yield Figure("S9", f"first visit of {name} in a worker against the tenth", found, 3, 1.5)


def _visits(settings: Settings) -> dict[str, float]:
    """Return what the first visit of each page costs of the tenth, as a worker of the server is.

    The process that workers are forked from has compiled templates and opened the first pages, and
    searches little for garbage.
    """
    with _opened(settings, is_served=True) as pages:
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        costs = {
            name: [_milliseconds(pages[name]) for _ in range(10)]
            for name in ("resident's home", *_FIRST_VISITED)
        }
    return {name: cost[0] / cost[-1] for name, cost in costs.items()}


def world(folder: Path, times: int) -> Settings:
    """Return settings over the demo so many times as large."""
    kept = folder / f"pages-{times}"
    settings = settings_of_a_test(kept)
    if kept.exists():
        return settings
    if times > 1:
        shutil.copytree(world(folder, 1).data_dir, kept)
        engine = create_engine(settings.database_url)
        with engine.begin() as connection:
            grow(connection, find_workspace_id(settings), times)
        engine.dispose()
    else:
        migrate(settings)
        seeded(settings, plain_album(Files(settings)))
    database = Database(settings)
    database.refresh_statistics()
    database.dispose()
    return settings


def _costs(settings: Settings, rounds: int) -> dict[str, Spread]:
    """Return the CPU of each page in milliseconds, after a first visit."""
    with _opened(settings) as pages:
        for visit in pages.values():
            visit()
        return {
            name: spread([_of_visits(visit) for _ in range(rounds)])
            for name, visit in pages.items()
        }


def _of_visits(visit: Callable[[], object]) -> float:
    return median(_milliseconds(visit) for _ in range(_VISITS))


def _milliseconds(visit: Callable[[], object]) -> float:
    began = time.process_time()
    visit()
    return (time.process_time() - began) * 1000


@contextmanager
def _opened(
    settings: Settings, *, is_served: bool = False
) -> Iterator[Mapping[str, Callable[[], object]]]:
    """The pages over one workspace, each as a visit of who opens it."""
    clock = FixedClock(NOON)
    with redirect_stdout(StringIO()):
        app = create_app(settings, clock=clock)
        if is_served:
            app.jinja_env.bytecode_cache = KeptTemplates(settings)
            compile_templates(app)
            app.jinja_env.cache = {}
            open_first_pages(app)
        staff = open_browser(app, clock, _one(settings, _OPERATOR), _SLUG, is_secure=True)
        ids = {"reservation": _one(settings, _RESERVATION), "unit": _one(settings, _UNIT)}
        paths = {**_PAGES[_ONE], **_PAGES[_MANY]}
        visits = {name: _visit(staff, path.format(**ids)) for name, path in paths.items()}
        for name, user_kind in _PAGES[_PORTAL].items():
            portal = open_portal_browser(
                app,
                clock,
                UserKind(user_kind),
                workspace_id=find_workspace_id(settings),
                slug=_SLUG,
                address=f"{user_kind}@midori.example",
            )
            visits[name] = _visit(portal, "/")
        yield visits
        app.extensions["pms.database"].dispose()


@contextmanager
def staff_pages(
    settings: Settings, paths: Mapping[str, str]
) -> Iterator[Mapping[str, Callable[[], object]]]:
    """Pages of the dashboard by name, each as a visit of an operator."""
    clock = FixedClock(NOON)
    with redirect_stdout(StringIO()):
        app = create_app(settings, clock=clock)
        staff = open_browser(app, clock, _one(settings, _OPERATOR), _SLUG, is_secure=True)
        yield {name: _visit(staff, path) for name, path in paths.items()}
        app.extensions["pms.database"].dispose()


def _visit(browser: Browser, path: str) -> Callable[[], object]:
    def visit() -> object:
        answer = browser.get(path, follow_redirects=True)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer

    return visit


_OPERATOR: Final = "SELECT id FROM person WHERE email = 'operator@midori.example'"
_RESERVATION: Final = (
    "SELECT id FROM reservation WHERE lifecycle = 'living' AND workspace_id = (SELECT id FROM"
    " workspace WHERE slug = 'midori-living') ORDER BY id LIMIT 1"
)
_UNIT: Final = (
    "SELECT id FROM unit WHERE workspace_id = (SELECT id FROM workspace"
    " WHERE slug = 'midori-living') ORDER BY id LIMIT 1"
)


def find_workspace_id(settings: Settings) -> str:
    """Return the id of the demo's workspace."""
    return _one(settings, f"SELECT id FROM workspace WHERE slug = '{_SLUG}'")


def _one(settings: Settings, question: str) -> str:
    engine = create_engine(settings.database_url)
    with engine.connect() as connection:
        found = str(connection.execute(text(question)).scalar_one())
    engine.dispose()
    return found
