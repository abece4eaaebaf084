"""Finds guests who are here or come, arrivals on a day of their own, and reports by when they were sent."""

import sqlalchemy as sa
from alembic import op

revision = "0086"
down_revision = "0085"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, table, columns, condition in (
        ("ix_reservation_guest", "reservation", ["ends_on"], "kind = 'guest'"),
        (
            "ix_reservation_arrival_date",
            "reservation",
            ["arrival_date"],
            "arrival_date IS NOT NULL",
        ),
        ("ix_condition_report_unseen", "condition_report", ["sent_at", "id"], "seen_at IS NULL"),
    ):
        where = sa.text(condition)
        op.create_index(
            name,
            table,
            ["workspace_id", *columns],
            sqlite_where=where,
            postgresql_where=where,
        )
    op.create_index(
        "ix_condition_report_sent_at", "condition_report", ["workspace_id", "sent_at", "id"]
    )


def downgrade() -> None:
    op.drop_index("ix_condition_report_sent_at", "condition_report")
    op.drop_index("ix_condition_report_unseen", "condition_report")
    op.drop_index("ix_reservation_arrival_date", "reservation")
    op.drop_index("ix_reservation_guest", "reservation")
