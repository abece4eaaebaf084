"""What became of a viewing, as it is noted."""

from typing import Any

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.viewing_steps import RESULTS
from pms.surfaces.enumeration_words import word
from pms.surfaces.fields import LongTextField, Optional, PickField, Required


class ResultForm(Form):
    """Whether it took place, and what to remember."""

    result = PickField(_("What became of it"), [Required()])
    note = LongTextField(_("Note for colleagues"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.result.choices = [(one.value, word(one)) for one in RESULTS]
