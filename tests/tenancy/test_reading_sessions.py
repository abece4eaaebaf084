"""A session that only reads keeps nobody waiting, and PostgreSQL itself holds it to that."""

from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import DBAPIError

from pms.catalogue.models import Unit
from pms.foundation.database import Database
from tests.cast import Cast

pytestmark = pytest.mark.differs("sessions and connections")


def test_a_reader_keeps_no_writer_waiting(database: Database, cast: Cast) -> None:
    workspace_id, unit_id = cast.sumida.workspace_id, cast.sumida.free_room_id
    asked = select(Unit).where(Unit.id == unit_id)
    with database.reading(workspace_id) as reader:
        assert reader.scalar(asked) is not None
        with database.writing(workspace_id) as writer:
            row = writer.scalars(asked.with_for_update(nowait=True)).one()
            row.name = "changed"
    with database.reading(workspace_id) as reader:
        assert reader.scalars(asked).one().name == "changed"


@pytest.mark.parametrize(
    "statement", [update(Unit).values(rent_yen=1), select(Unit).with_for_update()]
)
def test_postgresql_refuses_what_a_reader_writes_or_locks(
    database: Database, cast: Cast, statement: Any
) -> None:
    if database.settings.is_sqlite:
        return  # SQLite has no such transaction; there the shells never commit a reader.
    with (
        pytest.raises(DBAPIError, match="read-only transaction"),
        database.reading(cast.sumida.workspace_id) as reader,
    ):
        reader.execute(statement)
