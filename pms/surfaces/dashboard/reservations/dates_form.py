"""The dates of a contract that may be corrected; the original ones stay as they were agreed."""

from datetime import date
from typing import Self

from flask_babel import lazy_gettext
from wtforms import Form

from pms.arrivals.dates_plan import CorrectedFacts
from pms.arrivals.reservation_facts import ReservationFacts
from pms.rules.days import CorruptDay, RecordedDay, readable
from pms.surfaces.fields import DayField, Optional


class DatesForm(Form):
    """An empty override takes the correction back."""

    overrideMoveInDate = DayField(lazy_gettext("Corrected move-in"), [Optional()])
    overrideContractEndDate = DayField(lazy_gettext("Corrected contract end"), [Optional()])
    arrivalDate = DayField(lazy_gettext("Arrival"), [Optional()])

    @classmethod
    def of(cls, facts: ReservationFacts) -> Self:
        """Return the form as the dates are recorded; a damaged one stays empty."""
        return cls(
            data={
                "overrideMoveInDate": readable(facts.override_move_in_on),
                "overrideContractEndDate": readable(facts.override_contract_end_on),
                "arrivalDate": readable(facts.arrival_on),
            }
        )

    def corrections(self, facts: ReservationFacts) -> CorrectedFacts:
        """Return the dates as typed; a damaged one that was left empty stays as it is."""
        told: CorrectedFacts = {}
        if _is_stated(self.overrideMoveInDate.data, facts.override_move_in_on):
            told["override_move_in_date"] = self.overrideMoveInDate.data
        if _is_stated(self.overrideContractEndDate.data, facts.override_contract_end_on):
            told["override_contract_end_date"] = self.overrideContractEndDate.data
        if _is_stated(self.arrivalDate.data, facts.arrival_on):
            told["arrival_date"] = self.arrivalDate.data
        return told


def _is_stated(typed: date | None, recorded: RecordedDay) -> bool:
    return typed is not None or not isinstance(recorded, CorruptDay)
