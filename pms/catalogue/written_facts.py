"""What the office writes of buildings, units, owners and handbook pages; one form, one record."""

from dataclasses import dataclass

from pms.rules.enumerations import HandbookTopic, Locale, UnitType


@dataclass(frozen=True, kw_only=True)
class WrittenBuilding:
    """What is written of a building by hand; unset texts are not known."""

    name: str
    name_kana: str | None = None
    name_en: str | None = None
    area: str
    area_en: str | None = None
    postcode: str | None = None
    address: str
    address_en: str | None = None
    access_ja: str | None = None
    access_en: str | None = None
    description_ja: str | None = None
    description_en: str | None = None


@dataclass(frozen=True, kw_only=True)
class WrittenUnit:
    """What is written of a unit by hand; the size in hundredths of m², amounts in whole yen."""

    name: str
    name_kana: str | None = None
    type: UnitType
    layout: str | None = None
    bedrooms: int | None = None
    size_centi_sqm: int | None = None
    floor: int | None = None
    rent_yen: int | None = None
    deposit_yen: int | None = None
    reservation_fee_yen: int | None = None
    minimum_stay_days: int | None = None
    features: tuple[str, ...] = ()
    features_en: tuple[str, ...] = ()
    description_ja: str | None = None
    description_en: str | None = None


@dataclass(frozen=True, kw_only=True)
class WrittenOwner:
    """What is written of an owner; without an email there is no portal for them."""

    name: str
    name_kana: str | None = None
    email: str | None = None
    phone: str | None = None
    locale: Locale = Locale.JA
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class WrittenPage:
    """A page of a handbook; `guarded_code` opens a door or a network and is shown by tap alone."""

    topic: HandbookTopic = HandbookTopic.OTHER
    title_ja: str
    title_en: str
    body_ja: str
    body_en: str
    guarded_code: str | None = None
    is_for_contractors: bool = True
    is_for_residents: bool = True
    is_for_guests: bool = True
