"""Separates workspaces: the second of three walls, between composite keys and row security.

A session may also be bound to some buildings of its workspace: it then sees no row of another, and
stores none that refers to one.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, ClassVar, Final

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    ForeignKey,
    ForeignKeyConstraint,
    Insert,
    Select,
    Table,
    Update,
    and_,
    bindparam,
    event,
    inspect,
    select,
)
from sqlalchemy.engine.interfaces import CoreExecuteOptionsParameter
from sqlalchemy.orm import (
    FromStatement,
    InstrumentedAttribute,
    Mapped,
    Mapper,
    ORMExecuteState,
    Session,
    SessionTransaction,
    UOWTransaction,
    mapped_column,
    with_loader_criteria,
)
from sqlalchemy.sql.base import ExecutableOption

from pms.foundation.building_paths import (
    BUILDING,
    BuildingPath,
    is_listed,
    leads_to,
    model_of,
    targets_of,
)
from pms.foundation.db import READ_ONLY, Id
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import new_id

EVERY_WORKSPACE: Final = "*"


class WallTouchedError(Exception):
    """A programming error: an access to rows of another workspace."""


class OfWorkspace:
    """A table whose rows belong to one workspace: primary key (workspace_id, id)."""

    workspace_id: Mapped[str] = mapped_column(
        Id, ForeignKey("workspace.id", ondelete="CASCADE"), primary_key=True, sort_order=-2
    )
    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id, sort_order=-1)

    building_path: ClassVar[BuildingPath | None] = None
    """How its rows lead to a building, or why they belong to all of them; each table says so."""

    raises_version: ClassVar[str | None] = None
    """The workspace's counter that a change of such a row increments, if any."""

    noun: ClassVar[str] = "record"
    """What refusals call such a row; the catalogues hold its Japanese word."""

    is_referred_to: ClassVar[bool] = False
    """Whether other rows may refer to such a row while a change has it locked."""

    derived_from: ClassVar[frozenset[str]] = frozenset()
    """Columns that `derive` reads."""

    @classmethod
    def derive(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of the columns derived from the row's others."""
        return {}

    @classmethod
    def is_of_buildings(cls, workspace_id: Any, building_ids: Any) -> ColumnElement[bool]:
        """Return the condition that a row is of one of the buildings, or of all of them."""
        if not hasattr(cls, "__table__"):
            # SQLAlchemy asks the class of all tables once, to learn which values the condition has.
            return and_(cls.workspace_id == workspace_id, is_listed(cls.id, building_ids))
        table: Table = cls.__table__
        return leads_to(table, lambda name: getattr(cls, name), workspace_id, building_ids)


class OfEveryone:
    """A table without a workspace: the workspaces themselves and the program's own bookkeeping."""


class WorkspaceItself(OfEveryone):
    """The table of workspaces; a session of one workspace sees only its own row."""

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id, sort_order=-1)

    raises_version: ClassVar[str | None] = None
    """The counter that a change of the workspace's own columns increments."""


def link(column: str, target: str, ondelete: str | None = None) -> ForeignKeyConstraint:
    """Return the foreign key from `column` to `target`, which includes the workspace."""
    return ForeignKeyConstraint(
        ["workspace_id", column], [f"{target}.workspace_id", f"{target}.id"], ondelete=ondelete
    )


def refers_to(column: InstrumentedAttribute[Any], target: type[OfWorkspace]) -> ColumnElement[bool]:
    """Return the condition of a join: `column` holds the id of `target`, in the same workspace."""
    owner = column.parent.entity
    return and_(target.workspace_id == owner.workspace_id, target.id == column)


