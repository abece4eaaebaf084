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
