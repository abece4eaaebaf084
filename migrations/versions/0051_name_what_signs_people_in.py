"""Names sessions and tries of people as the program does: auth_session, auth_tries and user_kind."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None

_ALSO = ("sign_in_code", "sign_in_event")
_KEPT = (
    "id, person_id, workspace_id, address, token_hash, proof, waits_for_factor, device,"
    " created_at, last_seen_at, expires_at, revoked_at"
)


def upgrade() -> None:
    _rename("door", "auth", "door", "user_kind")


def downgrade() -> None:
    _rename("auth", "door", "user_kind", "door")


def _rename(old: str, new: str, old_kind: str, new_kind: str) -> None:
    # Copied rather than renamed: SQLite cannot rename the constraints of a table.
    _create_tables(new, new_kind)
    op.execute(
        f"INSERT INTO {new}_session ({new_kind}, {_KEPT})"
        f" SELECT {old_kind}, {_KEPT} FROM {old}_session"
    )
    op.execute(
        f"INSERT INTO {new}_tries (subject_hash, count, last_at)"
        f" SELECT subject_hash, count, last_at FROM {old}_tries"
    )
    op.drop_table(f"{old}_session")
    op.drop_table(f"{old}_tries")
    for table in _ALSO:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old_kind} TO {new_kind}")


def _create_tables(prefix: str, kind: str) -> None:
    session, tries = f"{prefix}_session", f"{prefix}_tries"
    op.create_table(
        tries,
        sa.Column("subject_hash", sa.String(length=64), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("last_at", Instant, nullable=False),
        sa.PrimaryKeyConstraint("subject_hash", name=op.f(f"pk_{tries}")),
    )
    op.create_table(
        session,
        sa.Column("id", Id, nullable=False),
        sa.Column(kind, sa.String(), nullable=False),
        sa.Column("person_id", Id, nullable=True),
        sa.Column("workspace_id", Id, nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("proof", sa.String(), nullable=False),
        sa.Column("waits_for_factor", sa.Boolean(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("last_seen_at", Instant, nullable=False),
        sa.Column("expires_at", Instant, nullable=False),
        sa.Column("revoked_at", Instant, nullable=True),
        sa.CheckConstraint(
            f"({kind} = 'staff') = (person_id IS NOT NULL)"
            f" AND ({kind} = 'staff') = (workspace_id IS NULL)",
            name=op.f(f"ck_{session}_one_holder"),
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f(f"fk_{session}_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{session}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{session}")),
        sa.UniqueConstraint("token_hash", name=op.f(f"uq_{session}_token_hash")),
    )
    op.create_index(f"ix_{session}_address", session, ["workspace_id", "address"])
    op.create_index(f"ix_{session}_person_id", session, ["person_id"])
