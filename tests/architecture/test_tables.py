"""The tables carry the first wall: keys that hold the workspace, and links that cannot leave it."""

from collections.abc import Iterator

from sqlalchemy import Column, ForeignKeyConstraint, Integer, MetaData, Table

from pms.tables import metadata

OF_EVERYONE = {"workspace", "heartbeat", "job_slot"} | {
    "person",
    "auth_session",
    "sign_in_code",
    "auth_tries",
    "workspace_opening",
    "kept_form",
    "sign_in_event",
}


def loose_keys(tables: MetaData) -> Iterator[str]:
    """Each table of a workspace whose key is not (workspace_id, id), each link that may leave."""
    for table in tables.sorted_tables:
        if table.name in OF_EVERYONE:
            continue
        if [column.name for column in table.primary_key] != ["workspace_id", "id"]:
            yield f"{table.name}: the primary key is not (workspace_id, id)"
        for key in table.foreign_key_constraints:
            if key.referred_table.name not in OF_EVERYONE:
                yield from _loose_link(table, key)


def _loose_link(table: Table, key: ForeignKeyConstraint) -> Iterator[str]:
    pairs = [(element.parent.name, element.column.name) for element in key.elements]
    name = f"{table.name}.{', '.join(key.column_keys)}"
    if ("workspace_id", "workspace_id") not in pairs:
        yield f"{name}: the link does not carry workspace_id"
    # SET NULL would also empty workspace_id.
    if (key.ondelete or "").upper().startswith("SET"):
        yield f"{name}: ON DELETE {key.ondelete} would touch workspace_id"


def test_every_table_of_a_workspace_is_keyed_and_linked_by_it() -> None:
    assert list(loose_keys(metadata)) == []


def test_every_table_of_a_workspace_leads_to_its_workspace() -> None:
    for table in metadata.sorted_tables:
        if table.name not in OF_EVERYONE:
            targets = {key.target_fullname for key in table.columns["workspace_id"].foreign_keys}
            assert "workspace.id" in targets, table.name


def test_planted_loose_tables_are_found() -> None:
    planted = MetaData()
    Table(
        "parent",
        planted,
        Column("workspace_id", Integer, primary_key=True),
        Column("id", Integer, primary_key=True),
    )
    Table(
        "child",
        planted,
        Column("id", Integer, primary_key=True),
        Column("workspace_id", Integer),
        Column("parent_id", Integer),
        ForeignKeyConstraint(["parent_id"], ["parent.id"], ondelete="SET NULL"),
    )
    assert list(loose_keys(planted)) == [
        "child: the primary key is not (workspace_id, id)",
        "child.parent_id: the link does not carry workspace_id",
        "child.parent_id: ON DELETE SET NULL would touch workspace_id",
    ]
