"""The filters of the record of sign-ins, as they stand in its address."""

from typing import Any

from flask_babel import lazy_gettext, lazy_pgettext
from wtforms import Form

from pms.access.staff import members
from pms.rules.enumerations import SignInEventKind
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import ChoiceField, DayField, Optional


class SignInsForm(Form):
    """Whose sign-ins, what happened, and when."""

    member = ChoiceField(lazy_gettext("Person"), [Optional()])
    kind = ChoiceField(lazy_pgettext("sign-in", "What happened"), [Optional()])
    fromOn = DayField(lazy_gettext("From"), [Optional()])
    throughOn = DayField(lazy_gettext("Through"), [Optional()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        people = [(member.id, member.name) for member in members(reading())]
        self.member.choices = [("", lazy_gettext("Everyone")), *people]
        self.kind.choices = [("", lazy_gettext("Everything")), *choices(SignInEventKind)]

    def asked(self) -> dict[str, Any]:
        """Return what a valid form asks the record."""
        return {
            "member_id": self.member.data,
            "kind": SignInEventKind(self.kind.data) if self.kind.data else None,
            "from_on": self.fromOn.data,
            "through_on": self.throughOn.data,
        }
