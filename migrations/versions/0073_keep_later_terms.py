"""Keeps the terms that follow the one that was booked, and the kind of the lease that is signed."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0073"
down_revision = "0072"
branch_labels = None
depends_on = None

# The kind of the newest lease that was signed here; of the others nothing is known.
_KINDS = """UPDATE reservation SET lease_kind = (
    SELECT coalesce(t.lease_kind, 'fixed_term') FROM contract c
    JOIN contract_signature s ON s.workspace_id = c.workspace_id AND s.contract_id = c.id
    LEFT JOIN contract_template t ON t.workspace_id = c.workspace_id AND t.id = c.template_id
    WHERE c.workspace_id = reservation.workspace_id AND c.reservation_id = reservation.id
    AND c.kind = 'lease' AND c.replaced_at IS NULL
    ORDER BY c.number DESC LIMIT 1)"""


def upgrade() -> None:
    op.create_table(
        "later_term",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("first_on", sa.Date(), nullable=False),
        sa.Column("last_on", sa.Date(), nullable=True),
        sa.Column("base_rent_yen", sa.BigInteger(), nullable=True),
        sa.Column("fee_code", sa.String(), nullable=True),
        sa.Column("fee_yen", sa.BigInteger(), nullable=False),
        sa.Column("offered_at", Instant, nullable=False),
        sa.Column("offered_by", sa.String(), nullable=False),
        sa.Column("signed_at", Instant, nullable=True),
        sa.Column("withdrawn_at", Instant, nullable=True),
        sa.Column("withdrawn_by", sa.String(), nullable=True),
        sa.Column("withdrawn_reason", sa.Text(), nullable=True),
        sa.Column("end_before", sa.String(40), nullable=True),
        sa.Column("override_before", sa.String(40), nullable=True),
        sa.Column("kind_before", sa.String(), nullable=True),
        sa.Column("has_price", sa.Boolean(), nullable=False),
        sa.Column("fee_entry_id", Id, nullable=True),
        sa.CheckConstraint(
            "last_on IS NULL OR last_on >= first_on", name=op.f("ck_later_term_days_in_order")
        ),
        sa.CheckConstraint("fee_yen >= 0", name=op.f("ck_later_term_fee_not_negative")),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_later_term_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_later_term_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_later_term")),
    )
    op.create_index(
        "ix_later_term_reservation_id", "later_term", ["workspace_id", "reservation_id", "first_on"]
    )
    is_open = sa.text("signed_at IS NULL AND withdrawn_at IS NULL")
    op.create_index(
        "uq_later_term_open",
        "later_term",
        ["workspace_id", "reservation_id"],
        unique=True,
        sqlite_where=is_open,
        postgresql_where=is_open,
    )
    if is_postgresql():
        wall_off("later_term")
        op.execute("SELECT set_config('app.workspace', '*', true)")
    op.add_column("reservation", sa.Column("later_terms_from", sa.String(), nullable=True))
    op.add_column("reservation", sa.Column("lease_kind", sa.String(), nullable=True))
    op.add_column("contract", sa.Column("term_id", Id, nullable=True))
    op.execute(_KINDS)


def downgrade() -> None:
    """The contract end stays that of the last signed term, as the release before reads it."""
    op.drop_column("contract", "term_id")
    op.drop_column("reservation", "lease_kind")
    op.drop_column("reservation", "later_terms_from")
    op.drop_table("later_term")
