"""No page reads all rows of a table that grows: both databases tell how they would answer."""

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import URL, Connection, Engine, event, text

from pms.bank.verdicts import renew_verdicts
from pms.foundation.clock import FixedClock
from tests.databases import postgresql_settings, settings_of_a_test
from tests.demo.seeding import NOON
from tests.programs import make_app
from tests.screens.grown import copy_database, grow_database
from tests.screens.screens import SCREENS, Screen
from tests.screens.visiting import has_reader, session_of
from tests.screens.world import LIVED_IN, World

_TIMES: Final = 10
_MANY: Final = 3_000
"""So many rows and more is a table that grows; fewer are read as quickly as they are looked up."""
# "SEARCH t USING INDEX i (workspace_id=?)" reads a workspace whole, and what began before a day is
# nearly all of it.
_WHOLE: Final = re.compile(
    r"^(?:SCAN (\w+)|SEARCH (\w+) USING .*"
    r"\(workspace_id=\?(?: AND starts_on<\?)?\)(?: LEFT-JOIN)?$)"
)
_OF_FEW: Final = frozenset({"ix_ledger_entry_opposes_id", "ix_reservation_owner_resident"})
_READING_ALL: Final = frozenset({"Sort", "Aggregate", "Hash", "WindowAgg"})
_OPEN: Final = "finds the open entries by an index that holds no others"
_VOIDED: Final = "finds the voided entries by an index that holds no others"
_WRITTEN_AGAIN: Final = "finds the rows written again by an index that holds no others"
_EVERYBODY: Final = "whoever was never billed may still miss rent, however long ago they left"
_REPORTED: Final = "reports everybody's deposit, once after each change; the answer is kept"
_FIRST_ROW: Final = "whether there is any: it stops at the first row of the workspace"
_ADDED_UP: Final = "adds up the whole ledger by month, once after each change; the answer is kept"
_COMPARED: Final = "compares a roll with everybody who lives here, while it is taken over"
_ANY_WORDS: Final = "words from the middle of a name are in no index; it stops at the first few"
_MAY_READ_ALL: Final[Mapping[tuple[str, str], str]] = {
    ("today", "entry_total"): _OPEN,
    ("today", "reservation"): _FIRST_ROW,
    ("today", "photo"): _FIRST_ROW,
    ("arrears", "entry_total"): _OPEN,
    ("owner_statements", "ledger_entry"): _VOIDED,
    ("owner_statement", "ledger_entry"): _VOIDED,
    ("billing", "reservation"): _EVERYBODY,
    ("billing", "row_extent"): _WRITTEN_AGAIN,
    ("journals", "ledger_entry"): _VOIDED,
    ("profit_and_loss", "ledger_line"): _ADDED_UP,
    ("occupancy", "ledger_line"): _ADDED_UP,
    ("stay_of_conversation", "reservation"): _ANY_WORDS,
    ("set_up", "photo"): _FIRST_ROW,
    ("set_up", "reservation"): _FIRST_ROW,
    ("takeover_files", "reservation"): _COMPARED,
    ("takeover_files", "price_period"): _COMPARED,
    ("takeover_rows", "reservation"): _COMPARED,
    ("takeover_rows", "price_period"): _COMPARED,
    ("takeover_check", "reservation"): _COMPARED,
    ("takeover_check", "price_period"): _COMPARED,
    ("deposit_report", "reservation"): _REPORTED,
    ("deposit_report", "entry_total"): _REPORTED,
}
"""Which page may read which table whole, and why. Arrears and deposits hear what Today added up."""
_TENTH: Final = "a good part of the table at this size, so that PostgreSQL joins it whole"
_CHOSEN_BY_POSTGRESQL: Final[Mapping[tuple[str, str], str]] = {
    ("today", "ledger_entry"): _TENTH,
    ("arrears", "ledger_entry"): _TENTH,
    ("bank_day", "entry_total"): _TENTH,
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
    ("new_debits", "allocation"): _TENTH,
    ("check_reminders", "reservation"): _TENTH,
    ("check_reminders", "allocation"): _TENTH,
    ("inbound_event", "ledger_entry"): _TENTH,
    ("inbound_event", "reservation"): _TENTH,
    ("journals", "reservation"): _TENTH,
    ("journals", "payment"): _TENTH,
    ("journals", "allocation"): _TENTH,
    ("journals", "closed_journal"): _TENTH,
    ("check_publishing_all", "ledger_entry"): _TENTH,
    ("check_publishing_all", "reservation"): _TENTH,
    ("check_publishing_all", "allocation"): _TENTH,
}
"""What SQLite looks up, and PostgreSQL too where there is more of it."""
_FOUND_BY: Final[Mapping[str, frozenset[str]]] = {
    "dashboard.check_in_links": frozenset({"ix_reservation_guest"}),
    "dashboard.condition_reports": frozenset(
        {"ix_condition_report_unseen", "ix_reservation_arrival_date"}
    ),
    "dashboard.condition_reports-maintenance": frozenset({"ix_condition_report_unseen"}),
    "owner.statement": frozenset({"ix_allocation_entry_id"}),
}
"""The indexes that a screen needs, since what it looks for is a small part of a table."""
_COUNTS: Final = re.compile(r"SELECT count\(\*\)")
"""How many there are in all is what a list says, and is counted over an index alone."""


