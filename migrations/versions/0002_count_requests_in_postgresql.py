"""Makes the table of the request budget on PostgreSQL, whose program may make none itself."""

from alembic import op

from pms.foundation.budget.postgresql import BUDGET_DDL
from pms.foundation.row_security import is_postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if is_postgresql():
        for statement in BUDGET_DDL:
            op.execute(statement)


def downgrade() -> None:
    if is_postgresql():
        op.execute("DROP FUNCTION spend_request(text, bigint, bigint, bigint, bigint)")
        op.execute("DROP TABLE request_budget")
