"""Begins a report at the unit, the resident or the conversation that an address names."""

from collections.abc import Mapping
from typing import Any

from pms.catalogue.records import unit_record
from pms.channels.inbox_reach import InboxReach
from pms.channels.words_to_report import words_to_report
from pms.foundation.ids import is_id, new_id
from pms.surfaces.dashboard.desk import desk, reading
from pms.surfaces.dashboard.requests.report_form import ReportForm
from pms.upkeep.reporting_residents import home_of


def begun_report(given: Mapping[str, str]) -> ReportForm:
    """Return the form with what is known already; only the office begins with a resident."""
    known = _of_resident(given) if desk().is_office else {}
    return ReportForm(data={"once": new_id()} | (known or _of_place(given)))


def _of_place(given: Mapping[str, str]) -> dict[str, Any]:
    unit_id, building_id = given.get("unitId", ""), given.get("buildingId")
    if is_id(unit_id):
        building_id = unit_record(reading(), unit_id).building_id
    return {"unitId": unit_id, "buildingId": building_id}


def _of_resident(given: Mapping[str, str]) -> dict[str, Any]:
    reservation_id, words = given.get("reservationId"), None
    if given.get("conversationId"):
        # The address carries no words: they would stand in every log.
        told = words_to_report(reading(), given["conversationId"], InboxReach.everything())
        reservation_id, words = told.reservation_id, told.text
    if not reservation_id:
        return {}
    home = home_of(reading(), reservation_id)
    return {
        "buildingId": home.building_id,
        "unitId": home.unit_id,
        "reservationId": reservation_id,
        "what": words,
    }
