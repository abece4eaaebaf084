"""Keeps the settings of a workspace's mailbox, and which mail a sent one answers."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0089"
down_revision = "0088"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox_mail", sa.Column("in_reply_to", sa.String(), nullable=True))
    op.create_table(
        "mailbox",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("port", sa.BigInteger(), nullable=False),
        sa.Column("username", sa.String(), nullable=False),
        sa.Column("sealed_password", sa.Text(), nullable=False),
        sa.Column("folder", sa.String(), nullable=False),
        sa.Column("has_plus", sa.Boolean(), nullable=False),
        sa.Column("set_at", Instant, nullable=False),
        sa.Column("set_by", sa.String(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("uid_validity", sa.BigInteger(), nullable=True),
        sa.Column("last_uid", sa.BigInteger(), nullable=True),
        sa.Column("due_at", Instant, nullable=True),
        sa.Column("last_read_at", Instant, nullable=True),
        sa.Column("failing_since", Instant, nullable=True),
        sa.Column("failures", sa.BigInteger(), nullable=False),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("is_failure_mailed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_mailbox_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_mailbox")),
        sa.UniqueConstraint("workspace_id", name=op.f("uq_mailbox_workspace_id")),
    )
    op.create_index("ix_mailbox_due_at", "mailbox", ["due_at"])
    if is_postgresql():
        wall_off("mailbox")


def downgrade() -> None:
    op.drop_table("mailbox")
    op.drop_column("outbox_mail", "in_reply_to")
