"""Validates the typed fields of buildings, owners and handbook pages."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from unicodedata import category, normalize

from sqlalchemy import Select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, HandbookPage, Owner, Photo, Unit
from pms.catalogue.romanising import part_words
from pms.foundation.audit import facts_of, note_audit_event, note_change, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.mail_addresses import check_address
from pms.foundation.phrases import Phrase
from pms.foundation.work import Work
from pms.rules.addresses import LONGEST_ADDRESS
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import HandbookTopic, Locale
from pms.rules.yen import LARGEST_YEN

LONGEST_NAME: Final = 100
MOST_LINES: Final = 40
LONGEST_LINE: Final = 200
LONGEST_TEXT: Final = 10_000
_MOST_SHOWN: Final = 60
_KEPT_CONTROLS: Final = frozenset("\n\t")
_POSTCODE: Final = re.compile(r"(\d{3})-?(\d{4})")
_PHONE: Final = re.compile(r"\+?[0-9()\- ]{5,30}")
_READING: Final = re.compile(r"[ァ-ヺー・ 　]+")
_PLACE_READING: Final = re.compile(r"[ァ-ヺー・ 　A-Za-z0-9\-]+")
_TO_KATAKANA: Final = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—―−ー"), "-")


def needed_text(field: str, value: str | None, longest: int = LONGEST_LINE) -> str:
    """Return a required text, or raise `Refused` naming the field."""
    text = check_text(field, value, longest)
    if text is None:
        raise Refused("{field}: Enter 1 to {longest} characters.", field=field, longest=longest)
    return text


def check_text(field: str, value: str | None, longest: int = LONGEST_LINE) -> str | None:
    """Return a text without surrounding blanks; `None` for an empty one."""
    text = normalize("NFC", (value or "").replace("\r\n", "\n").replace("\r", "\n")).strip()
    if any(category(letter) in {"Cc", "Cs"} and letter not in _KEPT_CONTROLS for letter in text):
        raise Refused(
            "{field}: this contains a character that cannot be used. Type it again.", field=field
        )
    if len(text) > longest:
        raise Refused(
            "{field}: This is {length} characters long. At most {longest} are possible.",
            field=field,
            length=len(text),
            longest=longest,
        )
    return text or None


def check_lines(field: str, values: tuple[str, ...], most: int) -> list[str]:
    """Return short texts, each once, without empty ones."""
    texts = (check_text(field, value, LONGEST_NAME) for value in values)
    lines = list(dict.fromkeys(text for text in texts if text))
    if len(lines) > most:
        raise Refused(
            "{field}: this has {count} lines. Enter at most {most}.",
            field=field,
            count=len(lines),
            most=most,
        )
    return lines


def check_yen(field: str, value: int | None) -> int | None:
    """Return whole yen from 0 on (specification, Money 1), or `None`."""
    return check_number(field, value, 0, LARGEST_YEN)


def check_number(field: str, value: int | None, least: int, most: int) -> int | None:
    """Return a whole number within its bounds, or `None`."""
    if value is None:
        return None
    if type(value) is not int or not least <= value <= most:
        raise Refused(
            "{field}: '{value}' is not a whole number from {least} to {most}.",
            field=field,
            value=value,
            least=least,
            most=most,
        )
    return value


def check_email(field: str, value: str | None) -> str | None:
    """Return a mail address, or `None`."""
    text = check_text(field, value, LONGEST_ADDRESS + 2)
    return text and check_address(field, text)


def check_phone(field: str, value: str | None) -> str | None:
    """Return a telephone number in half-width characters, or `None`."""
    text = check_text(field, value, 50)
    if text is None:
        return None
    number = normalize("NFKC", text).translate(_DASHES)
    if not _PHONE.fullmatch(number):
        raise _refusal_of_text(field, text, Phrase("a telephone number such as 03-1234-5678"))
    return number


def check_postcode(field: str, value: str | None) -> str | None:
    """Return a postcode as 131-0032, from half- or full-width characters, or `None`."""
    text = check_text(field, value, 20)
    if text is None:
        return None
    found = _POSTCODE.fullmatch(normalize("NFKC", text).translate(_DASHES).lstrip("〒 "))
    if found is None:
        raise _refusal_of_text(field, text, Phrase("a postcode of seven digits such as 131-0032"))
    return f"{found[1]}-{found[2]}"


def check_reading(field: str, value: str | None) -> str | None:
    """Return the reading of a name in katakana, from either kana, or `None`."""
    text = check_text(field, value, LONGEST_NAME)
    if text is None:
        return None
    reading = normalize("NFKC", text).translate(_TO_KATAKANA)
    if not _READING.fullmatch(reading):
        raise _refusal_of_text(field, text, Phrase("a reading in hiragana or katakana"))
    return " ".join(reading.split())


def check_place_reading(field: str, value: str | None) -> str | None:
    """Return the reading of a building or a room in katakana, or `None`.

    A change between hiragana and katakana separates words, and letters and digits of the name are
    kept: あおばハイツ2 becomes アオバ ハイツ 2.
    """
    text = check_text(field, value, LONGEST_NAME)
    if text is None:
        return None
    reading = part_words(text).translate(_TO_KATAKANA)
    if not _PLACE_READING.fullmatch(reading):
        raise _refusal_of_text(field, text, Phrase("a reading in hiragana or katakana"))
    return reading


def shorten_text(value: str) -> str:
    """Return a typed text shortened for use in a message."""
    return value if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]}…"


def _refusal_of_text(field: str, text: str, allowed: Phrase) -> Refused:
    return Refused(
        "{field}: '{value}' is not {allowed}.",
        field=field,
        value=shorten_text(text),
        allowed=allowed,
    )


@dataclass(frozen=True, kw_only=True)
class WrittenBuilding:
    """The typed fields of a building; unset texts are unknown."""

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
class WrittenOwner:
    """The typed fields of an owner; without an email they have no portal."""

    name: str
    name_kana: str | None = None
    email: str | None = None
    phone: str | None = None
    locale: Locale = Locale.JA
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class WrittenPage:
    """A handbook page; `guarded_code` opens a door or a network and is shown only on request."""

    topic: HandbookTopic = HandbookTopic.OTHER
    title_ja: str
    title_en: str
    body_ja: str
    body_en: str
    guarded_code: str | None = None
    is_for_contractors: bool = True
    is_for_residents: bool = True
    is_for_guests: bool = True


Columns = dict[str, Any]


def check_building(written: WrittenBuilding) -> Columns:
    """Return the columns of a building, or raise `Refused` naming the invalid field."""
    return {
        "name": needed_text("name", written.name, LONGEST_NAME),
        "name_kana": check_place_reading("nameKana", written.name_kana),
        "name_en": check_text("nameEn", written.name_en, LONGEST_NAME),
        "area": needed_text("area", written.area, LONGEST_NAME),
        "area_en": check_text("areaEn", written.area_en, LONGEST_NAME),
        "postcode": check_postcode("postcode", written.postcode),
        "address": needed_text("address", written.address),
        "address_en": check_text("addressEn", written.address_en),
        "access_ja": check_text("accessJa", written.access_ja, LONGEST_TEXT),
        "access_en": check_text("accessEn", written.access_en, LONGEST_TEXT),
        "description_ja": check_text("descriptionJa", written.description_ja, LONGEST_TEXT),
        "description_en": check_text("descriptionEn", written.description_en, LONGEST_TEXT),
    }


def check_owner(written: WrittenOwner) -> Columns:
    """Return the columns of an owner, or raise `Refused` naming the invalid field."""
    return {
        "name": needed_text("name", written.name, LONGEST_NAME),
        "name_kana": check_reading("nameKana", written.name_kana),
        "email": check_email("email", written.email),
        "phone": check_phone("phone", written.phone),
        "locale": Locale(written.locale).value,
        "note": check_text("note", written.note, LONGEST_TEXT),
    }


def check_page(written: WrittenPage) -> Columns:
    """Return the columns of a handbook page; a text in one language is enough."""
    ja, en = written.title_ja.strip(), written.title_en.strip()
    needed_text("titleJa", ja or en)
    return {
        "topic": HandbookTopic(written.topic),
        "title_ja": check_text("titleJa", ja) or "",
        "title_en": check_text("titleEn", en) or "",
        "body_ja": check_text("bodyJa", written.body_ja, LONGEST_TEXT) or "",
        "body_en": check_text("bodyEn", written.body_en, LONGEST_TEXT) or "",
        "guarded_code": check_text("guardedCode", written.guarded_code, LONGEST_LINE),
        "is_for_contractors": written.is_for_contractors,
        "is_for_residents": written.is_for_residents,
        "is_for_guests": written.is_for_guests,
    }


Editable = TypeVar("Editable", Building, HandbookPage, Owner, Photo, Unit)
Row = Building | HandbookPage | Owner | Photo | Unit


def write_columns(
    work: Work, audit_event: AuditEvent, row: Row, *, columns: Mapping[str, Any]
) -> None:
    """Store the columns that differ and record the change; unchanged values record nothing."""
    changed = {name: value for name, value in columns.items() if value != getattr(row, name)}
    if not changed:
        return
    for name, value in changed.items():
        setattr(row, name, value)
    count_change(row, work.clock)
    note_change(work, audit_event, row)
    flush_or_collide(work.session)


def add_row(work: Work, audit_event: AuditEvent, row: Row) -> str:
    """Store a new row, record it, and return its id."""
    row.id = new_id()
    work.session.add(row)
    note_change(work, audit_event, row)
    flush_or_collide(work.session)
    return row.id


def remove_row(work: Work, audit_event: AuditEvent, row: Row) -> None:
    """Delete a row and record its values."""
    note_audit_event(work, audit_event, subject_of(row), before=facts_of(row))
    work.session.delete(row)
    work.session.flush()


def count_change(row: Row, clock: Clock) -> None:
    """Increment the row's version, so that an edit of an older version is refused."""
    row.version += 1
    if isinstance(row, Building | Unit):
        row.updated_at = clock.now()


def flush_or_collide(session: Session) -> None:
    """Flush; raise `Collision` for a name that a concurrent transaction took."""
    try:
        session.flush()
    except IntegrityError as clash:
        raise Collision(
            "name: this name was taken at the same time. Choose another one."
        ) from clash


def refuse_taken(session: Session, name: str, row_ids: Select[str]) -> None:
    """Raise `Collision` when the query finds another row of this name."""
    if session.scalar(row_ids.limit(1)) is not None:
        raise Collision("name: '{value}' already exists. Choose another name.", value=name)
