"""Tells who changed a reservation last, for whoever meets a newer version than the one they saw."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Added in place: a table written anew on SQLite would lose its triggers.
    op.add_column("reservation", sa.Column("updated_by", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("reservation", "updated_by")
