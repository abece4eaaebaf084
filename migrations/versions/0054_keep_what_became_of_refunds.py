"""Keeps what became of each refund and dispute, and which opposite row an allocation belongs to."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None

_DISPUTED = sa.text("disputed_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "money_back",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("provider_payment_id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("reference", sa.String(), nullable=True),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        *(sa.Column(name, Instant, nullable=False) for name in ("state_at", "newest_at")),
        *(sa.Column(name, Instant, nullable=True) for name in ("made_at", "ended_at")),
        *(sa.Column(name, Instant, nullable=True) for name in ("withdrawn_at", "reinstated_at")),
        sa.Column("respond_by", Instant, nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("seen_at", Instant, nullable=True),
        sa.Column("seen_by", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "provider_payment_id"],
            ["provider_payment.workspace_id", "provider_payment.id"],
            name=op.f("fk_money_back_workspace_id_provider_payment_id_provider_payment"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_money_back_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_money_back_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_money_back")),
        sa.UniqueConstraint(
            "workspace_id", "reference", name=op.f("uq_money_back_workspace_id_reference")
        ),
    )
    op.create_index(
        "ix_money_back_provider_payment_id", "money_back", ["workspace_id", "provider_payment_id"]
    )
    op.create_index(
        "ix_money_back_reservation_id", "money_back", ["workspace_id", "reservation_id"]
    )
    unseen = sa.text("seen_at IS NULL")
    op.create_index(
        "ix_money_back_unseen",
        "money_back",
        ["workspace_id", "state_at"],
        sqlite_where=unseen,
        postgresql_where=unseen,
    )
    if is_postgresql():
        wall_off("money_back")
    # The dispute of a payment becomes a row; one whose money went back needs nobody any more.
    op.execute(
        "INSERT INTO money_back (workspace_id, id, provider_payment_id, reservation_id,"
        " amount_yen, state, state_at, newest_at, made_at, reason, seen_at, seen_by)"
        " SELECT workspace_id, id, id, reservation_id, amount_yen, 'open', disputed_at, disputed_at,"
        " disputed_at, dispute_reason,"
        " CASE WHEN refunded_yen >= amount_yen THEN disputed_at END,"
        " CASE WHEN refunded_yen >= amount_yen THEN 'migration' END"
        " FROM provider_payment WHERE disputed_at IS NOT NULL"
    )
    op.drop_index("ix_provider_payment_disputed_at", "provider_payment")
    for name in ("disputed_at", "dispute_reason"):
        op.drop_column("provider_payment", name)
    op.add_column("provider_payment", sa.Column("refund_total_at", Instant, nullable=True))
    op.add_column(
        "provider_payment",
        sa.Column("is_refund_lower", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.execute("UPDATE provider_payment SET refund_total_at = paid_at WHERE refunded_yen > 0")
    op.add_column("allocation", sa.Column("return_id", Id, nullable=True))


def downgrade() -> None:
    op.drop_column("allocation", "return_id")
    op.drop_column("provider_payment", "is_refund_lower")
    op.drop_column("provider_payment", "refund_total_at")
    op.add_column("provider_payment", sa.Column("disputed_at", Instant, nullable=True))
    op.add_column("provider_payment", sa.Column("dispute_reason", sa.String(), nullable=True))
    op.execute(
        "UPDATE provider_payment SET"
        " disputed_at = (SELECT min(made_at) FROM money_back WHERE state IN"
        " ('open', 'lost', 'won', 'closed') AND money_back.workspace_id ="
        " provider_payment.workspace_id AND provider_payment_id = provider_payment.id),"
        " dispute_reason = (SELECT min(reason) FROM money_back WHERE state IN"
        " ('open', 'lost', 'won', 'closed') AND money_back.workspace_id ="
        " provider_payment.workspace_id AND provider_payment_id = provider_payment.id)"
    )
    op.create_index(
        "ix_provider_payment_disputed_at",
        "provider_payment",
        ["workspace_id", "disputed_at"],
        sqlite_where=_DISPUTED,
        postgresql_where=_DISPUTED,
    )
    op.drop_table("money_back")
