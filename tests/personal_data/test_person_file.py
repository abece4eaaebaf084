"""Everything about one person is one file: rows, sealed texts in plain, stored files."""

import csv
import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import select

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.personal_data.person_file import export_person
from pms.personal_data.person_records import find_records, name_records
from pms.personal_data.person_rows import models, referring
from tests.cast import Cast
from tests.personal_data.conftest import EMAIL, RESUME, Hanako
from tests.staff import Browser
from tests.surfaces.command_line.conftest import Operator, operator

__all__ = ["operator"]


class Exporter:
    """Exports people of Sumida, and reads the ZIP."""

    def __init__(self, settings: Settings, database: Database, clock: FixedClock) -> None:
        self.settings, self.database, self.clock = settings, database, clock

    def __call__(self, workspace_id: str, references: Sequence[str]) -> zipfile.ZipFile:
        with self.database.writing(workspace_id) as session:
            found = export_person(Work(session, self.clock, "person/aoi"), references)
        parts = list(found.stream(Files(self.settings)))
        assert all(parts)
        return zipfile.ZipFile(io.BytesIO(b"".join(parts)))


@pytest.fixture
def export(settings: Settings, database: Database, clock: FixedClock) -> Exporter:
    return Exporter(settings, database, clock)


def tables_of(packed: zipfile.ZipFile) -> dict[str, list[dict[str, Any]]]:
    assert packed.testzip() is None
    found: dict[str, list[dict[str, Any]]] = json.loads(packed.read("person.json"))
    return found


def test_a_person_is_found_by_address_telephone_and_part_of_the_name(
    database: Database, hanako: Hanako
) -> None:
    with database.reading(hanako.workspace_id) as session:
        for text in (f" {EMAIL.upper()} ", "090-0000-0001", "花子"):
            found = {record.reference for record in find_records(session, text)}
            assert found >= set(hanako.references), text
        assert find_records(session, "%") == []
        assert find_records(session, "  ") == ()
        assert set(name_records(session, [EMAIL])) == set(hanako.references)
        with pytest.raises(NotFound):
            name_records(session, ["nobody@example.jp"])


def test_the_file_has_all_rows_sealed_texts_in_plain_and_the_stored_files(
    export: Exporter, hanako: Hanako
) -> None:
    packed = export(hanako.workspace_id, hanako.references)
    tables = tables_of(packed)
    wanted = {"reservation", "enquiry", "lead", "ticket", "ticket_message", "payee_account"}
    assert wanted <= set(tables)
    assert tables["payee_account"][0]["number"] == "7654321"
    assert [row["text"] for row in tables["ticket_message"]] == ["台所です。"]
    (name,) = tables["lead"][0]["resume_key"]
    assert packed.read(name) == RESUME
    for table in set(tables):
        text = packed.read(f"{table}.csv").decode("utf-8-sig")
        assert len(list(csv.DictReader(io.StringIO(text)))) == len(tables[table])
    whole = packed.read("person.json").decode()
    assert "workspace_id" not in whole
    assert '"search_text"' not in whole


def test_nothing_of_anybody_else_is_in_the_file(
    export: Exporter, hanako: Hanako, cast: Cast
) -> None:
    tables = tables_of(export(hanako.workspace_id, hanako.references[:1]))
    assert [row["id"] for row in tables["reservation"]] == [hanako.reservation_id]
    assert "enquiry" not in tables
    assert not {"task", "unit", "building"} & set(tables)
    owner = tables_of(export(hanako.workspace_id, [f"owner/{cast.sumida.owner_id}"]))
    assert "reservation" not in owner
    with pytest.raises(NotFound):
        export(cast.minato.workspace_id, hanako.references[:1])
    with pytest.raises(NotFound):
        export(hanako.workspace_id, [f"unit/{cast.sumida.free_room_id}"])


def test_the_audit_has_that_it_left(export: Exporter, hanako: Hanako, database: Database) -> None:
    export(hanako.workspace_id, hanako.references)
    with database.reading(hanako.workspace_id) as session:
        noted = session.execute(
            select(AuditRecord.subject_kind, AuditRecord.actor).where(
                AuditRecord.audit_event == "person.exported"
            )
        )
        assert sorted(map(tuple, noted)) == [
            ("enquiry", "person/aoi"),
            ("lead", "person/aoi"),
            ("reservation", "person/aoi"),
        ]


def test_every_table_that_refers_to_a_reservation_is_reached() -> None:
    reached, waiting = set(), ["reservation"]
    while waiting:
        table = waiting.pop()
        reached.add(table)
        further = {reference.table for reference in referring().get(table, ())}
        waiting += further - reached - {"task"}
    named = {
        name for name, model in models().items() if "reservation_id" in model.__table__.columns
    }
    assert named - reached == set()


def test_the_page_finds_a_person_and_gives_the_file(
    operator_browser: Browser, hanako: Hanako
) -> None:
    page = operator_browser.get(f"/personal-data?q={EMAIL}&lang=en").text
    assert page.count("checked") == 3
    refused = operator_browser.post("/personal-data/file?lang=en", {"q": EMAIL})
    assert refused.status_code == 422
    assert "Select at least one record" in refused.text or "select at least one" in refused.text
    answer = operator_browser.post("/personal-data/file", {"records": hanako.references})
    assert answer.mimetype == "application/zip"
    assert "attachment" in answer.headers["Content-Disposition"]
    assert "reservation" in tables_of(zipfile.ZipFile(io.BytesIO(answer.data)))


def test_the_command_finds_and_exports(
    operator: Operator, hanako: Hanako, settings: Settings
) -> None:
    found = operator.asks(f"person find {EMAIL}")
    assert {row["record"] for row in found} == set(hanako.references)
    path = settings.data_dir / "person.zip"
    told = operator.types(f"person export {EMAIL} --to {path} --workspace sumida")
    assert told.code == 0, told.err
    assert path.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(path) as packed:
        assert "lead" in tables_of(packed)
    assert "already" in operator.is_refused(f"person export {EMAIL} --to {path}")
