"""Which days a unit is taken outside the service."""

from typing import Any

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.enumerations import BlockSource
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import ChoiceField, DayField, Optional, Required, TextField


class BlockForm(Form):
    """A new block; without a last day it is open-ended."""

    source = ChoiceField(_("Why"), [Required()], default=BlockSource.OWNER_USE.value)
    firstOn = DayField(_("First day"), [Required()])
    lastOn = DayField(_("Last day"), [Optional()])
    summary = TextField(_("Note"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.source.choices = choices(BlockSource)


class BlockEndForm(Form):
    """The last day of a block."""

    lastOn = DayField(_("Last day"), [Required()])
