"""Tables of the catalogue (specification, Resources; external blocks under Availability)."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, Date, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from pms.foundation.building_paths import shared, through
from pms.foundation.db import Base, Id, Instant, Json, Recorded, Word, only_where
from pms.foundation.files import HAS_FILES
from pms.foundation.lists import fold_columns
from pms.foundation.sealing import SEALED, opened_column
from pms.foundation.tenancy import OfWorkspace, link
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY
from pms.rules.days import RecordedDay
from pms.rules.enumerations import BlockSource, HandbookTopic, UnitType
from pms.rules.management_forms import ManagementForm
from pms.rules.room_names import building_key, room_key
from pms.rules.search_text import fold
from pms.rules.unit_words import describe_layout

_BUILDING_TEXTS = (
    "name",
    "name_kana",
    "name_en",
    "area",
    "area_en",
    "address",
    "address_en",
    "access_ja",
    "access_en",
    "description_ja",
    "description_en",
)
_UNIT_TEXTS = (
    "name",
    "name_kana",
    "layout",
    "features",
    "features_en",
    "description_ja",
    "description_en",
)


def _layout_in_english(row: Mapping[str, Any]) -> str:
    layout = row.get("layout")
    return fold(describe_layout(layout, "en").text) if layout else ""


class Owner(OfWorkspace, Base):
    """An owner of buildings, who may be the operator."""

    __tablename__ = "owner"
    building_path = through(
        named_by=(
            "building.owner_id",
            "building_share.owner_id",
        )
    )
    noun = "owner"
    is_referred_to = True
    raises_version = LEDGER

    name: Mapped[str]
    name_kana: Mapped[str | None]
    email: Mapped[str | None]
    phone: Mapped[str | None]
    locale: Mapped[str] = mapped_column(default="ja")
    note: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Instant)
    version: Mapped[int] = mapped_column(default=1)


class Building(OfWorkspace, Base):
    """A property; `name_text` and `search_text` are the folded texts for searches."""

    __tablename__ = "building"
    building_path = through("id")
    noun = "building"
    is_referred_to = True
    __table_args__ = (
        link("owner_id", "owner"),
        UniqueConstraint("workspace_id", "slug"),
        UniqueConstraint("workspace_id", "name_key"),
    )
    raises_version = CATALOGUE
    derived_from = frozenset(_BUILDING_TEXTS)

    owner_id: Mapped[str | None] = mapped_column(Id, index=True)
    slug: Mapped[str]
    name: Mapped[str]
    name_key: Mapped[str]
    name_kana: Mapped[str | None]
    name_en: Mapped[str | None]
    area: Mapped[str]
    area_en: Mapped[str | None]
    postcode: Mapped[str | None]
    address: Mapped[str]
    address_en: Mapped[str | None]
    access_ja: Mapped[str | None] = mapped_column(Text)
    access_en: Mapped[str | None] = mapped_column(Text)
    description_ja: Mapped[str | None] = mapped_column(Text)
    description_en: Mapped[str | None] = mapped_column(Text)
    name_text: Mapped[str] = mapped_column(default="")
    search_text: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime] = mapped_column(Instant)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    version: Mapped[int] = mapped_column(default=1)

    @classmethod
    def derive(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "name_key": building_key(row["name"]),
            "name_text": fold_columns(row, ("name", "name_kana", "name_en")),
            "search_text": fold_columns(row, _BUILDING_TEXTS),
        }


class BuildingShare(OfWorkspace, Base):
    """One owner's share of a building from a day on; the rows of a day add up to the whole.

    They apply until the next day that has rows. A building without any belongs to its owner alone.
    """

    __tablename__ = "building_share"
    building_path = through("building_id")
    __table_args__ = (
        link("building_id", "building"),
        link("owner_id", "owner"),
        UniqueConstraint("workspace_id", "building_id", "from_on", "owner_id"),
        UniqueConstraint("workspace_id", "building_id", "from_on", "position"),
        CheckConstraint("0 < numerator AND numerator <= denominator", name="part_of_the_whole"),
        Index("ix_building_share_owner_id", "workspace_id", "owner_id"),
    )
    raises_version = LEDGER

    building_id: Mapped[str] = mapped_column(Id)
    from_on: Mapped[date] = mapped_column(Date)
    position: Mapped[int]
    owner_id: Mapped[str] = mapped_column(Id)
    numerator: Mapped[int]
    denominator: Mapped[int]
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class ManagementFormRow(OfWorkspace, Base):
    """Whose contracts a building's are from a day on; of one day the one written last.

    Rows are only added, so that papers keep the one they were made by. `informed_on` is the day
    on which the owner was told that the operator's registration number is used.
    """

    __tablename__ = "management_form"
    building_path = through("building_id")
    __table_args__ = (
        link("building_id", "building"),
        Index("ix_management_form_building_id", "workspace_id", "building_id", "from_on"),
    )
    raises_version = LEDGER

    building_id: Mapped[str] = mapped_column(Id)
    form: Mapped[ManagementForm] = mapped_column(Word(ManagementForm))
    from_on: Mapped[date] = mapped_column(Date)
    lessor_address: Mapped[str | None]
    lessor_number: Mapped[str | None]
    informed_on: Mapped[date | None] = mapped_column(Date)
    sealed_account: Mapped[str | None] = mapped_column("payee_account", Text, info=SEALED)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]

    @property
    def payee_account(self) -> str | None:
        """The owner's own account, opened; None where the operator collects."""
        return opened_column(self, self.sealed_account)


