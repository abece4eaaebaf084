"""Makes the tables of the job queue on PostgreSQL, whose program may make none itself."""

from alembic import op
from huey.storage import PostgresStorage

from pms.foundation.db import APP_ROLE
from pms.foundation.row_security import is_postgresql

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

TABLES = ("huey_kv", "huey_schedule", "huey_task", "huey_counter")


def upgrade() -> None:
    """The owner's login worked on them before, and made them at the first start."""
    if is_postgresql():
        for statement in PostgresStorage(create_tables=False).ddl:
            op.execute(statement)
        for table in TABLES:
            op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {APP_ROLE}")
        op.execute(f"GRANT USAGE ON SEQUENCE huey_schedule_id_seq TO {APP_ROLE}")
        op.execute(f"GRANT USAGE ON SEQUENCE huey_task_id_seq TO {APP_ROLE}")


def downgrade() -> None:
    """What is queued only wakes the worker up: nothing is lost with it."""
    if is_postgresql():
        for table in TABLES:
            op.execute(f"DROP TABLE {table}")
