"""Notes how long a kept figure took to make, and since when it is shown after a change."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Instant

revision = "0092"
down_revision = "0091"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("DELETE FROM kept_figure")  # they are made again
    with op.batch_alter_table("kept_figure") as batch_op:
        batch_op.add_column(sa.Column("cpu_ms", sa.BigInteger(), nullable=False))
        batch_op.add_column(sa.Column("outdated_since", Instant, nullable=True))


def downgrade() -> None:
    op.drop_column("kept_figure", "outdated_since")
    op.drop_column("kept_figure", "cpu_ms")
