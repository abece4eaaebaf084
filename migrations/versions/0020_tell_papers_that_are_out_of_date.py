"""Keeps what each document says of its stay, and how much an invoice held when it was handed out."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Instant, Json, only_where

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_OUTDATED = "outdated_at IS NOT NULL AND replaced_at IS NULL"


def upgrade() -> None:
    op.add_column(
        "contract", sa.Column("kind", sa.String(), nullable=False, server_default="lease")
    )
    op.add_column("contract", sa.Column("stated", Json, nullable=True))
    op.add_column("contract", sa.Column("outdated_at", Instant, nullable=True))
    op.add_column("invoice", sa.Column("issued_lines", sa.BigInteger(), nullable=True))
    op.add_column("invoice", sa.Column("sent_lines", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_contract_outdated_at",
        "contract",
        ["workspace_id", "outdated_at"],
        **only_where(_OUTDATED),
    )


def downgrade() -> None:
    op.drop_index("ix_contract_outdated_at", "contract")
    for column in ("sent_lines", "issued_lines"):
        op.drop_column("invoice", column)
    for column in ("outdated_at", "stated", "kind"):
        op.drop_column("contract", column)
