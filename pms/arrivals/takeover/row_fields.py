"""The editable fields of a row in the guide: how each is written, read and applied."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

from pms.arrivals.sheets import cells
from pms.arrivals.takeover.row_debts import UnreadableCell, debts_in, debts_text, normal_debts
from pms.arrivals.takeover.taken import ReadTenancy, ReadUnit
from pms.rules.days import FIRST_DAY, LAST_DAY
from pms.rules.notices import FiledNotice
from pms.rules.roll_cells import PersonOfCell, people_in, reading, telephone
from pms.rules.roll_dates import whole_day
from pms.rules.roll_heads import FEES
from pms.rules.yen import Amount, read_typed_amount
from pms.sheets.refusals import Unreadable


class GuideStep(StrEnum):
    """The steps of the guide."""

    FILES = "files"
    ROOMS = "rooms"
    PEOPLE = "people"
    MONEY = "money"
    CHECK = "check"


class State(StrEnum):
    """What a row becomes."""

    LET = "let"
    VACANT = "vacant"
    BLOCK = "block"
    OWNER = "owner"
    OUT = "out"


class RowFieldKind(StrEnum):
    """What may be typed into a field."""

    TEXT = "text"
    YEN = "yen"
    DAY = "day"
    STATE = "state"
    DEBTS = "debts"


class RowField(NamedTuple):
    """A field of a row: the step that shows it, and what may be typed."""

    name: str
    step: GuideStep
    kind: RowFieldKind


FIELDS: Final = {
    field.name: field
    for field in (
        RowField("building", GuideStep.ROOMS, RowFieldKind.TEXT),
        RowField("room", GuideStep.ROOMS, RowFieldKind.TEXT),
        RowField("state", GuideStep.ROOMS, RowFieldKind.STATE),
        RowField("rent", GuideStep.ROOMS, RowFieldKind.YEN),
        *(RowField(fee.value, GuideStep.ROOMS, RowFieldKind.YEN) for fee in FEES),
        RowField("name", GuideStep.PEOPLE, RowFieldKind.TEXT),
        RowField("kana", GuideStep.PEOPLE, RowFieldKind.TEXT),
        RowField("others", GuideStep.PEOPLE, RowFieldKind.TEXT),
        RowField("phone", GuideStep.PEOPLE, RowFieldKind.TEXT),
        RowField("email", GuideStep.PEOPLE, RowFieldKind.TEXT),
        RowField("start", GuideStep.PEOPLE, RowFieldKind.DAY),
        RowField("end", GuideStep.PEOPLE, RowFieldKind.DAY),
        RowField("filedOn", GuideStep.PEOPLE, RowFieldKind.DAY),
        RowField("moveOut", GuideStep.PEOPLE, RowFieldKind.DAY),
        RowField("deposit", GuideStep.MONEY, RowFieldKind.YEN),
        RowField("billedThrough", GuideStep.MONEY, RowFieldKind.DAY),
        RowField("unpaid", GuideStep.MONEY, RowFieldKind.DEBTS),
        RowField("overpaid", GuideStep.MONEY, RowFieldKind.YEN),
        RowField("freeUntil", GuideStep.MONEY, RowFieldKind.DAY),
    )
}
ALWAYS: Final = frozenset(
    {"building", "room", "state", "rent", "commonFee", "name", "kana", "phone", "email", "start"}
    | {"end", "deposit", "billedThrough", "unpaid", "overpaid"}
)
"""Fields that a step shows even when no row has them."""

_LONGEST: Final = 200


def normal_cell(name: str, typed: str) -> str:
    """Return the typed text in stored form; raise `UnreadableCell` with what is allowed."""
    text = typed.strip()
    kind = FIELDS[name].kind
    if len(text) > (2_000 if kind is RowFieldKind.DEBTS else _LONGEST) or "\x00" in text:
        raise UnreadableCell("too_long")
    if not text and kind is not RowFieldKind.STATE:
        return ""
    return _NORMAL[kind](name, text)


def _normal_text(name: str, text: str) -> str:
    if name == "email":
        try:
            return cells.email(text) or ""
        except Unreadable:
            raise UnreadableCell("not_an_email") from None
    if name == "phone":
        return telephone(text)[0] or ""
    if name == "kana":
        return reading(text) or ""
    if name == "name" and not people_in(text):
        raise UnreadableCell("no_name")
    return re.sub(r"[\r\n]+", " / ", text)


def _normal_yen(_name: str, text: str) -> str:
    amount = read_typed_amount(text)
    if not isinstance(amount, Amount):
        raise UnreadableCell("not_yen")
    return str(amount.yen)


def _normal_day(_name: str, text: str) -> str:
    day = whole_day(text)
    if day is None or not FIRST_DAY <= day <= LAST_DAY:
        raise UnreadableCell("not_a_day")
    return day.isoformat()


def _normal_state(_name: str, text: str) -> str:
    if text not in set(State):
        raise UnreadableCell("not_a_state")
    return text


_NORMAL: Final[Mapping[RowFieldKind, Callable[[str, str], str]]] = {
    RowFieldKind.TEXT: _normal_text,
    RowFieldKind.YEN: _normal_yen,
    RowFieldKind.DAY: _normal_day,
    RowFieldKind.STATE: _normal_state,
    RowFieldKind.DEBTS: normal_debts,
}


def values_of(unit: ReadUnit | None, let: ReadTenancy | None, state: State) -> dict[str, str]:
    """Return every field of a row in stored form."""
    values = dict.fromkeys(FIELDS, "")
    values["state"] = state.value
    if unit is not None:
        values |= {"building": unit.building or "", "room": unit.room}
        values |= {"rent": _format_yen(unit.asking_rent), "name": unit.owner_name}
        values |= {name: str(yen) for name, yen in unit.fees.items()}
    if let is not None:
        values |= _values_of_let(let)
    return values


def _values_of_let(let: ReadTenancy) -> dict[str, str]:
    holder = let.people[0] if let.people else PersonOfCell("", None, is_company=False)
    notice = let.notice
    return {
        "building": let.building or "",
        "room": let.room,
        "rent": _format_yen(let.rent),
        **{name: str(yen) for name, yen in let.fees.items()},
        "name": holder.name,
        "kana": holder.kana or "",
        "others": " / ".join(
            (f"{person.name}（{person.kana}）" if person.kana else person.name)
            for person in let.people[1:]
        ),
        "phone": let.phone or "",
        "email": let.email or "",
        "start": _format_day(let.start),
        "end": _format_day(let.end),
        "filedOn": _format_day(None if notice is None else notice.filed_on),
        "moveOut": _format_day(None if notice is None else notice.move_out_on),
        "deposit": _format_yen(let.deposit_held),
        "billedThrough": _format_day(let.billed_through),
        "unpaid": debts_text(let.unpaid),
        "overpaid": _format_yen(let.overpaid or None),
        "freeUntil": _format_day(let.free_until),
    }


def _format_yen(yen: int | None) -> str:
    return "" if yen is None else str(yen)


def _format_day(day: date | None) -> str:
    return "" if day is None else day.isoformat()


def unit_from(at: str, values: Mapping[str, str], unit: ReadUnit | None) -> ReadUnit:
    """Return the room of a row from its fields."""
    state = State(values["state"])
    is_empty = state in (State.VACANT, State.BLOCK, State.OWNER)
    return ReadUnit(
        at,
        values["building"] or None,
        values["room"],
        is_vacant=state is State.VACANT,
        is_owner_use=state in (State.BLOCK, State.OWNER),
        asking_rent=_read_number(values["rent"]) if is_empty else None,
        fees=_read_fees(values) if is_empty else {},
        included=() if unit is None else unit.included,
        owner_name=values["name"] if state is State.OWNER else "",
    )


def let_from(at: str, values: Mapping[str, str], let: ReadTenancy | None) -> ReadTenancy:
    """Return the tenancy of a row from its fields; what has no field stays as read."""
    base = let or ReadTenancy(at, None, "", [])
    deposit = _read_number(values["deposit"])
    filed, out = _read_day(values["filedOn"]), _read_day(values["moveOut"])
    notice = None if filed is None or out is None else FiledNotice(filed, out)
    holder = base.people[0] if base.people else PersonOfCell("", None, is_company=False)
    found = [] if not values["name"] else [holder._replace(name=values["name"])]
    if found:
        is_company = any(person.is_company for person in people_in(values["name"]))
        found[0] = found[0]._replace(kana=values["kana"] or None, is_company=is_company)
    for part in re.split(r"\s+/\s+|[、;]", values["others"]):
        if part.strip():
            found += people_in(part)
    facts: dict[str, Any] = {
        "building": values["building"] or None,
        "room": values["room"],
        "people": found,
        "phone": values["phone"] or None,
        "email": values["email"] or None,
        "start": _read_day(values["start"]),
        "end": _read_day(values["end"]),
        "rent": _read_number(values["rent"]),
        "fees": _read_fees(values),
        "deposit": deposit if base.deposit is None or deposit is None else base.deposit,
        "deposit_held": deposit,
        "billed_through": _read_day(values["billedThrough"]),
        "unpaid": debts_in(values["unpaid"]),
        "overpaid": _read_number(values["overpaid"]) or 0,
        "free_until": _read_day(values["freeUntil"]),
        "notice": notice,
        "own": None,
    }
    return replace(base, **facts)


def _read_fees(values: Mapping[str, str]) -> dict[str, int]:
    facts = {fee.value: _read_number(values[fee.value]) for fee in FEES}
    return {name: yen for name, yen in facts.items() if yen}


def _read_number(text: str) -> int | None:
    return int(text) if text else None


def _read_day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None
