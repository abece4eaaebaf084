"""Records who explained a fixed term, when and how; contracts signed before are not asked."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0076"
down_revision = "0075"
branch_labels = None
depends_on = None

_TABLE = "explanation_talk"


def upgrade() -> None:
    op.add_column(
        "policy",
        sa.Column("explanation_by_person", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.add_column(
        "contract_signature",
        sa.Column("is_unexplained", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column(
        "prior_explanation",
        sa.Column("paper_version", sa.BigInteger(), nullable=False, server_default="1"),
    )
    op.add_column("prior_explanation", sa.Column("wished_way", sa.String(), nullable=True))
    op.add_column("prior_explanation", sa.Column("wished_at", Instant, nullable=True))
    op.create_table(
        _TABLE,
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("explanation_id", Id, nullable=False),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("explained_at", Instant, nullable=False),
        sa.Column("way", sa.String(), nullable=False),
        sa.Column("questions", sa.Text(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{_TABLE}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "explanation_id"],
            ["prior_explanation.workspace_id", "prior_explanation.id"],
            name=op.f(f"fk_{_TABLE}_workspace_id_explanation_id_prior_explanation"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f(f"pk_{_TABLE}")),
    )
    op.create_index(
        "ix_explanation_talk_explanation_id", _TABLE, ["workspace_id", "explanation_id"]
    )
    if is_postgresql():
        wall_off(_TABLE)


def downgrade() -> None:
    op.drop_table(_TABLE)
    op.drop_column("prior_explanation", "wished_at")
    op.drop_column("prior_explanation", "wished_way")
    op.drop_column("prior_explanation", "paper_version")
    op.drop_column("contract_signature", "is_unexplained")
    op.drop_column("policy", "explanation_by_person")
