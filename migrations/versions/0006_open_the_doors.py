"""Opens the doors: people, their places in workspaces, sessions, codes and invitations."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

TABLES_OF_A_WORKSPACE = ("invitation", "member")


def upgrade() -> None:
    op.create_table(
        "door_tries",
        sa.Column("subject_hash", sa.String(length=64), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("last_at", Instant, nullable=False),
        sa.PrimaryKeyConstraint("subject_hash", name=op.f("pk_door_tries")),
    )
    op.create_table(
        "person",
        sa.Column("id", Id, nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=True),
        sa.Column("factor_salt", sa.String(), nullable=True),
        sa.Column("factor_confirmed_at", Instant, nullable=True),
        sa.Column("factor_step", sa.BigInteger(), nullable=False),
        sa.Column("recovery_hashes", Json, nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("deactivated_at", Instant, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("email", name=op.f("uq_person_email")),
    )
    op.create_table(
        "door_session",
        sa.Column("id", Id, nullable=False),
        sa.Column("door", sa.String(), nullable=False),
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
            "(door = 'staff') = (person_id IS NOT NULL) AND (door = 'staff') = (workspace_id IS NULL)",
            name=op.f("ck_door_session_one_holder"),
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_door_session_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_door_session_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_door_session")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_door_session_token_hash")),
    )
    with op.batch_alter_table("door_session", schema=None) as batch_op:
        batch_op.create_index("ix_door_session_address", ["workspace_id", "address"], unique=False)
        batch_op.create_index("ix_door_session_person_id", ["person_id"], unique=False)

    op.create_table(
        "invitation",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("invited_at", Instant, nullable=False),
        sa.Column("invited_by", sa.String(), nullable=False),
        sa.Column("expires_at", Instant, nullable=False),
        sa.Column("accepted_at", Instant, nullable=True),
        sa.Column("revoked_at", Instant, nullable=True),
        sa.Column("revoked_by", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_invitation_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_invitation")),
    )
    with op.batch_alter_table("invitation", schema=None) as batch_op:
        batch_op.create_index("ix_invitation_email", ["workspace_id", "email"], unique=False)

    op.create_table(
        "kept_form",
        sa.Column("id", Id, nullable=False),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("fields", Json, nullable=False),
        sa.Column("kept_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_kept_form_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kept_form")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_kept_form_token_hash")),
    )
    op.create_table(
        "member",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("invited_at", Instant, nullable=True),
        sa.Column("invited_by", sa.String(), nullable=True),
        sa.Column("accepted_at", Instant, nullable=False),
        sa.Column("role_changed_at", Instant, nullable=True),
        sa.Column("role_changed_by", sa.String(), nullable=True),
        sa.Column("removed_at", Instant, nullable=True),
        sa.Column("removed_by", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_member_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_member_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_member")),
    )
    with op.batch_alter_table("member", schema=None) as batch_op:
        batch_op.create_index(
            "ix_member_one_place",
            ["workspace_id", "person_id"],
            unique=True,
            sqlite_where=sa.text("removed_at IS NULL"),
            postgresql_where=sa.text("removed_at IS NULL"),
        )
        batch_op.create_index("ix_member_person_id", ["person_id"], unique=False)

    op.create_table(
        "sign_in_code",
        sa.Column("id", Id, nullable=False),
        sa.Column("door", sa.String(), nullable=False),
        sa.Column("workspace_id", Id, nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("screen_hash", sa.String(length=64), nullable=False),
        sa.Column("salt", sa.String(length=64), nullable=False),
        sa.Column("sent_at", Instant, nullable=False),
        sa.Column("mail_due_at", Instant, nullable=True),
        sa.Column("wrong_tries", sa.BigInteger(), nullable=False),
        sa.Column("used_at", Instant, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_sign_in_code_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_code")),
    )
    with op.batch_alter_table("sign_in_code", schema=None) as batch_op:
        batch_op.create_index("ix_sign_in_code_address", ["address", "sent_at"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_sign_in_code_mail_due_at"), ["mail_due_at"], unique=False
        )

    if is_postgresql():
        for table in TABLES_OF_A_WORKSPACE:
            wall_off(table)


def downgrade() -> None:
    with op.batch_alter_table("sign_in_code", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sign_in_code_mail_due_at"))
        batch_op.drop_index("ix_sign_in_code_address")

    op.drop_table("sign_in_code")
    with op.batch_alter_table("member", schema=None) as batch_op:
        batch_op.drop_index("ix_member_person_id")
        batch_op.drop_index(
            "ix_member_one_place",
            sqlite_where=sa.text("removed_at IS NULL"),
            postgresql_where=sa.text("removed_at IS NULL"),
        )

    op.drop_table("member")
    op.drop_table("kept_form")
    with op.batch_alter_table("invitation", schema=None) as batch_op:
        batch_op.drop_index("ix_invitation_email")

    op.drop_table("invitation")
    with op.batch_alter_table("door_session", schema=None) as batch_op:
        batch_op.drop_index("ix_door_session_person_id")
        batch_op.drop_index("ix_door_session_address")

    op.drop_table("door_session")
    op.drop_table("person")
    op.drop_table("door_tries")
