"""The form of a reason for leaving that cannot be helped, for residents and for staff."""

from typing import Any, Self

from flask import request
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.departures import leaving_reasons
from pms.foundation.work import Work
from pms.rules.notices import LeavingReason
from pms.surfaces.fields import LongTextField, Optional, PickField, Required
from pms.surfaces.labels.enumerations import choices


class LeavingReasonForm(FlaskForm):
    """Why the resident has to leave."""

    leavingReason = PickField(lazy_gettext("Reason"), [Required()])
    words = LongTextField(lazy_gettext("Please explain"), [Optional()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.leavingReason.choices = choices(LeavingReason)

    @classmethod
    def of(cls, *, is_sent: bool) -> Self:
        """Return the form as it was sent, or empty."""
        return cls(request.form if is_sent else None)

    def state(self, work: Work, reservation_id: str, *, is_own: bool) -> object:
        """Store the reason; `is_own`: the resident states it."""
        return leaving_reasons.state_reason(
            work,
            reservation_id=reservation_id,
            reason=LeavingReason(self.leavingReason.data),
            words=self.words.data,
            is_own=is_own,
        )
