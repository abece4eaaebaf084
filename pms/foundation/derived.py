"""Writes derived columns beside the columns they follow from, whichever way a row is written."""

from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.orm import Mapper, ORMExecuteState

from pms.foundation.tenancy import (
    OfWorkspace,
    WallTouchedError,
    WorkspaceSession,
    columns_set,
    rows_of,
)


@event.listens_for(OfWorkspace, "before_insert", propagate=True)
@event.listens_for(OfWorkspace, "before_update", propagate=True)
def _derive_object(mapper: Mapper[Any], connection: Connection, row: OfWorkspace) -> None:
    if row.derived_from:
        for column, value in row.derive(_Values(row)).items():
            setattr(row, column, value)


@event.listens_for(WorkspaceSession, "do_orm_execute")
def _derive_rows(state: ORMExecuteState) -> None:
    mapper = state.bind_mapper
    derived_from = getattr(mapper.class_, "derived_from", None) if mapper else None
    if mapper is None or not derived_from:
        return
    if state.is_insert:
        for row in rows_of(state):
            row.update(mapper.class_.derive(row))
    elif state.is_update and _columns_set(state) & derived_from:
        raise WallTouchedError(
            "Columns that others follow from are changed on objects, not in bulk."
        )


def _columns_set(state: ORMExecuteState) -> set[str]:
    return columns_set(state.statement).union(*rows_of(state))


class _Values(dict[str, Any]):
    """Reads the attributes of an object as if they were a row."""

    def __init__(self, row: OfWorkspace) -> None:
        super().__init__()
        self._row = row

    def __missing__(self, column: str) -> Any:
        return getattr(self._row, column)

    def get(self, column: str, default: Any = None) -> Any:
        return getattr(self._row, column, default)
