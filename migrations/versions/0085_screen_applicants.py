"""Keeps the screening of applicants: its state, and each decision with who, when and why."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0085"
down_revision = "0084"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "policy",
        sa.Column(
            "screening_before_contract", sa.Boolean(), nullable=False, server_default=sa.false()
        ),
    )
    op.create_table(
        "screening",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("received_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_screening_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_screening_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_screening")),
    )
    op.create_index("ix_screening_reservation_id", "screening", ["workspace_id", "reservation_id"])
    op.create_index("ix_screening_state", "screening", ["workspace_id", "state", "received_at"])
    op.create_table(
        "screening_step",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("screening_id", Id, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_screening_step_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "screening_id"],
            ["screening.workspace_id", "screening.id"],
            name=op.f("fk_screening_step_workspace_id_screening_id_screening"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_screening_step")),
    )
    op.create_index(
        "ix_screening_step_screening_id", "screening_step", ["workspace_id", "screening_id"]
    )
    op.add_column("reservation_link", sa.Column("screening_id", Id, nullable=True))
    op.create_index(
        "ix_reservation_link_screening_id", "reservation_link", ["workspace_id", "screening_id"]
    )
    if is_postgresql():
        for table in ("screening", "screening_step"):
            wall_off(table)


def downgrade() -> None:
    op.drop_index("ix_reservation_link_screening_id", table_name="reservation_link")
    op.drop_column("reservation_link", "screening_id")
    op.drop_table("screening_step")
    op.drop_table("screening")
    op.drop_column("policy", "screening_before_contract")
