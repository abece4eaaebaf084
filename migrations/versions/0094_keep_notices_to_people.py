"""Keeps notices to people, the ways by which they leave, what people chose, and the quiet hours."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0094"
down_revision = "0093"
branch_labels = None
depends_on = None

_TABLES = ("notice", "notice_sending", "notice_choice")


def upgrade() -> None:
    for name, hour in (("quiet_from_hour", "21"), ("quiet_until_hour", "8")):
        column = sa.Column(name, sa.BigInteger(), nullable=False, server_default=hour)
        op.add_column("policy", column)
    op.add_column("outbox_mail", sa.Column("withdrawn_at", Instant, nullable=True))
    op.create_table(
        "notice",
        *_own_columns("notice"),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject_id", Id, nullable=False),
        sa.Column("occasion", sa.String(), nullable=False),
        sa.Column("reader_kind", sa.String(), nullable=False),
        sa.Column("reader_id", Id, nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("facts", Json, nullable=False),
        sa.Column("is_urgent", sa.Boolean(), nullable=False),
        sa.Column("caused_at", Instant, nullable=False),
        sa.Column("caused_by", sa.String(), nullable=False),
        sa.Column("opened_at", Instant, nullable=True),
        sa.Column("over_at", Instant, nullable=True),
        sa.UniqueConstraint(
            *("workspace_id", "reader_kind", "reader_id", "kind", "subject_id", "occasion"),
            name=op.f("uq_notice_reader_id"),
        ),
    )
    op.create_index("ix_notice_caused_at", "notice", ["workspace_id", "caused_at", "id"])
    op.create_index(
        "ix_notice_reader_id", "notice", ["workspace_id", "reader_id", "caused_at", "id"]
    )
    op.create_index("ix_notice_subject_id", "notice", ["workspace_id", "subject_id"])
    unread = sa.text("opened_at IS NULL AND over_at IS NULL")
    op.create_index(
        "ix_notice_unread",
        "notice",
        ["workspace_id", "reader_id"],
        sqlite_where=unread,
        postgresql_where=unread,
    )
    op.create_table(
        "notice_sending",
        *_own_columns("notice_sending"),
        sa.Column("notice_id", Id, nullable=False),
        sa.Column("way", sa.String(), nullable=False),
        sa.Column("due_at", Instant, nullable=True),
        sa.Column("ended_at", Instant, nullable=True),
        sa.Column("unsent_because", sa.String(), nullable=True),
        sa.Column("mail_id", Id, nullable=True),
        sa.Column("asked_by", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "notice_id"],
            ["notice.workspace_id", "notice.id"],
            name=op.f("fk_notice_sending_workspace_id_notice_id_notice"),
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_notice_sending_notice_id", "notice_sending", ["workspace_id", "notice_id"])
    op.create_index("ix_notice_sending_mail_id", "notice_sending", ["workspace_id", "mail_id"])
    due = sa.text("due_at IS NOT NULL")
    op.create_index(
        "ix_notice_sending_due_at",
        "notice_sending",
        ["due_at"],
        sqlite_where=due,
        postgresql_where=due,
    )
    op.create_table(
        "notice_choice",
        *_own_columns("notice_choice"),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("notice_group", sa.String(), nullable=False),
        sa.Column("way", sa.String(), nullable=False),
        sa.Column("is_wanted", sa.Boolean(), nullable=False),
        sa.UniqueConstraint(
            *("workspace_id", "person_id", "notice_group", "way"),
            name=op.f("uq_notice_choice_workspace_id_person_id_notice_group_way"),
        ),
    )
    if is_postgresql():
        for table in _TABLES:
            wall_off(table)


def _own_columns(table: str) -> tuple[sa.schema.SchemaItem, ...]:
    """Return the key of a workspace's table."""
    return (
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{table}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f(f"pk_{table}")),
    )


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table)
    op.drop_column("outbox_mail", "withdrawn_at")
    for column in ("quiet_until_hour", "quiet_from_hour"):
        op.drop_column("policy", column)
