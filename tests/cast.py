"""The cast everyone knows: two workspaces that hold the same house, and the people around it.

Sumida runs シェアハウス カワセミ荘 (Kawasemi House) for its owner Yamamoto, who lives in room 201.
Hanako Sato lives in 101, Emma Wilson is a guest in 202, room 102 is free. Minato holds the same
house as records of its own: whoever belongs to Minato is a stranger to Sumida. `introduce` stores
all of them; the small builders make one row each, with what it takes to be believable.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from pms.catalogue.models import (
    Building,
    CalendarFeed,
    Campaign,
    CampaignUnit,
    ExternalBlock,
    HandbookPage,
    Owner,
    Photo,
    Unit,
    UnitFee,
)
from pms.enquiries.models import Viewing
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.pricing.models import PricePeriod, PricingSnapshot
from pms.reservations.models import CoOccupant, Reservation
from pms.rules.enumerations import (
    BlockSource,
    EsignStatus,
    FeeCategory,
    Lifecycle,
    PaymentStatus,
    ReservationKind,
    TaxTreatment,
    UnitType,
    ViewingStatus,
)
from pms.site.models import Position, Post, Service, SiteConfiguration
from pms.workspaces.models import Fee, PolicyRow, Workspace

LONG_AGO = datetime(2026, 4, 1, 0, 0, tzinfo=UTC)
CONTRACTOR = "墨田設備工業"


@dataclass(frozen=True)
class House:
    """One workspace as the tests speak of it: the id of everything in it."""

    workspace_id: str
    slug: str
    building_id: str
    building_slug: str
    free_room_id: str
    free_room_slug: str
    residents_room_id: str
    owners_room_id: str
    guests_room_id: str
    owner_id: str
    resident_id: str
    resident_email: str
    owner_resident_id: str
    guest_id: str
    viewing_id: str
    photo_id: str
    campaign_slug: str
    post_slug: str

    @property
    def ids(self) -> frozenset[str]:
        """Every id a stranger must never meet."""
        return frozenset(
            value for name, value in vars(self).items() if name.endswith("_id") and value
        )


@dataclass(frozen=True)
class Cast:
    """Everyone: Sumida is "ours" in a test, Minato the stranger's."""

    sumida: House
    minato: House


def introduce(database: Database) -> Cast:
    """Store the cast in an empty database."""
    return Cast(
        sumida=settle(database, "sumida", "隅田シェアハウス", "佐藤 花子", "サトウ ハナコ"),
        minato=settle(database, "minato", "港リビング", "鈴木 一郎", "スズキ イチロウ"),
    )


def settle(database: Database, slug: str, name: str, resident: str, kana: str) -> House:
    """Store one workspace with Kawasemi House and everyone in it."""
    with database.across_workspaces_writing() as session:
        founded = workspace(slug=slug, name=name)
        session.add(founded)
    house = _address_book(founded.id, slug)
    with database.writing(founded.id) as session:
        # Nothing was done yet: the guest's cleaning comes with the first change of her stay.
        for rows in _rows_in_order(house, resident, kana):
            session.add_all(rows)
            session.flush()
    return house


def _address_book(workspace_id: str, slug: str) -> House:
    return House(
        workspace_id=workspace_id,
        slug=slug,
        building_id=new_id(),
        building_slug=f"kawasemi-house-{slug}",
        free_room_id=new_id(),
        free_room_slug=f"kawasemi-house-102-{slug}",
        residents_room_id=new_id(),
        owners_room_id=new_id(),
        guests_room_id=new_id(),
        owner_id=new_id(),
        resident_id=new_id(),
        resident_email=f"resident@{slug}.example.jp",
        owner_resident_id=new_id(),
        guest_id=new_id(),
        viewing_id=new_id(),
        photo_id=new_id(),
        campaign_slug=f"winter-offer-{slug}",
        post_slug=f"welcome-{slug}",
    )


