"""Keeps the secret of a second factor sealed, so that it outlives the secret key it came with."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Only make room: what there is follows from the salt, and is sealed when it is used."""
    op.add_column("person", sa.Column("sealed_factor", sa.Text(), nullable=True))


def downgrade() -> None:
    """Leave who has a sealed secret to their recovery codes."""
    op.drop_column("person", "sealed_factor")
