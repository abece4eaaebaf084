"""What a new API key is for."""

from typing import Any, Final

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.enumerations import Scope
from pms.rules.request_budget import BUDGET_REQUESTS
from pms.rules.scopes import PRESETS, Preset
from pms.surfaces.enumeration_words import word
from pms.surfaces.fields import (
    FlagField,
    ManyField,
    Optional,
    PickField,
    Required,
    TextField,
    WholeNumberField,
)

CHOSEN: Final = "chosen"
_PURPOSES: Final = (
    (Preset.READ, _("Website: read listings")),
    (Preset.ACTIONS, _("Website: send enquiries")),
    (Preset.TELEMETRY, _("Website: count visits")),
    (CHOSEN, _("Something else")),
)


class KeyForm(Form):
    """A key's name, what it may do, where it stands, and how much it may ask."""

    purpose = PickField(_("What is it for?"), choices=_PURPOSES, default=Preset.READ)
    name = TextField(_("Name"), [Required()])
    scopes = ManyField(_("Scopes, for something else"), [Optional()])
    isPublic = FlagField(_("It stands in public pages, where anyone can read it"))
    budget = WholeNumberField(
        _("Requests an hour"), [Required()], default=BUDGET_REQUESTS, least=1, most=1_000_000
    )

    def __init__(self, given: Any = None) -> None:
        super().__init__(given)
        # Their words are known only where somebody reads them.
        self.scopes.choices = [(each.value, f"{word(each)} ({each})") for each in Scope]

    def granted(self) -> list[str]:
        """Return the scopes of the purpose, or those chosen."""
        if self.purpose.data == CHOSEN:
            return list(self.scopes.data or ())
        return sorted(PRESETS[Preset(self.purpose.data)])
