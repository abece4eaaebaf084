"""The rows about a person in every table: those that refer to a record of the person, and so on."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import inspect, select
from sqlalchemy.orm import InstrumentedAttribute, Session

import pms.tables  # noqa: F401 - it makes every table known
from pms.foundation.db import Base
from pms.foundation.prepared import one_of
from pms.personal_data.person_records import PersonRecord

Rows = Mapping[str, frozenset[str]]
"""The ids of rows by their table."""
# What hangs on these is about houses and work, not about the person they are connected with.
_CLOSED: Final = frozenset({"task", "building", "unit"})
_NOT_FOLLOWED: Final = frozenset(
    {
        # Found to be of one person by a machine: each is a record of its own.
        ("enquiry", "duplicate_of_id"),
        # Several residents may have reported the same; each has a conversation of their own.
        ("ticket", "request_id"),
        # Everybody who stays is a record of their own.
        ("guest_registration", "link_id"),
    }
)
# A row that is referred to, and that is about nobody else.
_UPWARDS: Final = (
    ("bank_placement", "transfer_id", "bank_transfer"),
    ("viewing_of_enquiry", "viewing_id", "viewing"),
    # Of an application that was not accepted nothing else refers to them.
    ("reservation_link", "people_id", "contract_people"),
    ("reservation_link", "screening_id", "screening"),
    ("reservation_link", "explanation_id", "prior_explanation"),
)
# What owners are told and paid, by their buildings.
_OF_OWNED_BUILDINGS: Final = ("owner_terms", "master_lease", "owner_statement", "owner_deduction")


class Reference(NamedTuple):
    """A column that refers to a row of another table."""

    table: str
    column: InstrumentedAttribute[Any]


@cache
def models() -> Mapping[str, Any]:
    """Return the classes of all tables of workspaces by their names."""
    return {
        mapper.local_table.name: mapper.class_  # type: ignore[attr-defined]  # it is a table here
        for mapper in Base.registry.mappers
        if "workspace_id" in mapper.columns
    }


@cache
def referring() -> Mapping[str, tuple[Reference, ...]]:
    """Return the columns that refer to each table, by its name."""
    found: defaultdict[str, list[Reference]] = defaultdict(list)
    for name, model in models().items():
        for key in inspect(model).local_table.foreign_key_constraints:
            columns = [column for column in key.columns if column.name != "workspace_id"]
            if columns and (name, columns[0].name) not in _NOT_FOLLOWED:
                attribute = inspect(model).get_property_by_column(columns[0]).class_attribute
                found[key.referred_table.name].append(Reference(name, attribute))
    return {name: tuple(references) for name, references in found.items()}


def find_rows(session: Session, records: Iterable[PersonRecord]) -> Rows:
    """Return all rows about the person who has these records, the records included."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    waiting: defaultdict[str, set[str]] = defaultdict(set)
    for record in records:
        waiting[record.kind].add(record.id)
    while waiting:
        table, ids = waiting.popitem()
        new = ids - found[table]
        found[table] |= new
        if not new or table in _CLOSED:
            continue
        for name, column in _list_ways(session, table, new):
            model = models()[name]
            linked = session.scalars(select(model.id).where(column))
            waiting[name] |= set(linked) - found[name]
            if not waiting[name]:
                del waiting[name]
    return {table: frozenset(ids) for table, ids in found.items() if ids}


def _list_ways(session: Session, table: str, ids: set[str]) -> Iterable[tuple[str, Any]]:
    """Yield the tables with further rows, and the condition that finds them."""
    for name, column in referring().get(table, ()):
        if name not in _CLOSED:
            yield name, one_of(column, ids)
    for start, key, target in _UPWARDS:
        if start == table:
            model = models()[start]
            column = getattr(model, key)
            linked = session.scalars(
                select(column).where(one_of(model.id, ids), column.is_not(None))
            )
            yield target, one_of(models()[target].id, set(linked))
    if table == "owner":
        building = models()["building"]
        owned = set(session.scalars(select(building.id).where(one_of(building.owner_id, ids))))
        for name in _OF_OWNED_BUILDINGS:
            yield name, one_of(models()[name].building_id, owned)
