"""Checks what the office wrote by hand and gives it back as the columns of its row."""

from typing import Any, Final

from pms.catalogue.checked_texts import (
    LONGEST_LINE,
    LONGEST_NAME,
    LONGEST_TEXT,
    checked_email,
    checked_lines,
    checked_number,
    checked_phone,
    checked_place_reading,
    checked_postcode,
    checked_reading,
    checked_text,
    checked_yen,
    needed_text,
)
from pms.catalogue.written_facts import WrittenBuilding, WrittenOwner, WrittenPage, WrittenUnit
from pms.rules.enumerations import HandbookTopic, Locale, UnitType

_MOST_BEDROOMS: Final = 50
_MOST_CENTI_SQM: Final = 10_000_000
_FLOORS: Final = (-10, 200)
_LONGEST_STAY_DAYS: Final = 3_650

Columns = dict[str, Any]


def checked_building(written: WrittenBuilding) -> Columns:
    """Return the columns of a building, or raise `Refused` naming what is wrong."""
    return {
        "name": needed_text("name", written.name, LONGEST_NAME),
        "name_kana": checked_place_reading("nameKana", written.name_kana),
        "name_en": checked_text("nameEn", written.name_en, LONGEST_NAME),
        "area": needed_text("area", written.area, LONGEST_NAME),
        "area_en": checked_text("areaEn", written.area_en, LONGEST_NAME),
        "postcode": checked_postcode("postcode", written.postcode),
        "address": needed_text("address", written.address),
        "address_en": checked_text("addressEn", written.address_en),
        "access_ja": checked_text("accessJa", written.access_ja, LONGEST_TEXT),
        "access_en": checked_text("accessEn", written.access_en, LONGEST_TEXT),
        "description_ja": checked_text("descriptionJa", written.description_ja, LONGEST_TEXT),
        "description_en": checked_text("descriptionEn", written.description_en, LONGEST_TEXT),
    }


def checked_unit(written: WrittenUnit) -> Columns:
    """Return the columns of a unit, or raise `Refused` naming what is wrong."""
    return {
        "name": needed_text("name", written.name, LONGEST_NAME),
        "name_kana": checked_place_reading("nameKana", written.name_kana),
        "type": UnitType(written.type),
        "layout": checked_text("layout", written.layout, 20),
        **_figures(written),
        "features": checked_lines("features", written.features),
        "features_en": checked_lines("featuresEn", written.features_en),
        "description_ja": checked_text("descriptionJa", written.description_ja, LONGEST_TEXT),
        "description_en": checked_text("descriptionEn", written.description_en, LONGEST_TEXT),
    }


def _figures(written: WrittenUnit) -> Columns:
    return {
        "bedrooms": checked_number("bedrooms", written.bedrooms, 0, _MOST_BEDROOMS),
        "size_centi_sqm": checked_number("sizeSqm", written.size_centi_sqm, 1, _MOST_CENTI_SQM),
        "floor": checked_number("floor", written.floor, *_FLOORS),
        "rent_yen": checked_yen("rentYen", written.rent_yen),
        "deposit_yen": checked_yen("depositYen", written.deposit_yen),
        "reservation_fee_yen": checked_yen("reservationFeeYen", written.reservation_fee_yen),
        "minimum_stay_days": checked_number(
            "minimumStayDays", written.minimum_stay_days, 1, _LONGEST_STAY_DAYS
        ),
    }


def checked_owner(written: WrittenOwner) -> Columns:
    """Return the columns of an owner, or raise `Refused` naming what is wrong."""
    return {
        "name": needed_text("name", written.name, LONGEST_NAME),
        "name_kana": checked_reading("nameKana", written.name_kana),
        "email": checked_email("email", written.email),
        "phone": checked_phone("phone", written.phone),
        "locale": Locale(written.locale).value,
        "note": checked_text("note", written.note, LONGEST_TEXT),
    }


def checked_page(written: WrittenPage) -> Columns:
    """Return the columns of a handbook page; a text in one language is enough."""
    ja, en = written.title_ja.strip(), written.title_en.strip()
    needed_text("titleJa", ja or en)
    return {
        "topic": HandbookTopic(written.topic),
        "title_ja": checked_text("titleJa", ja) or "",
        "title_en": checked_text("titleEn", en) or "",
        "body_ja": checked_text("bodyJa", written.body_ja, LONGEST_TEXT) or "",
        "body_en": checked_text("bodyEn", written.body_en, LONGEST_TEXT) or "",
        "guarded_code": checked_text("guardedCode", written.guarded_code, LONGEST_LINE),
        "is_for_contractors": written.is_for_contractors,
        "is_for_residents": written.is_for_residents,
        "is_for_guests": written.is_for_guests,
    }
