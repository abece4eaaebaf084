"""Keeps no secret of a form, and lets a code stay good while others ask for theirs."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Also delete the forms that are kept: earlier releases kept passwords and secrets in them."""
    op.execute("DELETE FROM kept_form")
    op.add_column(
        "kept_form", sa.Column("is_whole", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    op.add_column(
        "sign_in_code",
        sa.Column("asker_hash", sa.String(length=64), nullable=False, server_default=""),
    )
    op.add_column(
        "sign_in_code",
        sa.Column("is_link", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    """Delete links that were mailed instead of codes: an earlier release knows no such thing."""
    op.execute("DELETE FROM sign_in_code WHERE is_link")
    op.drop_column("sign_in_code", "is_link")
    op.drop_column("sign_in_code", "asker_hash")
    op.drop_column("kept_form", "is_whole")
