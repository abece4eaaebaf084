"""Keeps the rents that were proposed to residents, and whether a declined one leaves the rent as it is."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0090"
down_revision = "0089"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "policy",
        sa.Column("declined_rent_stays", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.create_table(
        "rent_proposal",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("from_on", sa.Date(), nullable=False),
        sa.Column("rent_before_yen", sa.BigInteger(), nullable=False),
        sa.Column("rent_yen", sa.BigInteger(), nullable=False),
        sa.Column("maintenance_before_yen", sa.BigInteger(), nullable=False),
        sa.Column("maintenance_yen", sa.BigInteger(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("body_hash", sa.String(64), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.Column("sent_at", Instant, nullable=True),
        sa.Column("reminded_at", Instant, nullable=True),
        sa.Column("answer", sa.String(), nullable=True),
        sa.Column("words", sa.Text(), nullable=True),
        sa.Column("answered_at", Instant, nullable=True),
        sa.Column("answered_by", sa.String(), nullable=True),
        sa.Column("begun_at", Instant, nullable=True),
        sa.Column("begun_by", sa.String(), nullable=True),
        sa.Column("begun_reason", sa.Text(), nullable=True),
        sa.Column("withdrawn_at", Instant, nullable=True),
        sa.Column("withdrawn_by", sa.String(), nullable=True),
        sa.Column("withdrawn_reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "rent_yen >= 0 AND maintenance_yen >= 0",
            name=op.f("ck_rent_proposal_amounts_not_negative"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_rent_proposal_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_rent_proposal_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_rent_proposal")),
    )
    op.create_index(
        "ix_rent_proposal_reservation_id",
        "rent_proposal",
        ["workspace_id", "reservation_id", "from_on"],
    )
    is_open = sa.text("begun_at IS NULL AND withdrawn_at IS NULL")
    op.create_index(
        "uq_rent_proposal_open",
        "rent_proposal",
        ["workspace_id", "reservation_id"],
        unique=True,
        sqlite_where=is_open,
        postgresql_where=is_open,
    )
    if is_postgresql():
        wall_off("rent_proposal")


def downgrade() -> None:
    op.drop_table("rent_proposal")
    op.drop_column("policy", "declined_rent_stays")
