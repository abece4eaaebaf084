"""Everything of a workspace leaves as sheets and files, made by the worker and kept for a while."""

import csv
import io
import zipfile
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from python_calamine import CalamineWorkbook
from sqlalchemy import select
from werkzeug.test import TestResponse

from pms.arrivals.takeover.reading import read_takeover
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.runs import Run, run_record
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools, do_asked_runs
from pms.jobs.workspace_export import NOUNS, export_to_folder, forget_exports
from pms.rules.audit_events import AuditEvent
from tests.cast import Cast
from tests.staff import Browser, Staff, open_browser


@pytest.fixture
def operator(app: Flask, clock: FixedClock, staff: Staff, cast: Cast) -> Browser:
    return open_browser(app, clock, staff.operator_id, cast.sumida.slug)


@pytest.fixture
def office(app: Flask, clock: FixedClock, staff: Staff, cast: Cast) -> Browser:
    return open_browser(app, clock, staff.office_id, cast.sumida.slug)


def made(operator: Browser, database: Database, clock: FixedClock, cast: Cast) -> Run:
    answer = operator.post("/settings/export", {})
    assert answer.status_code == 303
    run_id = urlsplit(answer.location).path.rpartition("/")[2]
    settings = database.settings
    do_asked_runs(Tools(settings, database, clock, choose_postbox(settings)))
    with database.reading(cast.sumida.workspace_id) as session:
        run = run_record(session, run_id)
        session.expunge(run)
    return run


def file_of(browser: Browser, run: Run, number: int) -> TestResponse:
    return browser.get(f"/settings/export/{run.id}/file?name={run.result['files'][number]['name']}")


def test_an_operator_gets_every_sheet_and_nobody_elses_rows(
    operator: Browser,
    database: Database,
    clock: FixedClock,
    cast: Cast,
) -> None:
    run = made(operator, database, clock, cast)
    assert run.finished_at is not None
    assert run.done == run.total > len(NOUNS)
    assert [one["name"].rpartition(".")[2] for one in run.result["files"][:2]] == ["xlsx", "zip"]
    book = file_of(operator, run, 0)
    assert book.status_code == 200
    sheets = CalamineWorkbook.from_filelike(io.BytesIO(book.data))
    assert sheets.sheet_names == ["contracts", *(noun.name for noun in NOUNS)]
    packed = zipfile.ZipFile(io.BytesIO(file_of(operator, run, 1).data))
    texts = {name: packed.read(name).decode("utf-8-sig") for name in packed.namelist()}
    assert set(texts) == {f"{name}.csv" for name in sheets.sheet_names}
    assert cast.sumida.resident_id in texts["people.csv"]
    whole = "".join(texts.values())
    assert not [id_ for id_ in cast.minato.ids if id_ in whole]
    assert len(list(csv.reader(io.StringIO(texts["units.csv"])))) == 1 + 4
    assert operator.get(f"/settings/export/{run.id}/file?name=x").status_code == 303


def test_the_workbook_is_read_back_by_the_take_over(
    operator: Browser,
    database: Database,
    clock: FixedClock,
    cast: Cast,
) -> None:
    run = made(operator, database, clock, cast)
    book = file_of(operator, run, 0).data
    read = read_takeover(book, "everything.xlsx", clock.today())
    assert {one.people[0].name for one in read.tenancies} >= {"佐藤 花子"}
    assert len(read.units) == 4


def test_the_office_and_strangers_get_nothing(
    operator: Browser,
    office: Browser,
    database: Database,
    clock: FixedClock,
    cast: Cast,
) -> None:
    run = made(operator, database, clock, cast)
    assert file_of(office, run, 0).status_code == 403
    assert office.post("/settings/export", {}).status_code == 403


def test_making_and_taking_it_are_in_the_audit_log(
    operator: Browser,
    database: Database,
    clock: FixedClock,
    cast: Cast,
) -> None:
    run = made(operator, database, clock, cast)
    file_of(operator, run, 1)
    with database.reading(cast.sumida.workspace_id) as session:
        audit_events = set(session.scalars(select(AuditRecord.audit_event)))
    assert {AuditEvent.WORKSPACE_EXPORTED, AuditEvent.EXPORT_DOWNLOADED} <= audit_events


def test_the_files_are_deleted_after_seven_days(
    operator: Browser,
    database: Database,
    settings: Settings,
    clock: FixedClock,
    cast: Cast,
) -> None:
    run = made(operator, database, clock, cast)
    keys = [one["key"] for one in run.result["files"]]
    clock.advance(timedelta(days=6))
    forget_exports(database, clock)
    assert all(Files(settings).get(key) for key in keys)
    clock.advance(timedelta(days=2))
    forget_exports(database, clock)
    assert not any(Files(settings).get(key) for key in keys)
    with database.reading(cast.sumida.workspace_id) as session:
        assert run_record(session, run.id).result["files"] == []


def test_the_command_writes_the_same_files_into_a_folder(
    database: Database, clock: FixedClock, cast: Cast, tmp_path: Path
) -> None:
    lines: list[tuple[int, int]] = []
    written = export_to_folder(
        database,
        clock,
        "command line",
        cast.sumida.workspace_id,
        folder=tmp_path / "out",
        tell=lambda done, of: lines.append((done, of)),
    )
    assert {path.name for path in (tmp_path / "out").iterdir()} == {one["file"] for one in written}
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "out").iterdir())
    assert lines[-1][0] == lines[-1][1]
