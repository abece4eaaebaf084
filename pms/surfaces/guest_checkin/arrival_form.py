"""What is typed of the arrival: the time, and the agreement to the rules of the house."""

from datetime import time
from typing import Any, Final

from flask_babel import gettext
from flask_babel import lazy_gettext as _
from wtforms import Form
from wtforms.validators import StopValidation

from pms.stays.stay_terms import Terms
from pms.surfaces.fields import ChoiceField, FlagField, Required

_LAST_BEFORE_NEXT_DAY: Final = 3


def _agreed(form: "ArrivalForm", field: FlagField) -> None:
    """Rules there are have to be agreed to."""
    if form.needs_rules and not field.data:
        raise StopValidation(gettext("Please tick this to stay."))


class ArrivalForm(Form):
    """The time of arrival and the agreement."""

    arrivalTime = ChoiceField(_("When do you arrive?"), [Required()])
    acceptsRules = FlagField(_("We agree to the rules of the house."), [_agreed])

    def __init__(self, *given: Any, terms: Terms, told: str | None, **values: Any) -> None:
        super().__init__(*given, **values)
        self.needs_rules = terms.has_rules
        self.arrivalTime.choices = [("", gettext("Choose a time")), *_times(terms, told)]


def _times(terms: Terms, told: str | None) -> list[tuple[str, str]]:
    """Half hours from the check-in time to midnight, then whole hours of the night."""
    first = time.fromisoformat(terms.check_in_time)
    halves = [f"{number // 2:02}:{number % 2 * 30:02}" for number in range(48)]
    evening = [each for each in halves if each >= first.strftime("%H:%M")]
    night = [f"{hour:02}:00" for hour in range(_LAST_BEFORE_NEXT_DAY)]
    known = {*evening, *night, None}
    return [
        *((told, told) for _ in range(1) if told and told not in known),
        *((each, each) for each in evening),
        *((each, gettext("%(time)s, after midnight", time=each)) for each in night),
    ]
