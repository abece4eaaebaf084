"""Lets what was overpaid on one reservation move to another, named by its amendment."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("allocation", sa.Column("transfer_id", Id, nullable=True))


def downgrade() -> None:
    op.drop_column("allocation", "transfer_id")
