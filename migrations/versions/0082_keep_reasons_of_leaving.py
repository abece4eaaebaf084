"""Keeps why leaving cannot be helped, and what staff decided about it."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Instant

revision = "0082"
down_revision = "0081"
branch_labels = None
depends_on = None

_COLUMNS = (
    ("reason", sa.String()),
    ("reason_words", sa.Text()),
    ("reason_stated_at", Instant),
    ("is_reason_accepted", sa.Boolean()),
    ("reason_decision", sa.Text()),
    ("reason_decided_at", Instant),
    ("reason_decided_by", sa.String()),
)


def upgrade() -> None:
    for name, kind in _COLUMNS:
        op.add_column("move_out_notice", sa.Column(name, kind, nullable=True))


def downgrade() -> None:
    for name, _kind in reversed(_COLUMNS):
        op.drop_column("move_out_notice", name)