class WorkspaceSession(Session):
    """A session bound to one workspace for its whole life, or explicitly to all of them.

    With `building_ids` it is bound to these buildings of the workspace too.
    """

    def __init__(
        self,
        *,
        workspace_id: str | None = None,
        building_ids: tuple[str, ...] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.workspace_id, self.building_ids = workspace_id, building_ids
        self._met: tuple[SessionTransaction, Connection] | None = None

    def connection(
        self,
        bind_arguments: Any = None,
        execution_options: CoreExecuteOptionsParameter | None = None,
    ) -> Connection:
        """Return the transaction's connection; a session has one bind, so it has only one."""
        # Prepared statements ask for it each time: SQLAlchemy's own look-up costs more than some of
        # them.
        begun = self.get_transaction()
        if self._met and self._met[0] is begun and self.is_active and execution_options is None:
            return self._met[1]
        found = super().connection(bind_arguments, execution_options)
        begun = self.get_transaction()
        self._met = (begun, found) if begun else None
        return found

    def bulk_save_objects(self, *_: Any, **__: Any) -> None:
        """Refuse: SQLAlchemy's legacy bulk writes fire no events, so nothing would check them."""
        raise WallTouchedError("Write with session.execute(insert(...), rows) instead.")

    bulk_insert_mappings = bulk_save_objects
    bulk_update_mappings = bulk_save_objects


@event.listens_for(WorkspaceSession, "do_orm_execute")
def _scope_statement(state: ORMExecuteState) -> None:
    workspace_id = _bound_workspace_id(state.session)
    if not state.is_orm_statement or isinstance(state.statement, FromStatement):
        raise WallTouchedError("Only mapped classes pass through a session of a workspace.")
    if state.is_insert:
        _stamp_rows(state, workspace_id)
        _refuse_rows_elsewhere(state)
    elif workspace_id != EVERY_WORKSPACE and not _is_follow_up(state):
        _refuse_moving(state, workspace_id)
        state.statement = state.statement.options(*_criteria_of_workspace(workspace_id))
        building_ids = buildings_of(state.session)
        if building_ids is not None:
            _refuse_rows_elsewhere(state)
            state.statement = state.statement.options(
                _criteria_of_buildings(workspace_id, building_ids)
            )


def only_reads(connection: Connection) -> bool:
    """Whether a connection's transactions never write."""
    return bool(connection.get_execution_options().get(READ_ONLY, False))


def _is_follow_up(state: ORMExecuteState) -> bool:
    # Loads that follow from a filtered load carry its criteria already.
    return state.is_column_load or state.is_relationship_load


def workspace_of(session: object) -> str:
    """Return the one workspace a session is bound to."""
    workspace_id = _bound_workspace_id(session)
    if workspace_id == EVERY_WORKSPACE:
        raise WallTouchedError("This session is bound to every workspace.")
    return workspace_id


def buildings_of(session: object) -> tuple[str, ...] | None:
    """Return the buildings that a session is bound to; `None` where it sees all of them."""
    found: tuple[str, ...] | None = getattr(session, "building_ids", None)
    return found


def _bound_workspace_id(session: object) -> str:
    workspace_id = getattr(session, "workspace_id", None)
    if workspace_id is None:
        raise WallTouchedError("This session is bound to no workspace.")
    return str(workspace_id)


@lru_cache(maxsize=1024)
def _criteria_of_workspace(workspace_id: str) -> tuple[ExecutableOption, ExecutableOption]:
    return (
        with_loader_criteria(
            OfWorkspace, lambda cls: cls.workspace_id == workspace_id, include_aliases=True
        ),
        with_loader_criteria(
            WorkspaceItself, lambda cls: cls.id == workspace_id, include_aliases=True
        ),
    )


@lru_cache(maxsize=1024)
def _criteria_of_buildings(workspace_id: str, building_ids: tuple[str, ...]) -> ExecutableOption:
    return with_loader_criteria(
        OfWorkspace,
        lambda cls: cls.is_of_buildings(workspace_id, building_ids),
        include_aliases=True,
    )


OWN_WORKSPACE: Final = "own_workspace_id"


def add_wall(statement: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Return a statement with the workspace condition; bind `OWN_WORKSPACE` when it runs."""
    own: BindParameter[str] = bindparam(OWN_WORKSPACE)
    return statement.options(
        with_loader_criteria(
            OfWorkspace,
            lambda cls: cls.workspace_id == own,
            include_aliases=True,
            track_closure_variables=False,
        ),
        with_loader_criteria(
            WorkspaceItself,
            lambda cls: cls.id == own,
            include_aliases=True,
            track_closure_variables=False,
        ),
    )


def add_building_wall(
    statement: Select[*tuple[Any, ...]], own_buildings: ColumnElement[Any]
) -> Select[*tuple[Any, ...]]:
    """Return a statement of `add_wall` with the condition of buildings; the list is bound too."""
    own: BindParameter[str] = bindparam(OWN_WORKSPACE)
    return statement.options(
        with_loader_criteria(
            OfWorkspace,
            lambda cls: cls.is_of_buildings(own, own_buildings),
            include_aliases=True,
            track_closure_variables=False,
        )
    )


def _refuse_moving(state: ORMExecuteState, workspace_id: str) -> None:
    """Refuse to change `workspace_id`: loader criteria check no new values of an update."""
    if state.is_update:
        if "workspace_id" in list_set_columns(state.statement):
            raise WallTouchedError("A row stays in its workspace.")
        if any(row.get("workspace_id", workspace_id) != workspace_id for row in rows_of(state)):
            raise WallTouchedError("A row names another workspace.")
    if state.is_update or state.is_delete:
        mapper = state.bind_mapper
        if mapper and not issubclass(mapper.class_, OfWorkspace | WorkspaceItself):
            raise WallTouchedError(f"{mapper.class_.__name__} is written across workspaces only.")


def list_set_columns(statement: object) -> set[str]:
    """Return the names of the columns an update statement sets.

    SQLAlchemy exposes them only in a private attribute; without this check an update could move a
    row to another workspace.
    """
    given: Mapping[Any, Any] = {}
    if isinstance(statement, Update) and statement._values:
        given = statement._values
    return {getattr(column, "key", column) for column in given}


def _stamp_rows(state: ORMExecuteState, workspace_id: str) -> None:
    # Values in an insert statement itself override the stamped rows, and are exposed only in
    # private attributes.
    statement = state.statement
    if isinstance(statement, Insert) and (statement._values or statement._multi_values):
        raise WallTouchedError("Rows of a bulk insert are handed over as parameters.")
    if isinstance(statement, Insert) and statement.select is not None:
        raise WallTouchedError("Rows of a bulk insert are handed over, never selected.")
    mapper = state.bind_mapper
    if workspace_id == EVERY_WORKSPACE or mapper is None:
        return
    if not issubclass(mapper.class_, OfWorkspace):
        raise WallTouchedError(f"{mapper.class_.__name__} is written across workspaces only.")
    for row in rows_of(state):
        if row.setdefault("workspace_id", workspace_id) != workspace_id:
            raise WallTouchedError("A row names another workspace.")


def rows_of(state: ORMExecuteState) -> list[dict[str, Any]]:
    """Return the rows of a bulk insert, as the very dictionaries that are written."""
    rows: Any = state.parameters
    return rows if isinstance(rows, list) else [rows or {}]


@event.listens_for(WorkspaceSession, "before_flush")
def _stamp_objects(session: Session, flush: UOWTransaction, instances: Any) -> None:
    workspace_id = _bound_workspace_id(session)
    if workspace_id == EVERY_WORKSPACE:
        return
    touched: Iterable[object] = (*session.new, *session.dirty, *session.deleted)
    for row in touched:
        if isinstance(row, OfWorkspace):
            if row.workspace_id is None:
                row.workspace_id = workspace_id
            elif row.workspace_id != workspace_id:
                raise WallTouchedError("A row names another workspace.")
        elif row not in session.dirty or getattr(row, "id", None) != workspace_id:
            raise WallTouchedError(f"{type(row).__name__} is written across workspaces only.")

    if buildings_of(session) is not None:
        _refuse_objects_elsewhere(session)


class ReferredRows(defaultdict[Table, set[str]]):
    """The ids of the rows that are referred to by what is written, by table."""

    def __init__(self) -> None:
        super().__init__(set)

    def add_row(self, model: Any, values: Mapping[str, Any], *, is_whole: bool) -> None:
        """Add what a row's columns refer to; raise `Refused` for a whole row of no building."""
        path: BuildingPath | None = model.building_path
        if is_whole and path and path.columns and not path.named_by:
            is_building = model.__tablename__ == BUILDING
            own = (values.get(name.partition(":")[0]) for name in path.columns)
            if is_building or all(id_ is None for id_ in own):
                raise Refused("building: you work for certain buildings. Choose one of them.")
        for name, target in targets_of(model.__table__).items():
            leads_on = getattr(model_of(target), "building_path", None)
            if values.get(name) is not None and leads_on and leads_on.leads_on:
                self[target].add(values[name])

    def refuse_elsewhere(self, session: Session) -> None:
        """Raise `NotFound` for a row that is not of the session's buildings."""
        bound = workspace_of(session), buildings_of(session)
        # What is stored in this very flush was checked with it.
        for row in session.new:
            if isinstance(row, OfWorkspace) and row.__table__ in self:  # type: ignore[attr-defined]  # a mapped class
                self[row.__table__].discard(row.id)  # type: ignore[attr-defined]  # a mapped class
        for table, ids in self.items():
            wanted = select(table.c.id).where(
                table.c.workspace_id == bound[0],
                table.c.id.in_(ids),
                leads_to(table, table.c.__getitem__, *bound),
            )
            if ids - set(session.connection().scalars(wanted)):
                raise no_such(model_of(table).noun)


def _refuse_objects_elsewhere(session: Session) -> None:
    """Refuse rows of other buildings, and links to them, in what a flush stores."""
    referred = ReferredRows()
    for row in session.new:
        if isinstance(row, OfWorkspace):
            referred.add_row(type(row), vars(row), is_whole=True)
    for row in (*session.dirty, *session.deleted):
        if isinstance(row, OfWorkspace) and row.building_path:
            changed = {each.key for each in inspect(row).attrs if each.history.added}
            if row.building_path.or_shared:
                # One that is of no building is of all: only whom they all concern changes it.
                own = {name: getattr(row, name) for name in row.building_path.columns}
                referred.add_row(type(row), own, is_whole=True)
            values = {name: getattr(row, name) for name in changed}
            referred.add_row(type(row), values, is_whole=False)
    referred.refuse_elsewhere(session)


def _refuse_rows_elsewhere(state: ORMExecuteState) -> None:
    """Refuse rows of other buildings, and links to them, in what a statement stores."""
    mapper = state.bind_mapper
    if buildings_of(state.session) is None or mapper is None or state.is_delete or state.is_select:
        return
    if not issubclass(mapper.class_, OfWorkspace):
        return
    referred = ReferredRows()
    for row in rows_of(state):
        referred.add_row(mapper.class_, row, is_whole=state.is_insert)
        # An update of many rows by their ids has no condition that could hold the wall.
        if state.is_update and "id" in row and mapper.class_.building_path is not None:
            referred[mapper.class_.__table__].add(row["id"])  # type: ignore[attr-defined]  # a mapped class
    if isinstance(state.statement, Update) and state.statement._values:
        values = {
            str(getattr(column, "key", column)): getattr(value, "value", None)
            for column, value in state.statement._values.items()
        }
        referred.add_row(mapper.class_, values, is_whole=False)
    referred.refuse_elsewhere(state.session)


@event.listens_for(WorkspaceSession, "after_begin")
def _tell_database(session: Session, transaction: SessionTransaction, connection: Any) -> None:
    if connection.dialect.name == "postgresql":
        announce(connection, _bound_workspace_id(session), read_only=only_reads(connection))


_WHOSE = "SELECT set_config('app.workspace', %s, %s)"


def announce(
    connection: Any, workspace_id: str, *, for_good: bool = False, read_only: bool = False
) -> None:
    """Set the workspace of PostgreSQL's row security for this transaction.

    `for_good` sets it for the life of a connection that is never shared; `read_only` makes the
    database refuse writes and locks in this transaction.
    """
    asked = f"{_WHOSE}, set_config('transaction_read_only', 'on', true)" if read_only else _WHOSE
    connection.exec_driver_sql(asked, (workspace_id, not for_good)).close()


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
    elif (
        state.is_update and list_set_columns(state.statement).union(*rows_of(state)) & derived_from
    ):
        raise WallTouchedError(
            "Columns that others follow from are changed on objects, not in bulk."
        )


class _Values(dict[str, Any]):
    """Reads the attributes of an object as a row's columns."""

    def __init__(self, row: OfWorkspace) -> None:
        super().__init__()
        self._row = row

    def __missing__(self, column: str) -> Any:
        return getattr(self._row, column)

    def get(self, column: str, default: Any = None) -> Any:
        return getattr(self._row, column, default)