class Unit(OfWorkspace, Base):
    """A rented unit: a room of a share house or a whole home; the size is in hundredths of m²."""

    __tablename__ = "unit"
    building_path = through("building_id")
    noun = "unit"
    is_referred_to = True
    __table_args__ = (
        link("building_id", "building"),
        UniqueConstraint("workspace_id", "slug"),
        UniqueConstraint("workspace_id", "building_id", "name_key"),
        CheckConstraint("rent_yen >= 0", name="rent_not_negative"),
        Index("ix_unit_rent", "workspace_id", "rent_yen", "id"),
        Index("ix_unit_size", "workspace_id", "size_centi_sqm", "id"),
    )
    raises_version = CATALOGUE
    derived_from = frozenset(_UNIT_TEXTS)

    building_id: Mapped[str] = mapped_column(Id)
    slug: Mapped[str]
    name: Mapped[str]
    name_key: Mapped[str]
    name_kana: Mapped[str | None]
    type: Mapped[UnitType] = mapped_column(Word(UnitType))
    layout: Mapped[str | None]
    bedrooms: Mapped[int | None]
    size_centi_sqm: Mapped[int | None]
    floor: Mapped[int | None]
    rent_yen: Mapped[int | None]
    deposit_yen: Mapped[int | None]
    reservation_fee_yen: Mapped[int | None]
    minimum_stay_days: Mapped[int | None]
    features: Mapped[list[str]] = mapped_column(Json, default=list)
    features_en: Mapped[list[str]] = mapped_column(Json, default=list)
    description_ja: Mapped[str | None] = mapped_column(Text)
    description_en: Mapped[str | None] = mapped_column(Text)
    name_text: Mapped[str] = mapped_column(default="")
    search_text: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime] = mapped_column(Instant)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    version: Mapped[int] = mapped_column(default=1)

    @classmethod
    def derive(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "name_key": room_key(row["name"]),
            "name_text": fold_columns(row, ("name", "name_kana")),
            "search_text": f"{fold_columns(row, _UNIT_TEXTS)} {_layout_in_english(row)}".strip(),
        }

    building: Mapped[Building] = relationship(
        primaryjoin="and_(Unit.workspace_id == Building.workspace_id,"
        " foreign(Unit.building_id) == Building.id)"
    )