class GrownWorld(World):
    """The program over the demo ten times as large, with its rows counted."""

    sessions: Mapping[str, str]
    """The session of whoever looks at a screen, begun while there was one of each person."""


@pytest.fixture
def grown(
    request: pytest.FixtureRequest, database_kind: str, world: World, tmp_path: Path
) -> Iterator[GrownWorld]:
    sessions = {screen.name: session_of(world, screen) for screen in SCREENS if has_reader(screen)}
    world.database.dispose()
    shutil.copytree(world.settings.data_dir, tmp_path, dirs_exist_ok=True)
    settings = settings_of_a_test(tmp_path)
    url: str | URL = settings.database_url
    if database_kind == "postgresql":
        server = request.getfixturevalue("postgresql")
        name = request.getfixturevalue("postgresql_database")
        settings = postgresql_settings(tmp_path, server, name)
        of, url = url, server.superuser_url.set(database=name)
        copy_database(of, url)
    grow_database(url, world.workspace_ids[LIVED_IN], _TIMES)
    app = make_app(settings, FixedClock(NOON))
    app.extensions["pms.database"].refresh_statistics()
    found = GrownWorld(
        app, settings, world.clock, world.workspace_ids, world.people, world.addresses
    )
    found.sessions = sessions
    # As the worker does: a page matches only a few transfers itself.
    renew_verdicts(found.database, FixedClock(NOON), found.workspace_ids[LIVED_IN])
    yield found
    found.database.dispose()


def test_no_page_reads_a_growing_table_whole(grown: GrownWorld) -> None:
    found = []
    allowed = _MAY_READ_ALL
    if grown.database.engine.dialect.name == "postgresql":
        allowed = {**_MAY_READ_ALL, **_CHOSEN_BY_POSTGRESQL}
    large = _large_tables(grown)
    assert {"reservation", "ledger_entry", "ledger_line", "allocation", "telemetry_day"} <= large
    for screen in SCREENS:
        questions = _asked(grown, screen)
        found += [
            f"{screen.name} is not found by {index}" for index in _unused(grown, screen, questions)
        ]
        for statement, values in questions:
            found += [
                f"{screen.name} reads all of {table}: {' '.join(statement.split())[:400]}"
                for table in _read_whole(grown, statement, values) & large
                if (screen.endpoint.partition(".")[2], table) not in allowed
            ]
    assert not found, "\n".join(dict.fromkeys(found))


def _unused(world: GrownWorld, screen: Screen, questions: list[tuple[str, Any]]) -> frozenset[str]:
    """Return the indexes by which SQLite would have to answer a page, and does not."""
    wanted = _FOUND_BY.get(screen.name, frozenset())
    if not wanted or world.database.engine.dialect.name != "sqlite":
        return frozenset()
    with world.database.reading(world.workspace_ids[LIVED_IN]) as session:
        explain = session.connection().exec_driver_sql
        lines = [
            row[3]
            for statement, values in questions
            for row in explain(f"EXPLAIN QUERY PLAN {statement}", values)
        ]
    return wanted - {index for index in wanted for line in lines if f" {index} " in line}


def _large_tables(world: World) -> set[str]:
    from pms.foundation.db import Base

    with world.database.connection_across_workspaces() as connection:
        return {
            name
            for name in Base.metadata.tables
            if connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() >= _MANY
        }


def _asked(world: GrownWorld, screen: Screen) -> list[tuple[str, Any]]:
    """Return the questions that a page asks, with their values."""
    client = world.app.test_client()
    if screen.name in world.sessions:
        client.set_cookie("session", world.sessions[screen.name])
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
