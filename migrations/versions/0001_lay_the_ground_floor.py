"""Lays the ground floor: workspaces, keys, catalogue, reservations and content."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Exact, Id, Instant, Json, Recorded
from pms.foundation.row_security import create_app_role, is_postgresql, wall_off

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES_OF_A_WORKSPACE = (
    "api_key",
    "campaign",
    "fee",
    "outbox_mail",
    "owner",
    "policy",
    "position",
    "post",
    "service",
    "site_configuration",
    "building",
    "unit",
    "calendar_feed",
    "campaign_unit",
    "handbook_page",
    "photo",
    "reservation",
    "unit_fee",
    "viewing",
    "co_occupant",
    "external_block",
    "forced_month_to_month",
    "price_period",
    "pricing_snapshot",
    "rent_roll_tenancy",
)

# Ids as one-point ranges keep the constraint free of contrib modules.
UUID_RANGE = "CREATE TYPE uuidrange AS RANGE (subtype = uuid)"
NO_OVERLAP = """ALTER TABLE reservation ADD CONSTRAINT reservation_no_overlap EXCLUDE USING gist (
    uuidrange(workspace_id, workspace_id, '[]') WITH &&,
    uuidrange(unit_id, unit_id, '[]') WITH &&,
    daterange(starts_on, free_from, '[)') WITH &&
) WHERE (cancelled_at IS NULL AND starts_on IS NOT NULL)"""


def no_overlap_trigger(moment: str) -> str:
    """Return the trigger that does on SQLite what the exclusion constraint does."""
    return f"""CREATE TRIGGER reservation_no_overlap_{moment.lower()}
        BEFORE {moment} ON reservation
        WHEN NEW.cancelled_at IS NULL AND NEW.starts_on IS NOT NULL
        BEGIN
            SELECT RAISE(ABORT, 'reservation_no_overlap') WHERE EXISTS (
                SELECT 1 FROM reservation AS other
                WHERE other.workspace_id = NEW.workspace_id
                  AND other.unit_id = NEW.unit_id
                  AND other.id <> NEW.id
                  AND other.cancelled_at IS NULL
                  AND (other.free_from IS NULL
                       OR other.free_from > max(NEW.starts_on, other.starts_on))
                  AND (NEW.free_from IS NULL
                       OR NEW.free_from > max(NEW.starts_on, other.starts_on))
            );
        END"""


def upgrade() -> None:
    op.create_table(
        "heartbeat",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("beat_at", Instant, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeat")),
    )
    op.create_table(
        "job_slot",
        sa.Column("schedule", sa.String(), nullable=False),
        sa.Column("slot", sa.String(), nullable=False),
        sa.Column("taken_at", Instant, nullable=False),
        sa.PrimaryKeyConstraint("schedule", "slot", name=op.f("pk_job_slot")),
    )
    op.create_table(
        "workspace",
        sa.Column("id", Id, nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_en", sa.String(), nullable=True),
        sa.Column("default_locale", sa.String(), nullable=False),
        sa.Column("brand_hue", sa.BigInteger(), nullable=False),
        sa.Column("logo_file_key", sa.String(), nullable=True),
        sa.Column("catalogue_version", sa.BigInteger(), nullable=False),
        sa.Column("occupancy_version", sa.BigInteger(), nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workspace")),
        sa.UniqueConstraint("slug", name=op.f("uq_workspace_slug")),
    )
    op.create_table(
        "api_key",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("hint", sa.String(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("scopes", Json, nullable=False),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("is_legacy", sa.Boolean(), nullable=False),
        sa.Column("budget_per_hour", sa.BigInteger(), nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("last_used_at", Instant, nullable=True),
        sa.Column("revoked_at", Instant, nullable=True),
        sa.Column("replaced_by_id", Id, nullable=True),
        sa.CheckConstraint("budget_per_hour > 0", name=op.f("ck_api_key_some_budget")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "replaced_by_id"],
            ["api_key.workspace_id", "api_key.id"],
            name=op.f("fk_api_key_workspace_id_replaced_by_id_api_key"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_api_key_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_api_key")),
        sa.UniqueConstraint("hash", name=op.f("uq_api_key_hash")),
    )
    op.create_table(
        "campaign",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("title_ja", sa.String(), nullable=False),
        sa.Column("title_en", sa.String(), nullable=False),
        sa.Column("body_ja", sa.Text(), nullable=False),
        sa.Column("body_en", sa.Text(), nullable=False),
        sa.Column("starts_on", sa.Date(), nullable=False),
        sa.Column("ends_on", sa.Date(), nullable=True),
        sa.Column("is_published", sa.Boolean(), nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_campaign_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_campaign")),
        sa.UniqueConstraint("workspace_id", "slug", name=op.f("uq_campaign_workspace_id_slug")),
    )
    op.create_table(
        "fee",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("label_ja", sa.String(), nullable=False),
        sa.Column("label_en", sa.String(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("is_monthly", sa.Boolean(), nullable=False),
        sa.Column("amount_yen", sa.BigInteger(), nullable=True),
        sa.Column("percent", sa.String(), nullable=True),
        sa.Column("tax_treatment", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(amount_yen IS NULL) <> (percent IS NULL)", name=op.f("ck_fee_one_figure")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_fee_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_fee")),
        sa.UniqueConstraint("workspace_id", "code", name=op.f("uq_fee_workspace_id_code")),
    )
    op.create_table(
        "outbox_mail",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("html", sa.Text(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("due_at", Instant, nullable=True),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("sent_at", Instant, nullable=True),
        sa.Column("given_up_at", Instant, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_outbox_mail_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_outbox_mail")),
    )
    with op.batch_alter_table("outbox_mail", schema=None) as batch_op:
        batch_op.create_index("ix_outbox_mail_due_at", ["due_at"], unique=False)

    op.create_table(
        "owner",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_kana", sa.String(), nullable=True),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("phone", sa.String(), nullable=True),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("created_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_owner_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_owner")),
    )
    op.create_table(
        "policy",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("full_calendar_month_is_long", sa.Boolean(), nullable=False),
        sa.Column("short_contract_days", sa.BigInteger(), nullable=False),
        sa.Column("short_notice_days", sa.BigInteger(), nullable=False),
        sa.Column("long_notice_days", sa.BigInteger(), nullable=False),
        sa.Column("early_exit_cap_months", Exact(), nullable=False),
        sa.Column("billing_day", sa.BigInteger(), nullable=False),
        sa.Column("turnover_days", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_policy_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_policy")),
        sa.UniqueConstraint("workspace_id", name=op.f("uq_policy_workspace_id")),
    )
    op.create_table(
        "position",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("order", sa.BigInteger(), nullable=False),
        sa.Column("title_ja", sa.String(), nullable=False),
        sa.Column("title_en", sa.String(), nullable=False),
        sa.Column("body_ja", sa.Text(), nullable=False),
        sa.Column("body_en", sa.Text(), nullable=False),
        sa.Column("place_ja", sa.String(), nullable=True),
        sa.Column("place_en", sa.String(), nullable=True),
        sa.Column("is_published", sa.Boolean(), nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_position_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_position")),
        sa.UniqueConstraint("workspace_id", "slug", name=op.f("uq_position_workspace_id_slug")),
    )
    op.create_table(
        "post",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("title_ja", sa.String(), nullable=False),
        sa.Column("title_en", sa.String(), nullable=True),
        sa.Column("summary_ja", sa.Text(), nullable=False),
        sa.Column("summary_en", sa.Text(), nullable=True),
        sa.Column("body_ja", sa.Text(), nullable=False),
        sa.Column("body_en", sa.Text(), nullable=True),
        sa.Column("published_at", Instant, nullable=True),
        sa.Column("updated_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_post_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_post")),
        sa.UniqueConstraint("workspace_id", "slug", name=op.f("uq_post_workspace_id_slug")),
    )
    with op.batch_alter_table("post", schema=None) as batch_op:
        batch_op.create_index(
            "ix_post_published_at", ["workspace_id", "published_at", "id"], unique=False
        )

    op.create_table(
        "service",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("order", sa.BigInteger(), nullable=False),
        sa.Column("title_ja", sa.String(), nullable=False),
        sa.Column("title_en", sa.String(), nullable=False),
        sa.Column("body_ja", sa.Text(), nullable=False),
        sa.Column("body_en", sa.Text(), nullable=False),
        sa.Column("is_published", sa.Boolean(), nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_service_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_service")),
        sa.UniqueConstraint("workspace_id", "slug", name=op.f("uq_service_workspace_id_slug")),
    )
    op.create_table(
        "site_configuration",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("base_url", sa.String(), nullable=False),
        sa.Column("title_ja", sa.String(), nullable=False),
        sa.Column("title_en", sa.String(), nullable=False),
        sa.Column("tagline_ja", sa.String(), nullable=False),
        sa.Column("tagline_en", sa.String(), nullable=False),
        sa.Column("contact_email", sa.String(), nullable=True),
        sa.Column("contact_phone", sa.String(), nullable=True),
        sa.Column("address_ja", sa.String(), nullable=True),
        sa.Column("address_en", sa.String(), nullable=True),
        sa.Column("social_links", Json, nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_site_configuration_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_site_configuration")),
        sa.UniqueConstraint("workspace_id", name=op.f("uq_site_configuration_workspace_id")),
    )
    op.create_table(
        "building",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=True),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("name_en", sa.String(), nullable=True),
        sa.Column("area", sa.String(), nullable=False),
        sa.Column("area_en", sa.String(), nullable=True),
        sa.Column("postcode", sa.String(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("address_en", sa.String(), nullable=True),
        sa.Column("access_ja", sa.Text(), nullable=True),
        sa.Column("access_en", sa.Text(), nullable=True),
        sa.Column("description_ja", sa.Text(), nullable=True),
        sa.Column("description_en", sa.Text(), nullable=True),
        sa.Column("name_text", sa.String(), nullable=False),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "owner_id"],
            ["owner.workspace_id", "owner.id"],
            name=op.f("fk_building_workspace_id_owner_id_owner"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_building_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_building")),
        sa.UniqueConstraint(
            "workspace_id", "name_key", name=op.f("uq_building_workspace_id_name_key")
        ),
        sa.UniqueConstraint("workspace_id", "slug", name=op.f("uq_building_workspace_id_slug")),
    )
    with op.batch_alter_table("building", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_building_owner_id"), ["owner_id"], unique=False)

    op.create_table(
        "unit",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("layout", sa.String(), nullable=True),
        sa.Column("bedrooms", sa.BigInteger(), nullable=True),
        sa.Column("size_centi_sqm", sa.BigInteger(), nullable=True),
        sa.Column("floor", sa.BigInteger(), nullable=True),
        sa.Column("rent_yen", sa.BigInteger(), nullable=True),
        sa.Column("deposit_yen", sa.BigInteger(), nullable=True),
        sa.Column("reservation_fee_yen", sa.BigInteger(), nullable=True),
        sa.Column("minimum_stay_days", sa.BigInteger(), nullable=True),
        sa.Column("features", Json, nullable=False),
        sa.Column("features_en", Json, nullable=False),
        sa.Column("description_ja", sa.Text(), nullable=True),
        sa.Column("description_en", sa.Text(), nullable=True),
        sa.Column("name_text", sa.String(), nullable=False),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("rent_yen >= 0", name=op.f("ck_unit_rent_not_negative")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_unit_workspace_id_building_id_building"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_unit_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_unit")),
        sa.UniqueConstraint(
            "workspace_id",
            "building_id",
            "name_key",
            name=op.f("uq_unit_workspace_id_building_id_name_key"),
        ),
        sa.UniqueConstraint("workspace_id", "slug", name=op.f("uq_unit_workspace_id_slug")),
    )
    with op.batch_alter_table("unit", schema=None) as batch_op:
        batch_op.create_index("ix_unit_rent", ["workspace_id", "rent_yen", "id"], unique=False)
        batch_op.create_index(
            "ix_unit_size", ["workspace_id", "size_centi_sqm", "id"], unique=False
        )

    op.create_table(
        "calendar_feed",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("url", sa.String(), nullable=True),
        sa.Column("last_read_at", Instant, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_calendar_feed_workspace_id_unit_id_unit"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_calendar_feed_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_calendar_feed")),
        sa.UniqueConstraint(
            "workspace_id",
            "unit_id",
            "name",
            name=op.f("uq_calendar_feed_workspace_id_unit_id_name"),
        ),
    )
    op.create_table(
        "campaign_unit",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("campaign_id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "campaign_id"],
            ["campaign.workspace_id", "campaign.id"],
            name=op.f("fk_campaign_unit_workspace_id_campaign_id_campaign"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_campaign_unit_workspace_id_unit_id_unit"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_campaign_unit_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_campaign_unit")),
        sa.UniqueConstraint(
            "workspace_id",
            "unit_id",
            "campaign_id",
            name=op.f("uq_campaign_unit_workspace_id_unit_id_campaign_id"),
        ),
    )
    with op.batch_alter_table("campaign_unit", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_campaign_unit_campaign_id"), ["campaign_id"], unique=False
        )

    op.create_table(
        "handbook_page",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=True),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("title_ja", sa.String(), nullable=False),
        sa.Column("title_en", sa.String(), nullable=False),
        sa.Column("body_ja", sa.Text(), nullable=False),
        sa.Column("body_en", sa.Text(), nullable=False),
        sa.Column("guarded_code", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_handbook_page_workspace_id_building_id_building"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_handbook_page_workspace_id_unit_id_unit"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_handbook_page_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_handbook_page")),
    )
    with op.batch_alter_table("handbook_page", schema=None) as batch_op:
        batch_op.create_index(
            "ix_handbook_page_building_id",
            ["workspace_id", "building_id", "position"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_handbook_page_unit_id"), ["unit_id"], unique=False)

    op.create_table(
        "photo",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("building_id", Id, nullable=True),
        sa.Column("unit_id", Id, nullable=True),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("width", sa.BigInteger(), nullable=False),
        sa.Column("height", sa.BigInteger(), nullable=False),
        sa.Column("alt_ja", sa.String(), nullable=False),
        sa.Column("alt_en", sa.String(), nullable=False),
        sa.Column("files", Json, nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.CheckConstraint(
            "(building_id IS NULL) <> (unit_id IS NULL)", name=op.f("ck_photo_one_subject")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_photo_workspace_id_building_id_building"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_photo_workspace_id_unit_id_unit"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_photo_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_photo")),
    )
    with op.batch_alter_table("photo", schema=None) as batch_op:
        batch_op.create_index(
            "ix_photo_building_id", ["workspace_id", "building_id", "position"], unique=False
        )
        batch_op.create_index(
            "ix_photo_unit_id", ["workspace_id", "unit_id", "position"], unique=False
        )

    op.create_table(
        "reservation",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("lifecycle", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_kana", sa.String(), nullable=True),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("email_key", sa.String(), nullable=True),
        sa.Column("phone", sa.String(), nullable=True),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("move_in_date", Recorded, nullable=True),
        sa.Column("override_move_in_date", Recorded, nullable=True),
        sa.Column("arrival_date", Recorded, nullable=True),
        sa.Column("contract_end_date", Recorded, nullable=True),
        sa.Column("override_contract_end_date", Recorded, nullable=True),
        sa.Column("move_out_date", Recorded, nullable=True),
        sa.Column("expected_departure_date", Recorded, nullable=True),
        sa.Column("forced_on", sa.Date(), nullable=True),
        sa.Column("starts_on", sa.Date(), nullable=True),
        sa.Column("ends_on", sa.Date(), nullable=True),
        sa.Column("free_from", sa.Date(), nullable=True),
        sa.Column("cancelled_at", Instant, nullable=True),
        sa.Column("reservation_fee_yen", sa.BigInteger(), nullable=False),
        sa.Column("deposit_yen", sa.BigInteger(), nullable=False),
        sa.Column("payment_status", sa.String(), nullable=False),
        sa.Column("esign_status", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("deposit_yen >= 0", name=op.f("ck_reservation_deposit_not_negative")),
        sa.CheckConstraint(
            "reservation_fee_yen >= 0", name=op.f("ck_reservation_fee_not_negative")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_reservation_workspace_id_unit_id_unit"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_reservation_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_reservation")),
    )
    with op.batch_alter_table("reservation", schema=None) as batch_op:
        batch_op.create_index("ix_reservation_email", ["workspace_id", "email_key"], unique=False)
        batch_op.create_index("ix_reservation_ends_on", ["workspace_id", "ends_on"], unique=False)
        batch_op.create_index(
            "ix_reservation_esign_status", ["workspace_id", "esign_status", "id"], unique=False
        )
        batch_op.create_index(
            "ix_reservation_payment_status", ["workspace_id", "payment_status", "id"], unique=False
        )
        batch_op.create_index(
            "ix_reservation_unit_id", ["workspace_id", "unit_id", "starts_on"], unique=False
        )

    op.create_table(
        "unit_fee",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=False),
        sa.Column("fee_id", Id, nullable=False),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "fee_id"],
            ["fee.workspace_id", "fee.id"],
            name=op.f("fk_unit_fee_workspace_id_fee_id_fee"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_unit_fee_workspace_id_unit_id_unit"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_unit_fee_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_unit_fee")),
        sa.UniqueConstraint(
            "workspace_id",
            "unit_id",
            "fee_id",
            name=op.f("uq_unit_fee_workspace_id_unit_id_fee_id"),
        ),
    )
    with op.batch_alter_table("unit_fee", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_unit_fee_fee_id"), ["fee_id"], unique=False)

    op.create_table(
        "viewing",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("starts_at", Instant, nullable=False),
        sa.Column("duration_minutes", sa.BigInteger(), nullable=False),
        sa.Column("visitor_name", sa.String(), nullable=False),
        sa.Column("visitor_email", sa.String(), nullable=True),
        sa.Column("visitor_phone", sa.String(), nullable=True),
        sa.Column("visitor_locale", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_viewing_workspace_id_unit_id_unit"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_viewing_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_viewing")),
    )
    with op.batch_alter_table("viewing", schema=None) as batch_op:
        batch_op.create_index(
            "ix_viewing_starts_at", ["workspace_id", "starts_at", "id"], unique=False
        )
        batch_op.create_index("ix_viewing_unit_id", ["workspace_id", "unit_id"], unique=False)

    op.create_table(
        "co_occupant",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_kana", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_co_occupant_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_co_occupant_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_co_occupant")),
    )
    with op.batch_alter_table("co_occupant", schema=None) as batch_op:
        batch_op.create_index(
            "ix_co_occupant_reservation_id",
            ["workspace_id", "reservation_id", "position"],
            unique=False,
        )

    op.create_table(
        "external_block",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("first_on", Recorded, nullable=True),
        sa.Column("last_on", Recorded, nullable=True),
        sa.Column("summary", sa.String(), nullable=True),
        sa.Column("feed_id", Id, nullable=True),
        sa.Column("uid", sa.String(), nullable=True),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "feed_id"],
            ["calendar_feed.workspace_id", "calendar_feed.id"],
            name=op.f("fk_external_block_workspace_id_feed_id_calendar_feed"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_external_block_workspace_id_unit_id_unit"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_external_block_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_external_block")),
        sa.UniqueConstraint(
            "workspace_id",
            "feed_id",
            "uid",
            "first_on",
            name=op.f("uq_external_block_workspace_id_feed_id_uid_first_on"),
        ),
    )
    with op.batch_alter_table("external_block", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_external_block_feed_id"), ["feed_id"], unique=False)
        batch_op.create_index(
            "ix_external_block_last_on", ["workspace_id", "last_on"], unique=False
        )
        batch_op.create_index(
            "ix_external_block_unit_id", ["workspace_id", "unit_id"], unique=False
        )

    op.create_table(
        "forced_month_to_month",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("set_at", Instant, nullable=False),
        sa.Column("set_by", sa.String(), nullable=False),
        sa.Column("cleared_at", Instant, nullable=True),
        sa.Column("cleared_by", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_forced_month_to_month_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_forced_month_to_month_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_forced_month_to_month")),
    )
    with op.batch_alter_table("forced_month_to_month", schema=None) as batch_op:
        batch_op.create_index(
            "uq_forced_month_to_month_in_force",
            ["workspace_id", "reservation_id"],
            unique=True,
            sqlite_where=sa.text("cleared_at IS NULL"),
            postgresql_where=sa.text("cleared_at IS NULL"),
        )

    op.create_table(
        "price_period",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("first_on", sa.Date(), nullable=False),
        sa.Column("last_on", sa.Date(), nullable=True),
        sa.Column("base_rent_yen", sa.BigInteger(), nullable=False),
        sa.Column("utilities_yen", sa.BigInteger(), nullable=False),
        sa.Column("building_maintenance_yen", sa.BigInteger(), nullable=False),
        sa.Column("short_term_surcharge_yen", sa.BigInteger(), nullable=False),
        sa.Column("guest_surcharge_yen", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "last_on IS NULL OR last_on >= first_on", name=op.f("ck_price_period_days_in_order")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_price_period_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_price_period_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_price_period")),
        sa.UniqueConstraint(
            "workspace_id",
            "reservation_id",
            "first_on",
            name=op.f("uq_price_period_workspace_id_reservation_id_first_on"),
        ),
    )
    op.create_table(
        "pricing_snapshot",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("frozen_at", Instant, nullable=False),
        sa.Column("base_rent_yen", sa.BigInteger(), nullable=False),
        sa.Column("utilities_yen", sa.BigInteger(), nullable=False),
        sa.Column("building_maintenance_yen", sa.BigInteger(), nullable=False),
        sa.Column("short_term_surcharge_yen", sa.BigInteger(), nullable=False),
        sa.Column("guest_surcharge_yen", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_pricing_snapshot_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_pricing_snapshot_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_pricing_snapshot")),
        sa.UniqueConstraint(
            "workspace_id",
            "reservation_id",
            name=op.f("uq_pricing_snapshot_workspace_id_reservation_id"),
        ),
    )
    op.create_table(
        "rent_roll_tenancy",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("block_id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=False),
        sa.Column("status", sa.String(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_kana", sa.String(), nullable=True),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("phone", sa.String(), nullable=True),
        sa.Column("contract_start_date", Recorded, nullable=True),
        sa.Column("contract_end_date", Recorded, nullable=True),
        sa.Column("rent_yen", sa.BigInteger(), nullable=False),
        sa.Column("common_fee_yen", sa.BigInteger(), nullable=True),
        sa.Column("utilities_yen", sa.BigInteger(), nullable=True),
        sa.Column("deposit_yen", sa.BigInteger(), nullable=True),
        sa.Column("payment_method", sa.String(), nullable=True),
        sa.Column("remark", sa.Text(), nullable=True),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "block_id"],
            ["external_block.workspace_id", "external_block.id"],
            name=op.f("fk_rent_roll_tenancy_workspace_id_block_id_external_block"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_rent_roll_tenancy_workspace_id_unit_id_unit"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_rent_roll_tenancy_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_rent_roll_tenancy")),
        sa.UniqueConstraint(
            "workspace_id", "block_id", name=op.f("uq_rent_roll_tenancy_workspace_id_block_id")
        ),
        sa.UniqueConstraint(
            "workspace_id",
            "unit_id",
            "contract_start_date",
            name=op.f("uq_rent_roll_tenancy_workspace_id_unit_id_contract_start_date"),
        ),
    )
    if is_postgresql():
        _build_walls()
        op.execute(UUID_RANGE)
        op.execute(NO_OVERLAP)
    else:
        for moment in ("INSERT", "UPDATE"):
            op.execute(no_overlap_trigger(moment))


def _build_walls() -> None:
    create_app_role()
    wall_off("workspace", column="id")
    for table in TABLES_OF_A_WORKSPACE:
        wall_off(table)


def downgrade() -> None:
    op.drop_table("rent_roll_tenancy")
    op.drop_table("pricing_snapshot")
    op.drop_table("price_period")
    with op.batch_alter_table("forced_month_to_month", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_forced_month_to_month_in_force",
            sqlite_where=sa.text("cleared_at IS NULL"),
            postgresql_where=sa.text("cleared_at IS NULL"),
        )

    op.drop_table("forced_month_to_month")
    with op.batch_alter_table("external_block", schema=None) as batch_op:
        batch_op.drop_index("ix_external_block_unit_id")
        batch_op.drop_index("ix_external_block_last_on")
        batch_op.drop_index(batch_op.f("ix_external_block_feed_id"))

    op.drop_table("external_block")
    with op.batch_alter_table("co_occupant", schema=None) as batch_op:
        batch_op.drop_index("ix_co_occupant_reservation_id")

    op.drop_table("co_occupant")
    with op.batch_alter_table("viewing", schema=None) as batch_op:
        batch_op.drop_index("ix_viewing_unit_id")
        batch_op.drop_index("ix_viewing_starts_at")

    op.drop_table("viewing")
    with op.batch_alter_table("unit_fee", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_unit_fee_fee_id"))

    op.drop_table("unit_fee")
    with op.batch_alter_table("reservation", schema=None) as batch_op:
        batch_op.drop_index("ix_reservation_unit_id")
        batch_op.drop_index("ix_reservation_payment_status")
        batch_op.drop_index("ix_reservation_esign_status")
        batch_op.drop_index("ix_reservation_ends_on")
        batch_op.drop_index("ix_reservation_email")

    op.drop_table("reservation")
    with op.batch_alter_table("photo", schema=None) as batch_op:
        batch_op.drop_index("ix_photo_unit_id")
        batch_op.drop_index("ix_photo_building_id")

    op.drop_table("photo")
    with op.batch_alter_table("handbook_page", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_handbook_page_unit_id"))
        batch_op.drop_index("ix_handbook_page_building_id")

    op.drop_table("handbook_page")
    with op.batch_alter_table("campaign_unit", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_campaign_unit_campaign_id"))

    op.drop_table("campaign_unit")
    op.drop_table("calendar_feed")
    with op.batch_alter_table("unit", schema=None) as batch_op:
        batch_op.drop_index("ix_unit_size")
        batch_op.drop_index("ix_unit_rent")

    op.drop_table("unit")
    with op.batch_alter_table("building", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_building_owner_id"))

    op.drop_table("building")
    op.drop_table("site_configuration")
    op.drop_table("service")
    with op.batch_alter_table("post", schema=None) as batch_op:
        batch_op.drop_index("ix_post_published_at")

    op.drop_table("post")
    op.drop_table("position")
    op.drop_table("policy")
    op.drop_table("owner")
    with op.batch_alter_table("outbox_mail", schema=None) as batch_op:
        batch_op.drop_index("ix_outbox_mail_due_at")

    op.drop_table("outbox_mail")
    op.drop_table("fee")
    op.drop_table("campaign")
    op.drop_table("api_key")
    op.drop_table("workspace")
    op.drop_table("job_slot")
    op.drop_table("heartbeat")
    if is_postgresql():
        op.execute("DROP TYPE uuidrange")