class FormerSlug(OfWorkspace, Base):
    """A former slug of a building or a unit; its URL redirects there for ever."""

    __tablename__ = "former_slug"
    building_path = through("building_id", "unit_id")
    __table_args__ = (
        link("building_id", "building", ondelete="CASCADE"),
        link("unit_id", "unit", ondelete="CASCADE"),
        CheckConstraint("(building_id IS NULL) <> (unit_id IS NULL)", name="one_subject"),
        Index(
            "uq_former_slug_building",
            "workspace_id",
            "slug",
            unique=True,
            **only_where("building_id IS NOT NULL"),
        ),
        Index(
            "uq_former_slug_unit",
            "workspace_id",
            "slug",
            unique=True,
            **only_where("unit_id IS NOT NULL"),
        ),
        Index("ix_former_slug_building_id", "workspace_id", "building_id"),
        Index("ix_former_slug_unit_id", "workspace_id", "unit_id"),
    )
    raises_version = CATALOGUE

    building_id: Mapped[str | None] = mapped_column(Id)
    unit_id: Mapped[str | None] = mapped_column(Id)
    slug: Mapped[str]
    given_up_at: Mapped[datetime] = mapped_column(Instant)


class UnitFee(OfWorkspace, Base):
    """A unit's monthly amount besides its rent, for a fee of the catalogue."""

    __tablename__ = "unit_fee"
    building_path = through("unit_id")
    __table_args__ = (
        link("unit_id", "unit", ondelete="CASCADE"),
        link("fee_id", "fee"),
        UniqueConstraint("workspace_id", "unit_id", "fee_id"),
    )
    raises_version = CATALOGUE

    unit_id: Mapped[str] = mapped_column(Id)
    fee_id: Mapped[str] = mapped_column(Id, index=True)
    amount_yen: Mapped[int]


class Photo(OfWorkspace, Base):
    """A picture of a unit or of a building; `files` names the stored file of each width."""

    __tablename__ = "photo"
    building_path = through("building_id", "unit_id")
    noun = "photo"
    is_referred_to = True
    __table_args__ = (
        link("building_id", "building", ondelete="CASCADE"),
        link("unit_id", "unit", ondelete="CASCADE"),
        CheckConstraint("(building_id IS NULL) <> (unit_id IS NULL)", name="one_subject"),
        Index("ix_photo_building_id", "workspace_id", "building_id", "position"),
        Index("ix_photo_unit_id", "workspace_id", "unit_id", "position"),
    )
    raises_version = CATALOGUE

    building_id: Mapped[str | None] = mapped_column(Id)
    unit_id: Mapped[str | None] = mapped_column(Id)
    position: Mapped[int]
    width: Mapped[int]
    height: Mapped[int]
    alt_ja: Mapped[str] = mapped_column(default="")
    alt_en: Mapped[str] = mapped_column(default="")
    files: Mapped[dict[str, str]] = mapped_column(Json, info=HAS_FILES)
    created_at: Mapped[datetime] = mapped_column(Instant)
    version: Mapped[int] = mapped_column(default=1)


class HandbookPage(OfWorkspace, Base):
    """Information for use on site; `guarded_code` is an entrance code or WiFi key.

    The code is stored sealed and shown only on request. A page with a unit is about that unit
    alone. Staff read every page; the flags say who else has it in their copy.
    """

    __tablename__ = "handbook_page"
    building_path = through("building_id")
    noun = "house guide page"
    is_referred_to = True
    __table_args__ = (
        link("building_id", "building", ondelete="CASCADE"),
        link("unit_id", "unit", ondelete="CASCADE"),
        Index("ix_handbook_page_building_id", "workspace_id", "building_id", "position"),
    )

    building_id: Mapped[str] = mapped_column(Id)
    unit_id: Mapped[str | None] = mapped_column(Id, index=True)
    position: Mapped[int]
    topic: Mapped[HandbookTopic] = mapped_column(Word(HandbookTopic), default=HandbookTopic.OTHER)
    title_ja: Mapped[str]
    title_en: Mapped[str]
    body_ja: Mapped[str] = mapped_column(Text)
    body_en: Mapped[str] = mapped_column(Text)
    guarded_code: Mapped[str | None] = mapped_column(info=SEALED)
    is_for_contractors: Mapped[bool] = mapped_column(default=True)
    is_for_residents: Mapped[bool] = mapped_column(default=True)
    is_for_guests: Mapped[bool] = mapped_column(default=True)
    version: Mapped[int] = mapped_column(default=1)


