"""Codes can prove a new address of a member of staff: they name whose address it becomes."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id

revision = "0069"
down_revision = "0068"
branch_labels = None
depends_on = None

_INDEX = "ix_sign_in_code_person_id"


def upgrade() -> None:
    op.add_column("sign_in_code", sa.Column("person_id", Id, nullable=True))
    op.create_index(_INDEX, "sign_in_code", ["person_id", "sent_at"])


def downgrade() -> None:
    # An earlier release would take such a code for one that signs in.
    op.execute("DELETE FROM sign_in_code WHERE person_id IS NOT NULL")
    op.drop_index(_INDEX, "sign_in_code")
    op.drop_column("sign_in_code", "person_id")
