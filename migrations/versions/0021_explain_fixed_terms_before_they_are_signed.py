"""Says which kind of lease a template is, and keeps the prior explanation of fixed-term leases."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

# How a text of earlier releases says that it is a fixed-term lease.
_FIXED_TERM = ("%定期%", "%fixed-term%", "%fixed term%", "%第38条%", "%article 38%")


def upgrade() -> None:
    op.add_column(
        "contract_template",
        sa.Column("lease_kind", sa.String(), nullable=False, server_default="fixed_term"),
    )
    op.add_column(
        "contract",
        sa.Column("needs_explanation", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "prior_explanation",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=True),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("body_hash", sa.String(64), nullable=False),
        sa.Column("stated", Json, nullable=False),
        sa.Column("consented_at", Instant, nullable=True),
        sa.Column("handed_on", sa.Date(), nullable=True),
        sa.Column("confirmed_at", Instant, nullable=True),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(consented_at IS NULL) <> (handed_on IS NULL)",
            name=op.f("ck_prior_explanation_one_way"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_prior_explanation_workspace_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_prior_explanation_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_prior_explanation")),
    )
    op.create_index(
        "ix_prior_explanation_reservation_id",
        "prior_explanation",
        ["workspace_id", "reservation_id"],
    )
    op.add_column("reservation_link", sa.Column("explanation_id", Id, nullable=True))
    if is_postgresql():
        wall_off("prior_explanation")
        op.execute("SELECT set_config('app.workspace', '*', true)")
    _tell_kinds()


def _tell_kinds() -> None:
    """Read from the texts which templates and unsigned documents are fixed-term leases."""
    template, contract = (
        sa.table(
            "contract_template",
            *(sa.column(name) for name in ("body_ja", "body_en", "lease_kind")),
        ),
        sa.table("contract", sa.column("body"), sa.column("needs_explanation", sa.Boolean)),
    )
    both = sa.func.lower(template.c.body_ja + " " + template.c.body_en)
    op.execute(
        sa.update(template)
        .where(sa.not_(sa.or_(*(both.like(words) for words in _FIXED_TERM))))
        .values(lease_kind="ordinary")
    )
    text = sa.func.lower(contract.c.body)
    op.execute(
        sa.update(contract)
        .where(sa.or_(*(text.like(words) for words in _FIXED_TERM)))
        .values(needs_explanation=True)
    )


def downgrade() -> None:
    op.drop_column("reservation_link", "explanation_id")
    op.drop_table("prior_explanation")
    op.drop_column("contract", "needs_explanation")
    op.drop_column("contract_template", "lease_kind")
