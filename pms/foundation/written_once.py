"""Has the database refuse to change rows that are written once; for migrations."""

from alembic import op

from pms.foundation.row_security import is_postgresql

_FUNCTION = """CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE'
            AND NOT EXISTS (SELECT FROM workspace WHERE id = OLD.workspace_id) THEN
            RETURN OLD;
        END IF;
        RAISE EXCEPTION 'written_once: %', TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation';
    END $$"""
# Only a workspace that goes as a whole takes its rows along.
_UNLESS_ALL_GOES = "WHEN EXISTS (SELECT 1 FROM workspace WHERE id = OLD.workspace_id)"


def refuse_changes(table: str) -> None:
    """Refuse to change or delete a row of the table from now on."""
    if is_postgresql():
        op.execute(_FUNCTION)
        op.execute(
            f"CREATE TRIGGER written_once BEFORE UPDATE OR DELETE ON {table}"
            " FOR EACH ROW EXECUTE FUNCTION refuse_change()"
        )
        return
    for moment, condition in (("UPDATE", ""), ("DELETE", _UNLESS_ALL_GOES)):
        op.execute(
            f"CREATE TRIGGER {table}_written_once_{moment.lower()} BEFORE {moment} ON {table}"
            f" {condition} BEGIN SELECT RAISE(ABORT, 'written_once: {table}'); END"
        )


def allow_changes(table: str) -> None:
    """Take the refusal back, for a migration downwards."""
    if is_postgresql():
        op.execute(f"DROP TRIGGER written_once ON {table}")
        return
    for moment in ("update", "delete"):
        op.execute(f"DROP TRIGGER {table}_written_once_{moment}")
