"""Records what happens at the doors, and lets a workspace demand a second factor and activity."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sign_in_policy",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("factor_required_on", sa.Date(), nullable=True),
        sa.Column("idle_minutes", sa.BigInteger(), nullable=True),
        sa.Column("kept_days", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_sign_in_policy_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_sign_in_policy")),
        sa.UniqueConstraint("workspace_id", name=op.f("uq_sign_in_policy_workspace_id")),
    )
    op.create_table(
        "sign_in_event",
        sa.Column("id", Id, nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("door", sa.String(), nullable=False),
        sa.Column("person_id", Id, nullable=True),
        sa.Column("workspace_id", Id, nullable=True),
        sa.Column("account_hash", sa.String(length=64), nullable=False),
        sa.Column("proof", sa.String(), nullable=True),
        sa.Column("client", sa.String(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_sign_in_event_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_sign_in_event_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_event")),
    )
    op.create_index("ix_sign_in_event_person_id", "sign_in_event", ["person_id", "at"])
    op.create_index(
        "ix_sign_in_event_account", "sign_in_event", ["workspace_id", "account_hash", "at"]
    )
    op.create_index("ix_sign_in_event_at", "sign_in_event", ["at"])
    if is_postgresql():
        wall_off("sign_in_policy")


def downgrade() -> None:
    op.drop_table("sign_in_event")
    op.drop_table("sign_in_policy")