def _rows_in_order(house: House, resident: str, kana: str) -> Iterable[list[Any]]:
    """What others point at comes first."""
    water, winter, feed = new_id(), new_id(), new_id()
    yield [
        PolicyRow(id=house.workspace_id),
        site_configuration(house),
        owner(id=house.owner_id),
        fee(id=water),
        campaign(id=winter, slug=house.campaign_slug),
        post(slug=house.post_slug),
        position(slug=f"cleaner-{house.slug}"),
        service(slug=f"sublease-{house.slug}"),
    ]
    yield [building(id=house.building_id, slug=house.building_slug, owner_id=house.owner_id)]
    yield _rooms(house)
    yield [
        UnitFee(unit_id=house.free_room_id, fee_id=water, amount_yen=5_000),
        CampaignUnit(unit_id=house.free_room_id, campaign_id=winter),
        CalendarFeed(id=feed, unit_id=house.guests_room_id, name="Example Stays"),
        photo(id=house.photo_id, building_id=house.building_id),
        handbook_page(building_id=house.building_id),
        viewing(id=house.viewing_id, unit_id=house.free_room_id),
        *_people(house, resident, kana),
    ]
    yield [
        external_block(unit_id=house.guests_room_id, feed_id=feed, uid="1@example"),
        CoOccupant(reservation_id=house.resident_id, position=1, name="佐藤 次郎"),
        PricingSnapshot(reservation_id=house.resident_id, base_rent_yen=93_000, frozen_at=LONG_AGO),
        PricePeriod(
            reservation_id=house.resident_id, base_rent_yen=93_000, first_on=date(2026, 4, 1)
        ),
    ]


def _rooms(house: House) -> list[Unit]:
    numbers = {
        "101": house.residents_room_id,
        "102": house.free_room_id,
        "201": house.owners_room_id,
        "202": house.guests_room_id,
    }
    return [
        unit(
            id=id_,
            building_id=house.building_id,
            name=number,
            slug=f"kawasemi-house-{number}-{house.slug}",
        )
        for number, id_ in numbers.items()
    ]


def _people(house: House, resident: str, kana: str) -> list[Reservation]:
    return [
        reservation(
            id=house.resident_id,
            payment_reference="714039",
            unit_id=house.residents_room_id,
            name=resident,
            name_kana=kana,
            email=house.resident_email,
        ),
        reservation(
            id=house.owner_resident_id,
            unit_id=house.owners_room_id,
            kind=ReservationKind.OWNER_RESIDENT,
            name="山本 茂",
            name_kana="ヤマモト シゲル",
            contract_end_date=None,
            deposit_yen=0,
        ),
        reservation(
            id=house.guest_id,
            unit_id=house.guests_room_id,
            kind=ReservationKind.GUEST,
            name="Emma Wilson",
            name_kana=None,
            locale="en",
            move_in_date=date(2026, 11, 18),
            contract_end_date=date(2026, 11, 25),
        ),
    ]


def workspace(**given: Any) -> Workspace:
    return Workspace(**{"name_en": None, "created_at": LONG_AGO} | given)


def owner(**given: Any) -> Owner:
    usual = {"name": "山本 茂", "name_kana": "ヤマモト シゲル", "email": "yamamoto@example.jp"}
    return Owner(**usual | {"created_at": LONG_AGO} | given)


def building(**given: Any) -> Building:
    usual = {
        "name": "シェアハウス カワセミ荘",
        "name_en": "Kawasemi House",
        "area": "墨田区",
        "area_en": "Sumida",
        "postcode": "131-0032",
        "address": "東京都墨田区東向島一丁目2番3号",
        "address_en": "1-2-3 Higashimukojima, Sumida, Tokyo",
        "slug": "kawasemi-house",
        "created_at": LONG_AGO,
        "updated_at": LONG_AGO,
    }
    return Building(**usual | given)


def unit(**given: Any) -> Unit:
    usual = {
        "name": "102",
        "slug": "kawasemi-house-102",
        "type": UnitType.SHAREHOUSE,
        "layout": "1R",
        "bedrooms": 1,
        "size_centi_sqm": 1_250,
        "floor": 1,
        "rent_yen": 93_000,
        "deposit_yen": 93_000,
        "reservation_fee_yen": 30_000,
        "minimum_stay_days": 30,
        "features": ["エアコン"],
        "features_en": ["Air conditioning"],
        "created_at": LONG_AGO,
        "updated_at": LONG_AGO,
    }
    return Unit(**usual | given)


