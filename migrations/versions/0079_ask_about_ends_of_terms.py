"""Keeps what residents were asked about the end of a term, and the notices of the end."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0079"
down_revision = "0078"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create(
        "term_question",
        sa.Column("last_on", sa.Date(), nullable=False),
        sa.Column("asked_at", Instant, nullable=True),
        sa.Column("asked_by", sa.String(), nullable=True),
        sa.Column("reminded_at", Instant, nullable=True),
        sa.Column("answer", sa.String(), nullable=True),
        sa.Column("words", sa.Text(), nullable=True),
        sa.Column("answered_at", Instant, nullable=True),
        sa.Column("answered_by", sa.String(), nullable=True),
        sa.UniqueConstraint(
            "workspace_id",
            "reservation_id",
            "last_on",
            name=op.f("uq_term_question_workspace_id_reservation_id_last_on"),
        ),
    )
    _create(
        "end_notice",
        sa.Column("first_on", sa.Date(), nullable=False),
        sa.Column("last_on", sa.Date(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("body_hash", sa.String(64), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.Column("sent_at", Instant, nullable=True),
        sa.Column("reached_on", sa.Date(), nullable=True),
        sa.Column("reached_way", sa.String(), nullable=True),
        sa.Column("reached_at", Instant, nullable=True),
        sa.Column("reached_by", sa.String(), nullable=True),
        sa.Column("withdrawn_at", Instant, nullable=True),
        sa.Column("withdrawn_by", sa.String(), nullable=True),
        sa.Column("withdrawn_reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "(reached_on IS NULL) = (reached_way IS NULL)",
            name=op.f("ck_end_notice_reached_some_way"),
        ),
    )
    op.create_index(
        "ix_end_notice_reservation_id", "end_notice", ["workspace_id", "reservation_id", "last_on"]
    )


def _create(table: str, *columns: sa.schema.SchemaItem) -> None:
    op.create_table(
        table,
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        *columns,
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{table}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f(f"fk_{table}_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f(f"pk_{table}")),
    )
    if is_postgresql():
        wall_off(table)


def downgrade() -> None:
    op.drop_table("end_notice")
    op.drop_table("term_question")