class Campaign(OfWorkspace, Base):
    """An offer with its days (both included) and its units."""

    __tablename__ = "campaign"
    building_path = shared("published on the website for everybody")
    noun = "campaign"
    __table_args__ = (UniqueConstraint("workspace_id", "slug"),)
    raises_version = CATALOGUE

    slug: Mapped[str]
    title_ja: Mapped[str]
    title_en: Mapped[str]
    body_ja: Mapped[str] = mapped_column(Text)
    body_en: Mapped[str] = mapped_column(Text)
    starts_on: Mapped[date] = mapped_column(Date)
    ends_on: Mapped[date | None] = mapped_column(Date)
    is_published: Mapped[bool] = mapped_column(default=True)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    updated_by: Mapped[str | None]
    version: Mapped[int] = mapped_column(default=1)


class CampaignUnit(OfWorkspace, Base):
    """A unit of a campaign."""

    __tablename__ = "campaign_unit"
    building_path = through("unit_id")
    __table_args__ = (
        link("campaign_id", "campaign", ondelete="CASCADE"),
        link("unit_id", "unit", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "unit_id", "campaign_id"),
    )
    raises_version = CATALOGUE

    campaign_id: Mapped[str] = mapped_column(Id, index=True)
    unit_id: Mapped[str] = mapped_column(Id)


class CalendarFeed(OfWorkspace, Base):
    """A channel's calendar of one unit; its name is unique within the unit.

    With `leaves_out_window` the days that the channel itself does not sell block nothing.
    """

    __tablename__ = "calendar_feed"
    building_path = through("unit_id")
    noun = "calendar"
    __table_args__ = (
        link("unit_id", "unit", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "unit_id", "name"),
        Index("ix_calendar_feed_due_at", "due_at"),
    )

    unit_id: Mapped[str] = mapped_column(Id)
    name: Mapped[str]
    url: Mapped[str | None]
    last_read_at: Mapped[datetime | None] = mapped_column(Instant)
    due_at: Mapped[datetime | None] = mapped_column(Instant)
    tried_at: Mapped[datetime | None] = mapped_column(Instant)
    failures: Mapped[int] = mapped_column(default=0)
    failure: Mapped[str | None] = mapped_column(Text)
    etag: Mapped[str | None]
    last_modified: Mapped[str | None]
    events: Mapped[int | None]
    broken: Mapped[list[str]] = mapped_column(Json, default=list)
    leaves_out_window: Mapped[bool] = mapped_column(default=False)


class UnitCalendar(OfWorkspace, Base):
    """A unit's calendar for other sites to read; a new `nonce` invalidates the previous URL."""

    __tablename__ = "unit_calendar"
    building_path = through("unit_id")
    __table_args__ = (
        link("unit_id", "unit", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "unit_id"),
    )

    unit_id: Mapped[str] = mapped_column(Id)
    nonce: Mapped[str] = mapped_column(String(32), index=True)
    made_at: Mapped[datetime] = mapped_column(Instant)
    made_by: Mapped[str]
    last_read_at: Mapped[datetime | None] = mapped_column(Instant)


class ExternalBlock(OfWorkspace, Base):
    """Days taken outside the service, last day included; not part of the double-booking check."""

    __tablename__ = "external_block"
    building_path = through("unit_id")
    noun = "block"
    __table_args__ = (
        link("unit_id", "unit", ondelete="CASCADE"),
        link("feed_id", "calendar_feed", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "feed_id", "uid", "first_on"),
        Index("ix_external_block_unit_id", "workspace_id", "unit_id"),
        Index("ix_external_block_last_on", "workspace_id", "last_on"),
    )
    raises_version = OCCUPANCY

    unit_id: Mapped[str] = mapped_column(Id)
    source: Mapped[BlockSource] = mapped_column(Word(BlockSource))
    first_on: Mapped[RecordedDay] = mapped_column(Recorded)
    last_on: Mapped[RecordedDay] = mapped_column(Recorded)
    summary: Mapped[str | None]
    booking_reference: Mapped[str | None]
    feed_id: Mapped[str | None] = mapped_column(Id, index=True)
    uid: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(Instant)
    updated_at: Mapped[datetime] = mapped_column(Instant)
