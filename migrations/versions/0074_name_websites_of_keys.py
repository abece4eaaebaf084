"""Keys name the websites whose pages may call the API with them in a browser."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0074"
down_revision = "0073"
branch_labels = None
depends_on = None

_TABLE = "api_key_origin"


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("key_id", Id, nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "key_id"],
            ["api_key.workspace_id", "api_key.id"],
            name=op.f("fk_api_key_origin_workspace_id_key_id_api_key"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_api_key_origin_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_api_key_origin")),
        sa.UniqueConstraint(
            "workspace_id",
            "key_id",
            "origin",
            name=op.f("uq_api_key_origin_workspace_id_key_id_origin"),
        ),
    )
    op.create_index("ix_api_key_origin_origin", _TABLE, ["origin"])
    if is_postgresql():
        wall_off(_TABLE)


def downgrade() -> None:
    op.drop_table(_TABLE)
