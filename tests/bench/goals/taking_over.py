"""S17: a rent roll of five thousand tenancies read and taken over."""

import csv
import time
from collections.abc import Iterable
from datetime import UTC, date, datetime
from io import StringIO
from multiprocessing import get_context
from typing import Final

from pms.arrivals.takeover.reading import read_takeover
from pms.arrivals.takeover.running import run_take_over
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.rules.days import JAPAN
from pms.workspaces.new_workspaces import open_workspace
from tests.bench.goals.billing_run import peak_mebibytes
from tests.bench.rounds import Figure, Spread
from tests.bench.stage import Stage
from tests.databases import settings_of_a_test

_NOW: Final = datetime(2026, 11, 20, 12, tzinfo=JAPAN).astimezone(UTC)
_ROOMS_OF_A_HOUSE: Final = 50


def judge_taking_over(stage: Stage) -> Iterable[Figure]:
    """Read and written in a new process: seconds, and the most memory it held."""
    tenancies = 500 if stage.is_quick else 5_000
    settings = settings_of_a_test(stage.folder / "taking-over")
    migrate(settings)
    with get_context("spawn").Pool(1) as pool:
        seconds, mebibytes = pool.apply(_take_over, (settings, tenancies))
    what = f"{tenancies:,} tenancies taken over"
    yield Figure("S17", what, Spread(seconds, seconds, seconds), 60, 20, "s")
    yield Figure("S17", "the most memory it held", Spread(*[mebibytes] * 3), 300, None, "MiB")


def _take_over(settings: Settings, tenancies: int) -> tuple[float, float]:
    database, clock = Database(settings), FixedClock(_NOW)
    with database.across_workspaces_writing() as session:
        workspace_id = open_workspace(session, clock, slug="new", name="新しい")
    sheet = _sheet(tenancies)
    began = time.perf_counter()
    read = read_takeover(sheet, "roll.csv", date(2026, 11, 20))
    with database.writing(workspace_id) as session:
        run = run_take_over(Work(session, clock, "staff"), read)
    seconds = time.perf_counter() - began
    assert run.tenancies == tenancies, (run.tenancies, run.refused[:3])
    database.dispose()
    return seconds, peak_mebibytes()


def _sheet(tenancies: int) -> bytes:
    text = StringIO()
    lines = csv.writer(text)
    lines.writerow(["入居者一覧", "2026年11月20日現在", "11月分まで請求済"])
    lines.writerow(
        ["物件", "号室", "氏名", "契約開始", "契約終了", "賃料", "共益費", "敷金", "滞納額"]
    )
    for number in range(tenancies):
        house, room = divmod(number, _ROOMS_OF_A_HOUSE)
        rent = 48_000 + 500 * (number % 97)
        arrears = rent + 3_000 if number % 40 == 0 else 0
        person = f"山田 {chr(0x4E00 + number % 2_000)}{chr(0x4E00 + number // 2_000)}"
        days = ("2025/4/1", "2027/3/31")
        lines.writerow(
            [f"ハイツ{house + 1}", 101 + room, person, *days, rent, 3_000, rent, arrears]
        )
    return text.getvalue().encode()
