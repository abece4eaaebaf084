"""What is typed beside an enquiry: an answer, a note, who looks after it."""

from collections.abc import Iterable
from typing import Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.enquiries.office_people import OfficePerson
from pms.foundation.ids import new_id
from pms.surfaces.fields import ChoiceField, HiddenField, LongTextField, Optional


class ActingForm(Form):
    """Each deed reads its own field; the key tells what was sent twice."""

    text = LongTextField(_("Your answer"))
    note = LongTextField(_("Note for colleagues"))
    assigneeId = ChoiceField(_("Looked after by"))
    key = HiddenField(validators=[Optional()])

    @classmethod
    def fresh(cls) -> Self:
        """Return an empty form under a key of its own."""
        return cls(data={"key": new_id()})

    def offer(self, people: Iterable[OfficePerson], chosen: str | None) -> None:
        """Give the form the people of the office; who left stays as the choice that stands."""
        named = [(one.person_id, one.name) for one in people]
        self.assigneeId.choices = [("", str(_("Nobody yet"))), *named]
        if not self.assigneeId.raw_data:
            self.assigneeId.data = chosen
