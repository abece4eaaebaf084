"""Keeps the readings of buildings and units, and the addresses they had on the website before."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off
from pms.rules.search_text import fold
from pms.rules.unit_words import describe_layout

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

SUBJECTS = ("building", "unit")


def upgrade() -> None:
    for table in SUBJECTS:
        op.add_column(table, sa.Column("name_kana", sa.String(), nullable=True))
    op.create_table(
        "former_slug",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("building_id", Id, nullable=True),
        sa.Column("unit_id", Id, nullable=True),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("given_up_at", Instant, nullable=False),
        sa.CheckConstraint(
            "(building_id IS NULL) <> (unit_id IS NULL)", name=op.f("ck_former_slug_one_subject")
        ),
        *(
            sa.ForeignKeyConstraint(
                ["workspace_id", f"{table}_id"],
                [f"{table}.workspace_id", f"{table}.id"],
                name=op.f(f"fk_former_slug_workspace_id_{table}"),
                ondelete="CASCADE",
            )
            for table in SUBJECTS
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_former_slug_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_former_slug")),
    )
    for table in SUBJECTS:
        condition = sa.text(f"{table}_id IS NOT NULL")
        op.create_index(
            f"uq_former_slug_{table}",
            "former_slug",
            ["workspace_id", "slug"],
            unique=True,
            sqlite_where=condition,
            postgresql_where=condition,
        )
        op.create_index(
            f"ix_former_slug_{table}_id", "former_slug", ["workspace_id", f"{table}_id"]
        )
    if is_postgresql():
        wall_off("former_slug")
        op.execute("SELECT set_config('app.workspace', '*', true)")
    _let_english_layouts_be_found()


def _let_english_layouts_be_found() -> None:
    """Add each layout as English readers get it to the text that a search looks through."""
    unit = sa.table("unit", sa.column("layout"), sa.column("search_text"))
    layouts = op.get_bind().scalars(sa.select(unit.c.layout).distinct()).all()
    for layout in layouts:
        said = describe_layout(layout or "", "en").text
        if said and said != layout:
            op.execute(
                sa.update(unit)
                .where(unit.c.layout == layout)
                .values(search_text=unit.c.search_text + " " + fold(said))
            )


def downgrade() -> None:
    op.drop_table("former_slug")
    for table in SUBJECTS:
        op.drop_column(table, "name_kana")
