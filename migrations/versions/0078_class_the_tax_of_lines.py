"""Classes of consumption tax: the workspace's own from a day on, and one for each deduction.

What was issued keeps its class. Deductions of deposits settled before were booked outside the tax.
"""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import allow_changes, is_postgresql, refuse_changes, wall_off

revision = "0078"
down_revision = "0077"
branch_labels = None
depends_on = None

_OUTSIDE = "out_of_scope"


def upgrade() -> None:
    op.create_table(
        "tax_class",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("item", sa.String(), nullable=False),
        sa.Column("from_on", sa.Date(), nullable=False),
        sa.Column("treatment", sa.String(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_tax_class_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_tax_class")),
        sa.UniqueConstraint(
            "workspace_id", "item", "from_on", name=op.f("uq_tax_class_workspace_id_item_from_on")
        ),
    )
    if is_postgresql():
        wall_off("tax_class")
    op.add_column(
        "deduction",
        sa.Column("tax_treatment", sa.String(), nullable=False, server_default=_OUTSIDE),
    )


def downgrade() -> None:
    """Call exempt what is outside the tax: the release before knows no other word for it."""
    if is_postgresql():
        op.execute("SELECT set_config('app.workspace', '*', true)")
    allow_changes("ledger_line")
    for table in ("ledger_line", "fee", "period_fee"):
        rows = sa.table(table, sa.column("tax_treatment"))
        outside = rows.c.tax_treatment == _OUTSIDE
        op.execute(sa.update(rows).where(outside).values(tax_treatment="exempt"))
    refuse_changes("ledger_line")
    op.drop_column("deduction", "tax_treatment")
    op.drop_table("tax_class")
