"""The third wall: PostgreSQL shows and takes only rows of the workspace it was told about."""

from alembic import op

from pms.foundation.db import APP_ROLE
from pms.foundation.tenancy import EVERY_WORKSPACE

_TOLD = "current_setting('app.workspace', true)"
_OWN = f"nullif(nullif({_TOLD}, ''), '{EVERY_WORKSPACE}')::uuid"


def is_postgresql() -> bool:
    """Tell whether the migration at work runs on PostgreSQL."""
    return op.get_context().dialect.name == "postgresql"


def create_app_role() -> None:
    """Make the role the program runs as, and let it reach the tables it may not own."""
    op.execute(
        f"""DO $$ BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
                CREATE ROLE {APP_ROLE} NOLOGIN;
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END $$"""
    )
    op.execute(
        # For one login doing both. PostgreSQL 16 makes the role's maker a member that may not
        # take it on, so membership is no test; an owner who may not grant leaves it to the
        # login of the program.
        f"""DO $$ BEGIN
            EXECUTE format('GRANT {APP_ROLE} TO %I', current_user);
        EXCEPTION WHEN insufficient_privilege OR invalid_grant_operation THEN NULL;
        END $$"""
    )
    op.execute(f"GRANT USAGE ON SCHEMA public TO {APP_ROLE}")
    op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {APP_ROLE}")
    op.execute(
        "ALTER DEFAULT PRIVILEGES IN SCHEMA public"
        f" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {APP_ROLE}"
    )


def wall_off(table: str, column: str = "workspace_id") -> None:
    """Put row security on a table, for its owner too."""
    op.execute(f'ALTER TABLE "{table}" ENABLE ROW LEVEL SECURITY')
    op.execute(f'ALTER TABLE "{table}" FORCE ROW LEVEL SECURITY')
    op.execute(
        f'CREATE POLICY workspace_wall ON "{table}"'
        f" USING ({_TOLD} = '{EVERY_WORKSPACE}' OR {column} = {_OWN})"
    )


# Made once: a later migration may have given it more exceptions.
_FUNCTION = """DO $made$ BEGIN
    IF to_regproc('refuse_change') IS NULL THEN
        CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'DELETE'
                AND NOT EXISTS (SELECT FROM workspace WHERE id = OLD.workspace_id) THEN
                RETURN OLD;
            END IF;
            RAISE EXCEPTION 'written_once: %', TG_TABLE_NAME
                USING ERRCODE = 'integrity_constraint_violation';
        END $$;
    END IF;
END $made$"""
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
