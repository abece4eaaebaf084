"""The management form of a building from a day on, and who stands on each paper.

Papers made before keep what they say.
"""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0084"
down_revision = "0083"
branch_labels = None
depends_on = None

_PAPERS = ("invoice", "receipt", "contract", "prior_explanation")


def upgrade() -> None:
    op.create_table(
        "management_form",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("form", sa.String(), nullable=False),
        sa.Column("from_on", sa.Date(), nullable=False),
        sa.Column("lessor_address", sa.String(), nullable=True),
        sa.Column("lessor_number", sa.String(), nullable=True),
        sa.Column("informed_on", sa.Date(), nullable=True),
        sa.Column("payee_account", sa.Text(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_management_form_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_management_form_workspace_id_building_id_building"),
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_management_form")),
    )
    op.create_index(
        "ix_management_form_building_id",
        "management_form",
        ["workspace_id", "building_id", "from_on"],
    )
    if is_postgresql():
        wall_off("management_form")
    for table in _PAPERS:
        op.add_column(table, sa.Column("parties", Json, nullable=True))


def downgrade() -> None:
    for table in _PAPERS:
        op.drop_column(table, "parties")
    op.drop_table("management_form")
