"""The filters of the list of arrears."""

from collections.abc import Iterable

from flask_babel import lazy_gettext
from wtforms import Form

from pms.ledger.debts import DebtAge
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import ChoiceField, Optional


class ArrearsForm(Form):
    """Whose debts: of a building, of an age."""

    building = ChoiceField(lazy_gettext("Building"), [Optional()])
    age = ChoiceField(lazy_gettext("Overdue since"), [Optional()])

    def offer(self, buildings: Iterable[tuple[str, str]]) -> None:
        """Fill the lists with what there is to choose."""
        self.building.choices = [("", lazy_gettext("All buildings")), *buildings]
        self.age.choices = [("", lazy_gettext("Any time")), *choices(DebtAge)]

    @property
    def wanted_age(self) -> DebtAge | None:
        """The age asked for, if any."""
        return DebtAge(self.age.data) if self.age.data and not self.age.errors else None
