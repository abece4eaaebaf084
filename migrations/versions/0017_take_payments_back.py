"""Tells a reversed payment from one that was sent back, and keeps the papers that say so."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, refuse_changes, wall_off

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "payment_return",
        sa.Column("kind", sa.String(), nullable=False, server_default="returned"),
    )
    op.create_table(
        "receipt_correction",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("receipt_id", Id, nullable=False),
        sa.Column("return_id", Id, nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("issued_on", sa.Date(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "receipt_id"],
            ["receipt.workspace_id", "receipt.id"],
            name=op.f("fk_receipt_correction_workspace_id_receipt_id_receipt"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "return_id"],
            ["payment_return.workspace_id", "payment_return.id"],
            name=op.f("fk_receipt_correction_workspace_id_return_id_payment_return"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_receipt_correction_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_receipt_correction")),
        sa.UniqueConstraint(
            "workspace_id", "return_id", name=op.f("uq_receipt_correction_workspace_id_return_id")
        ),
        sa.UniqueConstraint(
            "workspace_id", "number", name=op.f("uq_receipt_correction_workspace_id_number")
        ),
    )
    op.create_index(
        "ix_receipt_correction_receipt_id", "receipt_correction", ["workspace_id", "receipt_id"]
    )
    if is_postgresql():
        wall_off("receipt_correction")
    refuse_changes("receipt_correction")


def downgrade() -> None:
    op.drop_table("receipt_correction")
    op.drop_column("payment_return", "kind")
