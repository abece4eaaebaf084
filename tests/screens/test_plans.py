"""No page reads all rows of a table that grows: both databases tell how they would answer."""

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import Connection, Engine, create_engine, event, text

from pms.foundation.clock import FixedClock
from tests.databases import postgresql_settings, settings_of_a_test
from tests.demo.seeding import NOON
from tests.programs import make_app
from tests.screens.grown import copy_rows, grow
from tests.screens.screens import SCREENS, Screen
from tests.screens.visiting import session_of
from tests.screens.world import LIVED_IN, World

_TIMES: Final = 10
_MANY: Final = 3_000
"""So many rows and more is a table that grows; fewer are read as quickly as they are looked up."""
_PAGES: Final = re.compile(
    r"dashboard\.(reservation(_\w+)?|reservations|unit(_\w+)?|ledger_entry|task|building)$"
    r"|dashboard\.(today|units|arrears|billing|deposit_report|owner_statements?|search|chart)$"
    r"|dashboard\.(availability|work|inbox|conversations|tickets|requests|projects|visits|runs)$"
    r"|dashboard\.(rooms|takeover|enquiries|leads|bills|payments|bank\w*|collections?\w*)$"
    r"|dashboard\.telemetry$"
    r"|resident\.\w+$|owner\.(home|statements|profile)$|contractor_links\.\w+$|guest_checkin\.\w+$"
)
# "SEARCH t USING INDEX i (workspace_id=?)" reads a workspace whole, and what began before a day is
# nearly all of it.
_WHOLE: Final = re.compile(
    r"^(?:SCAN (\w+)|SEARCH (\w+) USING .*"
    r"\(workspace_id=\?(?: AND starts_on<\?)?\)(?: LEFT-JOIN)?$)"
)
_OF_FEW: Final = frozenset({"ix_ledger_entry_opposes_id"})
_READING_ALL: Final = frozenset({"Sort", "Aggregate", "Hash", "WindowAgg"})
_OPEN: Final = "finds the open entries by an index that holds no others"
_VOIDED: Final = "finds the voided entries by an index that holds no others"
_WRITTEN_AGAIN: Final = "finds the rows written again by an index that holds no others"
_EVERYBODY: Final = "whoever was never billed may still miss rent, however long ago they left"
_REPORTED: Final = "reports everybody's deposit, once after each change; the answer is kept"
_MATCHED: Final = "matches with everybody while these are few; where they are many, a job does"
_FIRST_ROW: Final = "whether there is any: it stops at the first row of the workspace"
_MAY_READ_ALL: Final[Mapping[tuple[str, str], str]] = {
    ("today", "entry_total"): _OPEN,
    ("today", "reservation"): _FIRST_ROW,
    ("today", "photo"): _FIRST_ROW,
    ("arrears", "entry_total"): _OPEN,
    ("owner_statements", "ledger_entry"): _VOIDED,
    ("owner_statement", "ledger_entry"): _VOIDED,
    ("billing", "reservation"): _EVERYBODY,
    ("billing", "row_extent"): _WRITTEN_AGAIN,
    ("bank_day", "reservation"): _MATCHED,
    ("deposit_report", "reservation"): _REPORTED,
    ("deposit_report", "entry_total"): _REPORTED,
}
"""Which page may read which table whole, and why. Arrears and deposits hear what Today added up."""
_TENTH: Final = "a good part of the table at this size, so that PostgreSQL joins it whole"
_ANY_WORDS: Final = "words from the middle of a name are in no index; it stops at the first few"
_CHOSEN_BY_POSTGRESQL: Final[Mapping[tuple[str, str], str]] = {
    ("today", "ledger_entry"): _TENTH,
    ("arrears", "ledger_entry"): _TENTH,
    ("bank_day", "ledger_entry"): _TENTH,
    ("bank_day", "ledger_line"): _TENTH,
    ("bank_day", "allocation"): _TENTH,
    ("bills", "reservation"): _TENTH,
    ("bills", "ledger_line"): _TENTH,
    ("bills", "allocation"): _TENTH,
    ("payments", "reservation"): _TENTH,
    ("search", "reservation"): _ANY_WORDS,
    ("billing", "billed_row"): _TENTH,
    ("deposit_report", "ledger_entry"): _TENTH,
    ("owner_statements", "reservation"): _TENTH,
    ("owner_statements", "allocation"): _TENTH,
    ("owner_statement", "reservation"): _TENTH,
    ("units", "photo"): _TENTH,
}
"""What SQLite looks up, and PostgreSQL too where there is more of it."""
_COUNTS: Final = re.compile(r"SELECT count\(\*\)")
"""How many there are in all is what a list says, and is counted over an index alone."""


