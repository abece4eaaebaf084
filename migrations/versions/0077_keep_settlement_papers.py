"""Keeps the lines of settlements, their papers, and what residents answer; older ones have none."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Exact, Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0077"
down_revision = "0076"
branch_labels = None
depends_on = None

_LINE, _PAPER, _OBJECTION = "settlement_line", "settlement_paper", "settlement_objection"


def upgrade() -> None:
    op.add_column("deduction", sa.Column("label_en", sa.String(), nullable=True))
    _create_table(
        _LINE,
        ("settlement_id", "settlement"),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("item", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.Column("room", sa.String(), nullable=True),
        sa.Column("quantity", Exact, nullable=False),
        sa.Column("unit_yen", sa.BigInteger(), nullable=False),
        sa.Column("bearer", sa.String(), nullable=False),
        sa.Column("life_months", sa.BigInteger(), nullable=True),
        sa.Column("fitted_on", sa.Date(), nullable=False),
        sa.Column("used_months", sa.BigInteger(), nullable=True),
        sa.Column("cost_yen", sa.BigInteger(), nullable=False),
        sa.Column("resident_yen", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "0 <= resident_yen AND resident_yen <= cost_yen AND 0 < unit_yen",
            name=op.f(f"ck_{_LINE}_in_order"),
        ),
        unique=("settlement_id", "position"),
    )
    _create_table(
        _PAPER,
        ("settlement_id", "settlement"),
        sa.Column("nonce", sa.String(32), nullable=False),
        sa.Column("sent_on", sa.Date(), nullable=True),
        sa.Column("sent_at", Instant, nullable=True),
        sa.Column("sent_by", sa.String(), nullable=True),
        sa.Column("agreed_at", Instant, nullable=True),
        sa.Column("agreed_by", sa.String(), nullable=True),
        sa.Column("released_at", Instant, nullable=True),
        sa.Column("released_by", sa.String(), nullable=True),
        sa.Column("released_because", sa.String(), nullable=True),
        sa.Column("last_opened_at", Instant, nullable=True),
        unique=("settlement_id",),
    )
    op.create_index(f"ix_{_PAPER}_nonce", _PAPER, ["nonce"])
    _create_table(
        _OBJECTION,
        ("paper_id", _PAPER),
        sa.Column("position", sa.BigInteger(), nullable=True),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("objected_on", sa.Date(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
    )
    op.create_index(
        f"ix_{_OBJECTION}_paper_id", _OBJECTION, ["workspace_id", "paper_id", "written_at"]
    )


def downgrade() -> None:
    for table in (_OBJECTION, _PAPER, _LINE):
        op.drop_table(table)
    op.drop_column("deduction", "label_en")


def _create_table(
    table: str,
    parent: tuple[str, str],
    *columns: sa.schema.SchemaItem,
    unique: Sequence[str] = (),
) -> None:
    """Create a table of a workspace that hangs on another one, behind its wall."""
    column, target = parent
    keys = (
        []
        if not unique
        else [
            sa.UniqueConstraint(
                "workspace_id", *unique, name=op.f(f"uq_{table}_workspace_id_{'_'.join(unique)}")
            )
        ]
    )
    op.create_table(
        table,
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column(column, Id, nullable=False),
        *columns,
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{table}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", column],
            [f"{target}.workspace_id", f"{target}.id"],
            name=op.f(f"fk_{table}_workspace_id_{column}_{target}"),
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f(f"pk_{table}")),
        *keys,
    )
    if is_postgresql():
        wall_off(table)
