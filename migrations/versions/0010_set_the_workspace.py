"""Lets runs be stopped by hand, counts what keys ask in an hour, and lets settings be edited."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Added in place: a table written anew on SQLite would lose its triggers.
    nothing = sa.text("'{}'")
    op.add_column("run", sa.Column("asked", Json, nullable=False, server_default=nothing))
    op.add_column("run", sa.Column("taken_at", Instant, nullable=True))
    op.add_column("run", sa.Column("stop_asked_at", Instant, nullable=True))
    op.add_column("run", sa.Column("stop_asked_by", sa.String(), nullable=True))
    first = sa.text("1")
    op.add_column(
        "fee", sa.Column("version", sa.BigInteger(), nullable=False, server_default=first)
    )
    for table in ("workspace", "policy"):
        version = sa.Column("version", sa.BigInteger(), nullable=False, server_default=first)
        op.add_column(table, version)
    op.add_column("workspace", sa.Column("postcode", sa.String(), nullable=True))
    op.add_column("workspace", sa.Column("address", sa.String(), nullable=True))
    op.create_index(
        "ix_reservation_lifecycle", "reservation", ["workspace_id", "lifecycle", "starts_on"]
    )
    op.create_table(
        "api_key_hour",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("key_id", Id, nullable=False),
        sa.Column("began_at", Instant, nullable=False),
        sa.Column("requests", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "key_id"],
            ["api_key.workspace_id", "api_key.id"],
            name=op.f("fk_api_key_hour_workspace_id_api_key"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_api_key_hour_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_api_key_hour")),
        sa.UniqueConstraint(
            "workspace_id",
            "key_id",
            "began_at",
            name=op.f("uq_api_key_hour_workspace_id_key_id_began_at"),
        ),
    )
    op.create_table(
        "sent_sheet",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("file_key", sa.String(), nullable=False),
        sa.Column("titles", Json, nullable=False),
        sa.Column("sent_at", Instant, nullable=False),
        sa.Column("sent_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_sent_sheet_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_sent_sheet")),
    )
    if is_postgresql():
        wall_off("api_key_hour")
        wall_off("sent_sheet")


def downgrade() -> None:
    op.drop_table("sent_sheet")
    op.drop_table("api_key_hour")
    op.drop_index("ix_reservation_lifecycle", "reservation")
    op.drop_column("workspace", "address")
    op.drop_column("workspace", "postcode")
    for table in ("policy", "workspace", "fee"):
        op.drop_column(table, "version")
    for name in ("stop_asked_by", "stop_asked_at", "taken_at", "asked"):
        op.drop_column("run", name)
