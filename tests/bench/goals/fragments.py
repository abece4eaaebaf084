"""A part of a page costs a quarter of the page at most: it renders and asks for nothing else."""

import time
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from io import StringIO

from app import create_app
from pms.access.models import Member, Person
from pms.foundation.clock import SystemClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.rules.enumerations import StaffRole
from tests.bench.data import Data
from tests.bench.rounds import Figure, Side, ratio
from tests.bench.stage import Stage
from tests.staff import Browser, open_browser

_TIMES = 10


def measure(stage: Stage) -> Iterable[Figure]:
    """The card of a day's arrivals against the page it stands on."""
    with redirect_stdout(StringIO()):
        app = create_app(stage.data.settings)
        browser = open_browser(
            app, SystemClock(), operator_of(stage.data), stage.largest.slug, is_secure=True
        )
        card = _cpu(lambda: _opened(browser, "/?card=arrivals", is_part=True))
        whole = _cpu(lambda: _opened(browser, "/", is_part=False))
        found, one, _ = ratio(card, whole, stage.rounds)
        app.extensions["pms.database"].dispose()
    note = f"{one.median * 1e3:.1f} ms"
    yield Figure("part", "one card of today against the whole page", found, 0.25, note=note)


def operator_of(data: Data) -> str:
    """Store someone who works in the largest workspace."""
    database, now = Database(data.settings), SystemClock().now()
    person = Person(email=f"{new_id()}@example.jp", name="測 定子", created_at=now)
    with database.across_workspaces_writing() as session:
        session.add(person)
        session.flush()
        person_id = person.id
    with database.writing(data.workspaces[0].id) as session:
        session.add(Member(person_id=person_id, role=StaffRole.OPERATOR, accepted_at=now))
    database.dispose()
    return person_id


def _opened(browser: Browser, path: str, *, is_part: bool) -> None:
    answer = browser.block(path) if is_part else browser.get(path)
    assert answer.status_code == 200, answer.status_code


def _cpu(step: Callable[[], object]) -> Side:
    def measure_one() -> float:
        began = time.process_time()
        for _ in range(_TIMES):
            step()
        return (time.process_time() - began) / _TIMES

    measure_one()
    return measure_one
