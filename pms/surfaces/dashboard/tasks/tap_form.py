"""What a tap on a task carries: the state it goes to, a tick, a note, a name."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.enumerations import HoldReason, TaskState
from pms.surfaces.fields import (
    ChoiceField,
    HiddenField,
    LongTextField,
    Optional,
    PickField,
    Required,
)
from pms.upkeep.assignees import Assignee

_TO: Final = {state.value: state for state in TaskState}
_FOR: Final = {reason.value: reason for reason in HoldReason}
_STATES: Final = [(state.value, "") for state in TaskState]
_REASONS: Final = [(reason.value, "") for reason in HoldReason]


class Tap(NamedTuple):
    """A move as it was tapped."""

    to: TaskState
    reason: HoldReason | None
    seen_moves: int | None
    """How many moves were seen; what is no number was not seen."""
    note: str | None


def read_tap(given: Mapping[str, str]) -> Tap | None:
    """Return the move that a form asks for, `None` when it names no state or reason there is."""
    state, reason = _TO.get(given.get("state", "")), given.get("holdReason") or None
    if state is None or (reason and reason not in _FOR):
        return None
    moves = given.get("moves", "")
    seen = int(moves) if re.fullmatch(r"[0-9]{1,9}", moves) else None
    return Tap(state, _FOR[reason] if reason else None, seen, given.get("note"))


class MoveForm(Form):
    """Where a task goes, how often it had been moved when it was seen, and why it waits."""

    state = PickField(_("State"), [Required()])
    moves = HiddenField()
    holdReason = PickField(_("Why does it wait?"), [Optional()])
    note = LongTextField(_("Note"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Nobody sees these as choices, so they need no words.
        self.state.choices = _STATES
        self.holdReason.choices = _REASONS


class NoteForm(Form):
    """Something to write down."""

    text = LongTextField(_("Note"), [Required()])


class AssigneeForm(Form):
    """Whose task it becomes."""

    assigneeId = ChoiceField(_("Who does it"), [Optional()])

    def offer(self, people: Sequence[Assignee]) -> None:
        """Give the form those who may be chosen."""
        named = [(person.person_id, person.name) for person in people]
        self.assigneeId.choices = [("", str(_("Nobody yet"))), *named]
