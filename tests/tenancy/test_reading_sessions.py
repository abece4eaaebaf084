"""A session that only reads keeps nobody waiting, and PostgreSQL itself holds it to that."""

from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import DBAPIError

from pms.catalogue.models import Unit
from pms.foundation.database import Database
from tests.cast import Cast

pytestmark = pytest.mark.differs("sessions and connections")


@pytest.mark.parametrize(
    "how", [{}, {"key_share": True}, {"nowait": True}, {"skip_locked": True}, {"of": Unit}]
)
def test_a_shared_question_locks_for_the_writers_alone(
    database: Database, cast: Cast, how: dict[str, Any]
) -> None:
    workspace_id, unit_id = cast.sumida.workspace_id, cast.sumida.free_room_id
    shared = select(Unit).where(Unit.id == unit_id).with_for_update(**how)
    with database.reading(workspace_id) as reader:
        assert reader.scalar(shared) is not None
        with database.writing(workspace_id) as writer:
            row = writer.scalars(shared.with_for_update(nowait=True)).one()
            row.name = "changed"
    with database.reading(workspace_id) as reader:
        assert reader.scalars(shared).one().name == "changed"


def test_postgresql_refuses_what_a_reader_writes(database: Database, cast: Cast) -> None:
    if database.settings.is_sqlite:
        return  # SQLite has no such transaction; there the shells never commit a reader.
    with (
        pytest.raises(DBAPIError, match="read-only transaction"),
        database.reading(cast.sumida.workspace_id) as reader,
    ):
        reader.execute(update(Unit).values(rent_yen=1))
