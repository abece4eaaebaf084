"""Files that no row names are deleted after a week; what a row or a removal names stays."""

import os
import re
from datetime import timedelta

import pytest
from sqlalchemy import Table

from pms.catalogue.models import Photo
from pms.catalogue.photos import put_back_photo, remove_photo
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.db import Base
from pms.foundation.files import Files, columns_with_files
from pms.foundation.readiness import SWEEP, last_done, take_slot
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools
from pms.jobs.worker import TIMETABLE, enter, open_queue
from tests.cast import Cast

pytestmark = pytest.mark.differs("sessions across workspaces and JSON")

_NAMES = re.compile(r"(\w*_)?file_key|files|media_key|resume_key|attachments")


@pytest.fixture
def files(settings: Settings) -> Files:
    return Files(settings)


def aged(settings: Settings, key: str, clock: FixedClock, days: int) -> str:
    """Let a file be stored some days ago."""
    then = (clock.now() - timedelta(days=days)).timestamp()
    os.utime(settings.files_dir / key[:2] / key, (then, then))
    return key


def swept(settings: Settings, database: Database, clock: FixedClock) -> int:
    """Run the job as the worker does, and return the count that it noted."""
    take_slot(database, SWEEP, clock.today().isoformat(), clock)
    queue = open_queue(settings)
    tools = Tools(settings, database, clock, choose_postbox(settings))
    (entry,) = (entry for entry in TIMETABLE if entry.name == SWEEP)
    enter(queue, tools, [entry])
    (task,) = queue.read_periodic(None)
    queue.execute(task)
    queue.storage.close()
    with database.across_workspaces_reading() as session:
        noted = last_done(session, SWEEP)
    assert noted is not None
    return noted[1]


def test_only_old_files_that_nothing_names_are_deleted(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast, files: Files
) -> None:
    kept = [files.put(f"named {number}".encode(), "webp") for number in range(2)]
    with database.writing(cast.sumida.workspace_id) as session:
        photo = session.get_one(Photo, (cast.sumida.workspace_id, cast.sumida.photo_id))
        photo.files = {"400": kept[0], "1600": kept[1]}
    unnamed = files.put(b"of a form that was not sent", "webp")
    sealed = files.put_alone(b"of a process that was killed", "pdf")
    young = files.put(b"of a form that is being filled in", "webp")
    for key in (*kept, unnamed, sealed):
        aged(settings, key, clock, 8)
    aged(settings, young, clock, 6)
    assert swept(settings, database, clock) == 2
    assert [files.get(key) is not None for key in (*kept, unnamed, sealed, young)] == [
        *(True, True, False, False, True)
    ]


def test_a_photo_that_was_removed_can_be_put_back_long_after(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast, files: Files
) -> None:
    key = aged(settings, files.put(b"a room", "webp"), clock, 8)
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        photo = session.get_one(Photo, (house.workspace_id, house.photo_id))
        photo.files = {"400": key}
        session.flush()
        remove_photo(Work(session, clock, "office"), photo_id=house.photo_id)
    assert swept(settings, database, clock) == 0
    with database.writing(house.workspace_id) as session:
        put_back_photo(Work(session, clock, "office"), photo_id=house.photo_id)
    assert files.get(key) == b"a room"


def test_every_column_that_is_named_after_files_is_marked() -> None:
    marked = {column.property.columns[0] for column in columns_with_files()}
    tables = [mapper.local_table for mapper in Base.registry.mappers]
    named = [
        column
        for table in tables
        if isinstance(table, Table)
        for column in table.columns
        if _NAMES.fullmatch(column.name)
    ]
    assert len(named) >= 12
    assert [str(column) for column in named if column not in marked] == []