def reservation(**given: Any) -> Reservation:
    """A resident living since April under a contract of a year."""
    usual = {
        "kind": ReservationKind.RESIDENT,
        "lifecycle": Lifecycle.LIVING,
        "name": "佐藤 花子",
        "name_kana": "サトウ ハナコ",
        "move_in_date": date(2026, 4, 1),
        "contract_end_date": date(2027, 3, 31),
        "reservation_fee_yen": 30_000,
        "deposit_yen": 93_000,
        "payment_status": PaymentStatus.PAID,
        "esign_status": EsignStatus.SIGNED,
        "created_at": LONG_AGO,
        "updated_at": LONG_AGO,
    }
    return Reservation(**usual | given)


def external_block(**given: Any) -> ExternalBlock:
    usual = {
        "source": BlockSource.CHANNEL_CALENDAR,
        "first_on": date(2026, 12, 24),
        "last_on": date(2026, 12, 26),
        "created_at": LONG_AGO,
        "updated_at": LONG_AGO,
    }
    return ExternalBlock(**usual | given)


def viewing(**given: Any) -> Viewing:
    usual = {
        "status": ViewingStatus.SCHEDULED,
        "starts_at": datetime(2026, 11, 24, 2, 0, tzinfo=UTC),
        "visitor_name": "田中 実",
        "visitor_email": "tanaka@example.jp",
        "created_at": LONG_AGO,
        "updated_at": LONG_AGO,
    }
    return Viewing(**usual | given)


def photo(**given: Any) -> Photo:
    files = {"800": f"{'0' * 64}.webp"}
    usual = {"position": 1, "width": 800, "height": 600, "files": files, "created_at": LONG_AGO}
    return Photo(**usual | {"alt_ja": "外観", "alt_en": "The house"} | given)


def handbook_page(**given: Any) -> HandbookPage:
    usual = {
        "position": 1,
        "title_ja": "ごみの出し方",
        "title_en": "Rubbish",
        "body_ja": "燃えるごみは月曜日と木曜日です。",
        "body_en": "Burnable rubbish on Mondays and Thursdays.",
        "guarded_code": "4729#",
    }
    return HandbookPage(**usual | given)


def fee(**given: Any) -> Fee:
    usual = {
        "code": "water",
        "label_ja": "水道代",
        "label_en": "Water",
        "category": FeeCategory.UTILITIES,
        "is_monthly": True,
        "amount_yen": 5_000,
        "tax_treatment": TaxTreatment.TAXABLE_10,
    }
    return Fee(**usual | given)


def campaign(**given: Any) -> Campaign:
    usual = {
        "slug": "winter-offer",
        "title_ja": "冬の特典",
        "title_en": "Winter offer",
        "body_ja": "予約金が半額になります。",
        "body_en": "Half the reservation fee.",
        "starts_on": date(2026, 11, 1),
        "ends_on": date(2026, 12, 31),
        "updated_at": LONG_AGO,
    }
    return Campaign(**usual | given)


def post(**given: Any) -> Post:
    usual = {
        "slug": "welcome",
        "title_ja": "カワセミ荘へようこそ",
        "title_en": "Welcome to Kawasemi House",
        "body_ja": "川沿いの静かな家です。",
        "body_en": "A quiet house by the river.",
        "published_at": LONG_AGO,
        "is_out": True,
        "updated_at": LONG_AGO,
    }
    return Post(**usual | given)


def position(**given: Any) -> Position:
    return Position(**_worded("清掃スタッフ", "Cleaner") | {"order": 1, "slug": "cleaner"} | given)


def service(**given: Any) -> Service:
    return Service(**_worded("サブリース", "Sublease") | {"order": 1, "slug": "sublease"} | given)


def _worded(ja: str, en: str) -> dict[str, Any]:
    texts = {"title_ja": ja, "title_en": en, "body_ja": ja, "body_en": en}
    return texts | {"updated_at": LONG_AGO}


def site_configuration(house: House) -> SiteConfiguration:
    return SiteConfiguration(
        id=house.workspace_id,
        base_url=f"https://{house.slug}.example.jp",
        title_ja="カワセミ荘",
        title_en="Kawasemi House",
        updated_at=LONG_AGO,
    )
