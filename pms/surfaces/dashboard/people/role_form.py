"""What an operator decides about a person: an address to invite, a role."""

from collections.abc import Mapping
from typing import Any, Final

from flask_babel import LazyString, lazy_gettext
from wtforms import Form

from pms.rules.enumerations import StaffRole
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import EmailField, PickField, Required

REACHES: Final[Mapping[StaffRole, LazyString]] = {
    StaffRole.OPERATOR: lazy_gettext(
        "Everything: daily work, money, fees, API keys, people and settings."
    ),
    StaffRole.OFFICE: lazy_gettext(
        "All daily work and billing. No API keys, fees, people or settings."
    ),
    StaffRole.HOUSEKEEPING: lazy_gettext(
        "Own and free tasks, rooms and buildings, codes on the day of a task. No money, no "
        "contracts, no contact data of residents."
    ),
    StaffRole.MAINTENANCE: lazy_gettext(
        "As housekeeping, with requests, projects and purchases. No rent, deposits or ledgers."
    ),
}


class RoleForm(Form):
    """A role, each with what it opens."""

    role = PickField(lazy_gettext("Role"), [Required()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        # Their words are known only where somebody reads them.
        self.role.choices = choices(StaffRole)

    @property
    def chosen(self) -> StaffRole:
        """Return the role of a form that was accepted."""
        return StaffRole(self.role.data)


class InvitationForm(RoleForm):
    """Whom to invite, and as what."""

    email = EmailField(lazy_gettext("E-mail address"), [Required()])
