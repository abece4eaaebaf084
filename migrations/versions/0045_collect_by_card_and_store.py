"""Keeps how residents have bills collected by card or at stores, and each collection."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json, only_where
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

_TABLES = ("collection_terms", "payment_choice", "collection")


def _of_workspace(table: str) -> tuple[sa.schema.SchemaItem, ...]:
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


def _link(
    table: str, column: str, other: str, ondelete: str | None = None
) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id", column],
        [f"{other}.workspace_id", f"{other}.id"],
        name=op.f(f"fk_{table}_workspace_id_{column}_{other}"),
        ondelete=ondelete,
    )


def upgrade() -> None:
    op.create_table(
        "collection_terms",
        *_of_workspace("collection_terms"),
        sa.Column("offers_cards", sa.Boolean(), nullable=False),
        sa.Column("offers_stores", sa.Boolean(), nullable=False),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("retry_days", sa.BigInteger(), nullable=False),
        sa.Column("notice_days", sa.BigInteger(), nullable=False),
        sa.Column("store_days", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("workspace_id", name=op.f("uq_collection_terms_workspace_id")),
    )
    _make_choices()
    _make_collections()
    if is_postgresql():
        for table in _TABLES:
            wall_off(table)


def _make_choices() -> None:
    texts = ("reference", "url", "customer", "method", "brand", "last_digits", "expires")
    op.create_table(
        "payment_choice",
        *_of_workspace("payment_choice"),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("way", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("consent", sa.String(), nullable=False),
        sa.Column("consented_at", Instant, nullable=False),
        sa.Column("consented_by", sa.String(), nullable=False),
        sa.Column("return_path", sa.String(), nullable=True),
        *(
            sa.Column(name, sa.Text() if name == "url" else sa.String(), nullable=True)
            for name in texts
        ),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("active_at", Instant, nullable=True),
        sa.Column("ended_at", Instant, nullable=True),
        sa.Column("ended_by", sa.String(), nullable=True),
        _link("payment_choice", "reservation_id", "reservation", "CASCADE"),
    )
    op.create_index(
        "uq_payment_choice_active",
        "payment_choice",
        ["workspace_id", "reservation_id"],
        unique=True,
        **only_where("state = 'active'"),
    )
    for column in ("reservation_id", "state"):
        op.create_index(f"ix_payment_choice_{column}", "payment_choice", ["workspace_id", column])


def _make_collections() -> None:
    op.create_table(
        "collection",
        *_of_workspace("collection"),
        sa.Column("choice_id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("entry_id", Id, nullable=False),
        sa.Column("way", sa.String(), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.Column("due_on", sa.Date(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("intent", sa.String(), nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("stores", Json, nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("expires_at", Instant, nullable=True),
        sa.Column("planned_at", Instant, nullable=False),
        sa.Column("asked_at", Instant, nullable=True),
        sa.Column("ended_at", Instant, nullable=True),
        sa.CheckConstraint("amount_yen > 0", name=op.f("ck_collection_some_amount")),
        _link("collection", "choice_id", "payment_choice"),
        _link("collection", "reservation_id", "reservation", "CASCADE"),
        _link("collection", "entry_id", "ledger_entry"),
        sa.UniqueConstraint(
            "workspace_id",
            "entry_id",
            "attempt",
            name=op.f("uq_collection_workspace_id_entry_id_attempt"),
        ),
    )
    op.create_index(
        "uq_collection_under_way",
        "collection",
        ["workspace_id", "entry_id"],
        unique=True,
        **only_where("state IN ('planned', 'asked', 'waiting')"),
    )
    for column in ("choice_id", "reservation_id"):
        op.create_index(f"ix_collection_{column}", "collection", ["workspace_id", column])
    op.create_index("ix_collection_state", "collection", ["workspace_id", "state", "due_on"])


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table)
