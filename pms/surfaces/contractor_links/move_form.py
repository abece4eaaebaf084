"""What is chosen when a task moves."""

from typing import Any

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.enumerations import HoldReason, TaskState
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    HiddenField,
    LongTextField,
    Optional,
    PickField,
    Required,
    WholeNumberField,
)


class MoveForm(Form):
    """The state it goes to, the count of moves that was seen, and why it waits."""

    state = PickField(_("State"), [Required()])
    moves = WholeNumberField(_("Moves"), [Optional()])
    holdReason = PickField(_("Why does it wait?"))
    note = LongTextField(_("Note for the office"), [Optional()])
    once = HiddenField()

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.state.choices = choices(TaskState)
        self.holdReason.choices = choices(HoldReason)
