"""How the rows of each table lead to a building, and the conditions that follow from it."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Table, and_, false, or_, select, true

from pms.foundation.db import Base

BUILDING: Final = "building"


class BuildingPath(NamedTuple):
    """How a row leads to a building: by its own columns, or by rows of other tables that name it.

    Each of `columns` holds the id of a row that leads on, in the end to a building; one that is no
    link says of which table, as in "payee_id:owner". `named_by` are columns of other tables that
    hold the row's own id. A row is of a building if one of them leads
    there. With `or_shared` a row whose columns are empty is of every building.
    """

    columns: tuple[str, ...] = ()
    named_by: tuple[str, ...] = ()
    or_shared: bool = False
    is_shared: bool = False
    """The table belongs to all buildings; `why` says so."""
    is_hidden: bool = False
    """The table belongs to the office as a whole; a member of some buildings finds no row of it."""
    why: str = ""

    @property
    def leads_on(self) -> bool:
        """Whether a row is of certain buildings."""
        return bool(self.columns or self.named_by)


def through(*columns: str, named_by: tuple[str, ...] = (), or_shared: bool = False) -> BuildingPath:
    """Declare a table whose rows are of the building that their columns lead to."""
    return BuildingPath(columns, named_by, or_shared)


def shared(why: str) -> BuildingPath:
    """Declare a table that members of any building read: its rows are of none, and `why`."""
    return BuildingPath(is_shared=True, why=why)


def hidden(why: str) -> BuildingPath:
    """Declare a table of which a member of some buildings finds no row, and `why`."""
    return BuildingPath(is_hidden=True, why=why)


@cache
def model_of(table: Table) -> Any:
    """Return the class that is mapped to a table."""
    return next(each.class_ for each in Base.registry.mappers if each.local_table is table)


@cache
def targets_of(table: Table) -> dict[str, Table]:
    """Return the table that each column of a table's links refers to; the workspace has none."""
    return {
        name: key.referred_table
        for key in table.foreign_key_constraints
        for name in key.column_keys
        if name != "workspace_id"
    }


def leads_to(
    table: Table, column: Callable[[str], Any], workspace_id: Any, building_ids: Any
) -> ColumnElement[bool]:
    """Return the condition that a row of a table is of one of the buildings.

    `column` returns a column of the row by its name. `building_ids` are ids, or an expression of a
    list of them.
    """
    path: BuildingPath | None = model_of(table).building_path
    if path is None or not path.leads_on:
        return true() if path and path.is_shared else false()
    found = [
        _leads_there(target, column(name), workspace_id, building_ids)
        for name, target in _list_steps(table, path)
    ]
    for place in path.named_by:
        name, _, key = place.partition(".")
        other = Base.metadata.tables[name]
        there = leads_to(other, other.c.__getitem__, workspace_id, building_ids)
        naming = select(other.c[key]).where(other.c.workspace_id == workspace_id, there)
        # Without a row that holds none: NULL in the list would make the whole condition unknown.
        naming = naming.where(other.c[key].is_not(None)).correlate(None)
        found.append(column("id").in_(naming))
    if path.or_shared:
        found.append(and_(*(column(name).is_(None) for name, _ in _list_steps(table, path))))
    return or_(*found)


def _list_steps(table: Table, path: BuildingPath) -> Sequence[tuple[str, Table]]:
    """Return the columns of a path with the tables that they lead to."""
    if table.name == BUILDING:
        return [("id", table)]
    steps = []
    for column in path.columns:
        name, _, target = column.partition(":")
        steps.append((name, Base.metadata.tables[target] if target else targets_of(table)[name]))
    return steps


def _leads_there(
    target: Table, value: Any, workspace_id: Any, building_ids: Any
) -> ColumnElement[bool]:
    if target.name == BUILDING:
        return is_listed(value, building_ids)
    there = leads_to(target, target.c.__getitem__, workspace_id, building_ids)
    of_target = select(target.c.id).where(target.c.workspace_id == workspace_id, there)
    found: ColumnElement[bool] = value.in_(of_target.correlate(None))
    return found


def is_listed(column: Any, building_ids: Any) -> ColumnElement[bool]:
    """Return the condition that a column holds one of the ids, given as `leads_to` takes them."""
    found: ColumnElement[bool] = (
        column.op("IN", is_comparison=True)(building_ids)
        if isinstance(building_ids, ColumnElement)
        else column.in_(building_ids)
    )
    return found
