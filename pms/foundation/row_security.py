"""Row security: PostgreSQL reads and writes only rows of the transaction's workspace.

It is the third of three walls between workspaces; see `pms.foundation.tenancy`.
"""

from alembic import op

from pms.foundation.db import APP_ROLE
from pms.foundation.tenancy import EVERY_WORKSPACE

_SETTING = "current_setting('app.workspace', true)"
_OWN = f"nullif(nullif({_SETTING}, ''), '{EVERY_WORKSPACE}')::uuid"


def is_postgresql() -> bool:
    """Whether the current migration runs on PostgreSQL."""
    return op.get_context().dialect.name == "postgresql"


def create_app_role() -> None:
    """Create the role the program runs as, and grant it access to tables it does not own."""
    op.execute(
        f"""DO $$ BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
                CREATE ROLE {APP_ROLE} NOLOGIN;
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END $$"""
    )
    op.execute(
        # For one login that does both. In PostgreSQL 16 the role's creator is a member without the
        # right to SET ROLE, so membership is no test; an owner who may not grant it leaves that to
        # the program's login.
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
    """Enable row security on a table, for its owner too."""
    op.execute(f'ALTER TABLE "{table}" ENABLE ROW LEVEL SECURITY')
    op.execute(f'ALTER TABLE "{table}" FORCE ROW LEVEL SECURITY')
    op.execute(
        f'CREATE POLICY workspace_wall ON "{table}"'
        f" USING ({_SETTING} = '{EVERY_WORKSPACE}' OR {column} = {_OWN})"
    )


# Created once: a later migration may have added exceptions to it.
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
# A row may be deleted only together with its whole workspace.
_UNLESS_ALL_GOES = "WHEN EXISTS (SELECT 1 FROM workspace WHERE id = OLD.workspace_id)"


def refuse_changes(table: str) -> None:
    """Install a trigger that refuses to change or delete rows of the table."""
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
    """Remove that trigger, for a downgrade."""
    if is_postgresql():
        op.execute(f"DROP TRIGGER written_once ON {table}")
        return
    for moment in ("update", "delete"):
        op.execute(f"DROP TRIGGER {table}_written_once_{moment}")