@pytest.fixture
def grown(
    request: pytest.FixtureRequest, database_kind: str, world: World, tmp_path: Path
) -> Iterator[World]:
    """The program over the demo ten times as large, with its rows counted."""
    world.database.dispose()
    shutil.copytree(world.settings.data_dir, tmp_path, dirs_exist_ok=True)
    settings = settings_of_a_test(tmp_path)
    if database_kind == "sqlite":
        _grow(create_engine(settings.database_url), world)
    else:
        server = request.getfixturevalue("postgresql")
        name = request.getfixturevalue("postgresql_database")
        kept, settings = settings, postgresql_settings(tmp_path, server, name)
        engine = create_engine(server.superuser_url.set(database=name))
        with create_engine(kept.database_url).connect() as old, engine.begin() as new:
            new.execute(text("SET LOCAL session_replication_role = replica"))
            copy_rows(old, new)
        _grow(engine, world)
    app = make_app(settings, FixedClock(NOON))
    app.extensions["pms.database"].refresh_statistics()
    yield World(app, settings, world.clock, world.workspace_ids, world.people, world.addresses)
    app.extensions["pms.database"].dispose()


def _grow(engine: Engine, world: World) -> None:
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL session_replication_role = replica"))
        grow(connection, world.workspace_ids[LIVED_IN], _TIMES)
    engine.dispose()


def test_no_page_reads_a_growing_table_whole(grown: World) -> None:
    found = []
    allowed = _MAY_READ_ALL
    if grown.database.engine.dialect.name == "postgresql":
        allowed = {**_MAY_READ_ALL, **_CHOSEN_BY_POSTGRESQL}
    large = _large_tables(grown)
    assert {"reservation", "ledger_entry", "ledger_line", "allocation", "telemetry_day"} <= large
    for screen in SCREENS:
        if _PAGES.match(screen.endpoint):
            for statement, values in _asked(grown, screen):
                found += [
                    f"{screen.name} reads all of {table}: {' '.join(statement.split())[:400]}"
                    for table in _read_whole(grown, statement, values) & large
                    if (screen.endpoint.partition(".")[2], table) not in allowed
                ]
    assert not found, "\n".join(dict.fromkeys(found))


def _large_tables(world: World) -> set[str]:
    from pms.foundation.db import Base

    with world.database.connection_across_workspaces() as connection:
        return {
            name
            for name in Base.metadata.tables
            if connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() >= _MANY
        }


def _asked(world: World, screen: Screen) -> list[tuple[str, Any]]:
    """Return the questions that a page asks, with their values."""
    client = world.app.test_client()
    if screen.role is not None or screen.is_behind_portal:
        client.set_cookie("session", session_of(world, screen))
    seen: list[tuple[str, Any]] = []

    def note(connection: Connection, _r: Any, statement: str, values: Any, *_: Any) -> None:
        # Other tests of this process have servers that ask their own databases.
        is_own = connection.engine.url.database == world.database.engine.url.database
        is_question = statement.lstrip().startswith(("SELECT", "WITH"))
        if is_own and is_question and not _COUNTS.match(statement):
            seen.append((statement, values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        answer = client.get(world.addresses[f"{screen.name} normal"])
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert answer.status_code == 200, screen.name
    return seen


def _read_whole(world: World, statement: str, values: Any) -> set[str]:
    """Return the tables of which the database would read every row of the workspace."""
    with world.database.reading(world.workspace_ids[LIVED_IN]) as session:
        connection = session.connection()
        if connection.dialect.name == "postgresql":
            asked = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", values)
            return set(_whole_in(asked.scalar_one()[0]["Plan"]))
        return _whole_on_sqlite(connection, statement, values)


def _whole_on_sqlite(connection: Connection, statement: str, values: Any) -> set[str]:
    lines = [
        row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
    ]
    # In the order that is asked for, and no further than the page.
    is_page = "LIMIT" in statement and not any("FOR ORDER BY" in line for line in lines)
    met = () if is_page else (_WHOLE.match(line) for line in lines)
    names = (re.sub(r"_\d+$", "", one[1] or one[2]) for one in met if one)
    return set(names)


def _whole_in(plan: dict[str, Any], is_page: bool = False) -> Iterator[str]:
    kind, table = plan["Node Type"], plan.get("Relation Name")
    is_page = kind == "Limit" or (is_page and kind not in _READING_ALL)
    indexes = [one for one in (plan, *plan.get("Plans", ())) if "Index Name" in one]
    is_whole = kind == "Seq Scan" or (indexes and all(map(_is_of_workspace, indexes)))
    if table and is_whole and not is_page:
        yield table
    for part in plan.get("Plans", ()):
        yield from _whole_in(part, is_page)


def _is_of_workspace(scan: dict[str, Any]) -> bool:
    """Whether an index is read for nothing but the workspace; one of few rows may be."""
    narrowed = re.sub(r"workspace_id = \S+", "", scan.get("Index Cond", ""))
    return scan["Index Name"] not in _OF_FEW and not re.search("[=<>]|IS NULL", narrowed)
