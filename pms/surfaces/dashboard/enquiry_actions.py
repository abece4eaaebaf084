"""The actions that the pages of enquiries and of applications share: reply, note, assign, move."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self, TypeVar

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.rules.message_words import Channel
from pms.surfaces.dashboard.record_choices import office_choices
from pms.surfaces.fields import ChoiceField, HiddenField, LongTextField, Optional
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import Undo, go
from pms.surfaces.labels.enumerations import label_of

Result = TypeVar("Result")
State = TypeVar("State", bound=StrEnum)


class ActingForm(FlaskForm):
    """The fields of the page's actions; the key recognizes a form that was sent twice."""

    text = LongTextField(lazy_gettext("Your reply"))
    note = LongTextField(lazy_gettext("Internal note"))
    assigneeId = ChoiceField(lazy_gettext("Assigned to"))
    key = HiddenField(validators=[Optional()])

    @classmethod
    def fresh(cls) -> Self:
        """Return an empty form with a new key."""
        return cls(formdata=None, data={"key": new_id()})

    @classmethod
    def from_request(cls) -> Self:
        """Return the form as it was sent."""
        form = cls()
        form.offer(None)
        return form

    def offer(self, chosen: str | None) -> None:
        """Fill the list of office staff; an assignee who left stays the current choice."""
        self.assigneeId.choices = [("", str(lazy_gettext("Unassigned"))), *office_choices()]
        if not self.assigneeId.raw_data:
            self.assigneeId.data = chosen


@dataclass(frozen=True)
class EnquiryActions:
    """The actions of one page; `noun` is "enquiry" or "lead", as its routes are named.

    The routes of both pages call them alike and stay apart: each has its own roles and calls the
    verbs of its own records, which differ (an enquiry belongs to a conversation, and a lead is
    deleted with its notes).
    """

    noun: str
    render: Callable[[str, ActingForm], Response]

    def reply(self, id_: str, act: Callable[[Work, str | None, str | None], object]) -> Response:
        """Mail the typed reply; `act` takes its text and the key of the form."""
        return self.submit(
            id_,
            lambda work, form: act(work, form.text.data, form.key.data or None),
            lambda _none: _(
                "The reply is being sent via %(channel)s.", channel=label_of(Channel.MAIL)
            ),
        )

    def note(self, id_: str, act: Callable[[Work, str | None, str | None], object]) -> Response:
        """Store the typed note; `act` takes its text and the key of the form."""
        return self.submit(
            id_,
            lambda work, form: act(work, form.note.data, form.key.data or None),
            lambda _none: _("Note saved."),
        )

    def retry(self, id_: str, act: Callable[[Work], object]) -> Response:
        """Send a reply again that could not be sent."""
        return self.submit(id_, lambda work, _form: act(work), lambda _none: _("Sending again."))

    def assign(self, id_: str, act: Callable[[Work, str | None], object]) -> Response:
        """Assign to the chosen person, or to nobody."""
        return self.submit(
            id_,
            lambda work, form: act(work, form.assigneeId.data or None),
            lambda _none: _("Saved."),
        )

    def move(
        self,
        id_: str,
        before: State,
        act: Callable[[Work, State], object],
        confirm: Callable[[State], str],
        may_move: Callable[[State, State], bool],
    ) -> Response:
        """Change the state; the confirmation offers to undo it where that is possible."""
        states, given = type(before), request.form.get("state", "")

        def move(work: Work, _form: ActingForm) -> State:
            if given not in list(states):
                raise Refused("state: '{state}' is not one of the statuses.", state=given[:40])
            into = states(given)
            act(work, into)
            return into

        def undo(into: State) -> Undo | None:
            back = url_for(f"dashboard.move_{self.noun}", **self._id_argument(id_))
            return Undo(back, {"state": before.value}) if may_move(into, before) else None

        return self.submit(id_, move, confirm, undo)

    def submit(
        self,
        id_: str,
        act: Callable[[Work, ActingForm], Result],
        confirm: Callable[[Result], str],
        undo: Callable[[Result], Undo | None] = lambda _result: None,
    ) -> Response:
        """Run an action with the sent form; back on the page, `confirm` says what was done."""
        form = ActingForm.from_request()
        page = url_for(f"dashboard.{self.noun}", **self._id_argument(id_))
        return submitted(
            form,
            act=lambda work: act(work, form),
            then=lambda result: go(page, message=confirm(result), undo=undo(result)),
            again=lambda: self.render(id_, form),
        )

    def _id_argument(self, id_: str) -> dict[str, Any]:
        return {f"{self.noun}_id": id_}
