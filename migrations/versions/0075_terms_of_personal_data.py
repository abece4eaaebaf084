"""For what workspaces use personal data, and for how many years they keep them."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0075"
down_revision = "0074"
branch_labels = None
depends_on = None

_TABLE = "personal_data_terms"


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("purpose_ja", sa.Text(), nullable=True),
        sa.Column("purpose_en", sa.Text(), nullable=True),
        sa.Column("fiscal_year_ends_in", sa.BigInteger(), nullable=False),
        sa.Column("ledger_years", sa.BigInteger(), nullable=False),
        sa.Column("contract_years", sa.BigInteger(), nullable=False),
        sa.Column("former_years", sa.BigInteger(), nullable=False),
        sa.Column("enquiry_years", sa.BigInteger(), nullable=False),
        sa.Column("waitlist_years", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_personal_data_terms_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_personal_data_terms")),
        sa.UniqueConstraint("workspace_id", name=op.f("uq_personal_data_terms_workspace_id")),
    )
    if is_postgresql():
        wall_off(_TABLE)


def downgrade() -> None:
    op.drop_table(_TABLE)
