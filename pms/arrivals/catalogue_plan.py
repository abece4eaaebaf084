"""Plans what an import makes or changes among buildings, units and what they ask a month.

Everything known is loaded once; nothing is written before `write`, so a dry run is the same work.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from pms.arrivals.import_report import Outcome, compare
from pms.arrivals.sheets.figures import size_text
from pms.arrivals.sheets.reading import Row
from pms.catalogue.models import Building, Unit, UnitFee
from pms.catalogue.slugs import all_slugs, slug_of, slug_of_room, word_of_place
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.rules.deeds import Deed
from pms.rules.enumerations import TaxTreatment
from pms.workspaces.models import Fee
from pms.workspaces.open_workspace import FIRST_FEES

UnitKey = tuple[str, str]

_FEES: Final = {code: (ja, en, category) for code, ja, en, category in FIRST_FEES}
_FACTS: Final = (
    "name_kana",
    "type",
    "layout",
    "bedrooms",
    "size_centi_sqm",
    "floor",
    "rent_yen",
    "deposit_yen",
    "reservation_fee_yen",
    "minimum_stay_days",
)


@dataclass(slots=True)
class Planned:
    """A building or a unit: as stored, or new; `row` holds what is to be written."""

    id: str
    stored: Any | None
    row: dict[str, Any] = field(default_factory=dict)

    def now(self, column: str) -> Any:
        """The value of a column with what is planned already."""
        if column in self.row or self.stored is None:
            return self.row.get(column)
        return getattr(self.stored, column)

    def plan(self, row: Row, outcome: Outcome, key: str, column: str, value: Any) -> None:
        """Plan a value; a change of a stored one is reported under the column of the sheet."""
        shown = _shown(column, self.now(column)), _shown(column, value)
        if self.stored is None or compare(outcome, row, key, *shown):
            self.row[column] = value


def _shown(column: str, value: Any) -> Any:
    return size_text(value) if column == "size_centi_sqm" else value


class CataloguePlan:
    """The buildings and units of a workspace, with what an import is going to write."""

    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._now = now
        self.told: set[str] = set()
        """The buildings whose facts a row of the sheet has told already."""
        self._load_places()
        self._load_fees()

    def _load_places(self) -> None:
        stored = list(self._session.scalars(select(Building)))
        keys = {building.id: building.name_key for building in stored}
        self.buildings = {one.name_key: Planned(one.id, one) for one in stored}
        units = list(self._session.scalars(select(Unit)))
        self.units: dict[UnitKey, Planned] = {
            (keys[unit.building_id], unit.name_key): Planned(unit.id, unit) for unit in units
        }
        self._building_slugs = set(all_slugs(self._session, Building))
        self._unit_slugs = set(all_slugs(self._session, Unit))

    def _load_fees(self) -> None:
        fees = self._session.scalars(select(Fee).where(Fee.code.in_(_FEES)))
        self._fee_ids = {fee.code: fee.id for fee in fees}
        self._new_fees: list[dict[str, Any]] = []
        asked = self._session.scalars(select(UnitFee))
        self._stored_fees = {(one.unit_id, one.fee_id): one for one in asked}
        self._fees_asked: dict[tuple[str, str], int] = {}

    def building(self, key: str, name: str, reading: str | None = None) -> tuple[Planned, bool]:
        """The building of a name, and whether it is new with this call."""
        known = self.buildings.get(key)
        if known is not None:
            return known, False
        slug = slug_of(word_of_place(name, reading), "building", self._building_slugs)
        row = {"id": (id_ := new_id()), "slug": slug, "name": name, "name_kana": reading}
        row |= {"area": "", "address": ""}
        self.buildings[key] = planned = Planned(id_, None, row)
        return planned, True

    def known_name(self, key: UnitKey) -> str | None:
        """How a unit is spelled that is known already."""
        known = self.units.get(key)
        return None if known is None else known.now("name")

    def unit(
        self, key: UnitKey, name: str, building: Planned, reading: str | None = None
    ) -> tuple[Planned, bool]:
        """The unit of a building, and whether it is new with this call."""
        known = self.units.get(key)
        if known is not None:
            return known, False
        word = slug_of_room(building.now("slug"), name, reading)
        slug = slug_of(word, "unit", self._unit_slugs)
        row = dict.fromkeys(_FACTS) | {"building_id": building.id, "slug": slug, "name": name}
        row |= {"id": (id_ := new_id()), "features": [], "features_en": []}
        self.units[key] = planned = Planned(id_, None, row)
        return planned, True

    def ask_monthly(
        self, row: Row, outcome: Outcome, unit: Planned, fee: tuple[str, str], amount_yen: int
    ) -> None:
        """Plan what a unit asks a month; the fee is the sheet's column and the catalogue's code."""
        key, code = fee
        place = unit.id, self._fee_id(code, amount_yen)
        stored = self._stored_fees.get(place)
        before = 0 if stored is None else stored.amount_yen
        if unit.stored is None or compare(outcome, row, key, before, amount_yen):
            self._fees_asked[place] = amount_yen

    def _fee_id(self, code: str, amount_yen: int) -> str:
        if code not in self._fee_ids and amount_yen:
            self._fee_ids[code] = new_id()
            self._new_fees.append(self._fee(code))
        return self._fee_ids.get(code, "")

    def _fee(self, code: str) -> dict[str, Any]:
        label_ja, label_en, category = _FEES[code]
        return {
            "id": self._fee_ids[code],
            "code": code,
            "label_ja": label_ja,
            "label_en": label_en,
            "category": category,
            "is_monthly": True,
            "amount_yen": 0,
            # Housing charges of a residence carry no consumption tax in Japan.
            "tax_treatment": TaxTreatment.EXEMPT,
        }

    def write(self, clock: Clock, actor: str) -> None:
        """Write everything planned, and note what changed of those that were known."""
        for deed, places in (
            (Deed.BUILDING_IMPORTED, self.buildings.values()),
            (Deed.UNIT_IMPORTED, self.units.values()),
        ):
            for row in _rewritten(places, self._now):
                note_change(self._session, clock, actor, deed, row)
        self._insert_places(Building, self.buildings.values())
        self._insert_places(Unit, self.units.values())
        self._insert(Fee, self._new_fees)
        self._write_fees_asked()

    def _insert_places(self, model: type[Any], planned: Iterable[Planned]) -> None:
        stamps = {"created_at": self._now, "updated_at": self._now}
        self._insert(model, [one.row | stamps for one in planned if one.stored is None])

    def _write_fees_asked(self) -> None:
        gone = [
            stored.id
            for place, amount_yen in self._fees_asked.items()
            if not amount_yen and (stored := self._stored_fees.get(place)) is not None
        ]
        if gone:
            self._session.execute(delete(UnitFee).where(UnitFee.id.in_(gone)))
        new: list[dict[str, Any]] = []
        for (unit_id, fee_id), amount_yen in self._fees_asked.items():
            stored = self._stored_fees.get((unit_id, fee_id))
            if stored is not None and amount_yen:
                stored.amount_yen = amount_yen
            elif stored is None and amount_yen:
                new.append({"unit_id": unit_id, "fee_id": fee_id, "amount_yen": amount_yen})
        self._insert(UnitFee, new)

    def _insert(self, model: type[Any], rows: list[dict[str, Any]]) -> None:
        if rows:
            self._session.execute(insert(model), rows)


def _rewritten(planned: Iterable[Planned], now: datetime) -> Iterator[Any]:
    """Write what a sheet states otherwise into the stored places; give each of them."""
    for one in planned:
        if one.stored is not None and one.row:
            for column, value in one.row.items():
                setattr(one.stored, column, value)
            one.stored.updated_at = now
            one.stored.version += 1
            yield one.stored
