"""Says beside a viewing how free its unit is, so that nothing is promised that is not certain."""

from typing import NamedTuple

from flask_babel import gettext as _

from pms.availability.explain_unit import explain_unit
from pms.catalogue.records import unit_record
from pms.foundation.bilingual import Bilingual
from pms.foundation.wording import said_day
from pms.rules.availability import Availability
from pms.rules.enumerations import AvailabilityState
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.units.reasons import reason_words
from pms.surfaces.reader_choice import chosen_language


class ShownUnit(NamedTuple):
    """A unit with its label, what may be said of it to the visitor, and the fact behind."""

    id: str
    name: str
    building: Bilingual
    availability: Availability
    told: str
    reason: str


def shown_unit(unit_id: str) -> ShownUnit:
    """Return the unit of a viewing as it is today."""
    unit, explained = unit_record(reading(), unit_id), explain_unit(reading(), unit_id, today())
    label = explained.availability
    return ShownUnit(
        unit_id,
        unit.written.name,
        unit.building,
        label,
        _told(label),
        reason_words(explained.reason),
    )


def _told(label: Availability) -> str:
    day = said_day(label.on, chosen_language()) if label.on else None
    if label.state == AvailabilityState.AVAILABLE_NOW:
        return str(_("Free: the visitor may move in at once."))
    if label.move_in_from is not None:
        return str(_("Occupied until it is free on %(day)s. That day may be offered.", day=day))
    if label.is_possible and day:
        return str(_("May become free on %(day)s. Say so, and promise no move-in date.", day=day))
    if label.is_possible:
        return str(_("May become free. Say so, and promise no move-in date."))
    if label.state == AvailabilityState.RESERVED:
        return str(_("Reserved. It can be shown, and cannot be offered."))
    return str(_("Occupied, with no end known. It can be shown, and cannot be offered."))
