"""S10: a card of the board is moved, against a bare route that commits one row as durably."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from itertools import cycle, islice, product

from sqlalchemy import func, select

from app import create_app
from pms.catalogue.models import Building, Unit
from pms.foundation.clock import SystemClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.rules.enumerations import TaskKind
from pms.upkeep.models import TaskMove
from pms.upkeep.tasks import WantedTask, add_task
from tests.bench.data import Data, operator_of
from tests.bench.rounds import Figure, Side, ratio, warm_up
from tests.bench.serving import Served, sent_form
from tests.bench.stage import Stage
from tests.staff import open_browser

_HELLO = "tests.bench.anchors:committing_hello()"
_CARDS = 8
_STATES = ("doing", "done")


def move(stage: Stage) -> Iterable[Figure]:
    """The whole answer: who asks, the move with its step and its audit event, the card as it stands."""
    cards = _cards(stage.data)
    taps = cycle(_taps(stage.data, cards))
    hello = cycle([sent_form("/", {"state": "doing"})])
    count, before = stage.requests * _CARDS, _moves(stage.data)
    with Served(_HELLO, stage.data) as committing:
        ours, floor = _cpu(stage.product, taps, count), _cpu(committing, hello, count)
        found, mine, theirs = ratio(ours, floor, stage.rounds)
    made = _moves(stage.data) - before
    assert made >= stage.rounds * count, f"only {made} of the taps moved a card"
    note = f"{mine.median * 1e6:.0f} µs against {theirs.median * 1e6:.0f}"
    yield Figure("S10", "a card moved: CPU against hello with a commit", found, 12, 8, note=note)


def _cpu(served: Served, requests: Iterator[bytes], count: int) -> Side:
    warm_up(lambda: served.ask(next(requests)))

    def measure() -> float:
        began = served.cpu_seconds()
        served.flood_all(islice(requests, count))
        return (served.cpu_seconds() - began) / count

    return measure


def _cards(data: Data) -> Sequence[str]:
    """Store some tasks in the largest workspace and return their ids."""
    database, clock = Database(data.settings), SystemClock()
    with database.writing(data.workspaces[0].id) as session:
        rooms = select(Building.id, Unit.id).join(Unit, Unit.building_id == Building.id)
        wanted = [
            WantedTask(kind=TaskKind.CLEANING, building_id=building_id, unit_id=unit_id)
            for building_id, unit_id in session.execute(rooms.limit(_CARDS))
        ]
        ids = [add_task(Work(session, clock, "staff"), wanted=one) for one in wanted]
    database.dispose()
    return ids


def _taps(data: Data, cards: Sequence[str]) -> Sequence[bytes]:
    """Each card is begun, then each is finished: every tap moves one."""
    slug = data.workspaces[0].slug
    with redirect_stdout(StringIO()):
        app = create_app(data.settings)
        browser = open_browser(app, SystemClock(), operator_of(data), slug, is_secure=True)
        app.extensions["pms.database"].dispose()
    cookie = next(iter(browser.client._cookies.values()))  # type: ignore[union-attr]
    facts = {"Cookie": f"{cookie.key}={cookie.value}", "X_CSRFToken": browser.form_token}
    return [
        sent_form(
            f"{browser.home}/tasks/{task_id}/moves?view=board",
            {"state": state},
            HX_Request="true",
            **facts,
        )
        for state, task_id in product(_STATES, cards)
    ]


def _moves(data: Data) -> int:
    database = Database(data.settings)
    with database.reading(data.workspaces[0].id) as session:
        found = session.scalar(select(func.count()).select_from(TaskMove)) or 0
    database.dispose()
    return found
