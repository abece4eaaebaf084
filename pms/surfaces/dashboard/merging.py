"""Three-way merge of an edit with what others saved meanwhile, field by field.

A form carries the version of the record it shows and each value as it was shown. If the record is
newer when the form is sent, a field that only one side changed is merged; for one that both sides
changed, both values are shown with who changed it and when, and the person chooses. Typed values
stay in the form. To use it:

    # the page that edits
    edit = Edit.of(UnitForm.of(record.written), record.version)
    return page("dashboard/units/edit.html", form=edit.form, edit=edit)

    # the form that was sent: read the record in the transaction that writes it
    form = UnitForm()
    edit = Edit.from_typed(form, request.form)

    def act(work):
        record = unit_record(work.session, unit_id)
        now = Edit.of(UnitForm.of(record.written), record.version)
        edit.merge(work, now, subject=("unit", unit_id))
        return edit_unit(work, …, version=record.version, written=form.written_unit)

    return edit.save(act, url_for(…), again=lambda: page(…))

In the template, inside the form: `{{ ui.dashboard.conflict(edit) }}` above the fields. The audit knows
the fields by their names in snake case; `columns` lists those that it names differently.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from flask import Response
from flask_babel import gettext as _
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Field, Form, HiddenField, SelectField, SelectMultipleField

from pms.foundation.audit import LastChange, last_change
from pms.foundation.errors import Collision
from pms.foundation.mail_texts import format_day, format_yen
from pms.foundation.work import Work
from pms.surfaces.fields import DayField, YenField
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go
from pms.surfaces.reader_choice import chosen_language


def plain_text(each: Field) -> str:
    """Return the value of a field as the form carries it: equal values give equal texts."""
    data: Any = each.data
    if data is None or data is False:
        return ""
    if data is True:
        return "1"
    if isinstance(data, list | tuple):
        return "\n".join(map(str, data))
    shown = getattr(each, "shown", str)
    return str(shown(data)).replace("\r\n", "\n").strip()


def shown_text(each: Field) -> str:
    """Return the value of a field as a person reads it."""
    if isinstance(each, SelectField | SelectMultipleField):
        chosen = [str(text) for _value, text, is_chosen, *_ in each.iter_choices() if is_chosen]
        return ", ".join(chosen)
    if isinstance(each, YenField) and each.data is not None:
        return format_yen(each.data)
    if isinstance(each, DayField) and each.data is not None:
        return format_day(each.data, chosen_language())
    if each.data is True:
        return str(_("Yes"))
    return _("No") if each.data is False else plain_text(each)


_WAS: Final = "was."
_KEEP: Final = "keep."
_CHOOSE: Final = "choose"
MINE: Final = "mine"
THEIRS: Final = "theirs"
_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MOST_FIELDS: Final = 200


class Clash(NamedTuple):
    """A field that both sides changed, with both values as a person reads them."""

    name: str
    label: str
    mine: str
    theirs: str
    actor: str | None
    at: datetime | None
    answer: str | None


@dataclass
class Edit:
    """A form for one version of a record."""

    form: FlaskForm
    version: int
    was: Mapping[str, str]
    """Each value as the form showed it."""
    choose: tuple[str, ...] = ()
    """The fields that the person was asked to choose."""
    answers: Mapping[str, str] = field(default_factory=dict)
    clashes: list[Clash] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    """The labels of the fields that took the newer value."""

    @classmethod
    def of(cls, form: FlaskForm, version: int) -> Self:
        """Return the edit of a form that shows the newest version of a record."""
        return cls(
            form, version, {each.name: plain_text(each) for each in _list_shown_fields(form)}
        )

    @classmethod
    def from_typed(cls, form: FlaskForm, given: MultiDict[str, str]) -> Self:
        """Return the edit of a form that was sent; an unreadable version becomes 0, the oldest."""
        version = given.get("version", "")
        return cls(
            form,
            int(version) if re.fullmatch(r"[0-9]{1,9}", version) else 0,
            _read_prefixed_fields(given, _WAS),
            choose=tuple(given.getlist(_CHOOSE)[:_MOST_FIELDS]),
            answers=_read_prefixed_fields(given, _KEEP),
        )

    def merge(
        self,
        work: Work,
        now: Self,
        *,
        subject: tuple[str, str],
        columns: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Take what only others changed; raise `Collision` while a field needs a choice."""
        if now.version == self.version and not self.choose:
            return
        # Fields that can no longer be changed are not merged: the use case refuses them.
        fields = [mine for mine in _list_shown_fields(self.form) if mine.name in now.form]
        pairs = [(mine, now.form[mine.name]) for mine in fields]
        self.clashes = [
            self._build_clash(mine, theirs, _find_last_change(work, subject, mine, columns))
            for mine, theirs in pairs
            if self._is_open(mine, theirs)
        ]
        if not self.clashes:
            return
        # From now on the form shows the newest version, and carries its number.
        self.version, self.was = now.version, now.was
        self.choose = tuple(clash.name for clash in self.clashes)
        raise Collision("A colleague changed the same fields in the meantime. Choose what to keep.")

    def save(
        self,
        act: Callable[[Work], object],
        address: str,
        *,
        again: Callable[[], Response],
        words: str | None = None,
    ) -> Response:
        """Run the action that merges and writes, and open a page; else show the form again."""
        return submitted(
            self.form,
            act=act,
            then=lambda _done: go(address, message=self.message(words or _("Saved."))),
            again=again,
        )

    def message(self, words: str) -> str:
        """Return the message after saving, with the fields that kept another person's change."""
        if not self.taken:
            return words
        kept = _("A colleague's changes were kept: %(fields)s.", fields=", ".join(self.taken))
        return f"{words} {kept}"

    def hidden_fields(self) -> Iterator[tuple[str, str]]:
        """Yield the hidden fields of the form."""
        yield "version", str(self.version)
        for name, text in self.was.items():
            yield f"{_WAS}{name}", text
        for name in self.choose:
            yield _CHOOSE, name
        if not self.clashes:
            # No visible field has the choices made so far, so they are carried along.
            for name, answer in self.answers.items():
                yield f"{_KEEP}{name}", answer

    def _is_open(self, mine: Field, theirs: Field) -> bool:
        """Merge one field if possible; return whether the person has to choose."""
        typed, was, now = plain_text(mine), self.was.get(mine.name), plain_text(theirs)
        answer = self.answers.get(mine.name)
        if typed == now:
            return False
        if mine.name in self.choose:
            if answer == THEIRS:
                self._take_theirs(mine, theirs)
            return answer != THEIRS and (answer != MINE or now != was)
        if typed == was:
            self._take_theirs(mine, theirs)
        return was not in (typed, now)

    def _take_theirs(self, mine: Field, theirs: Field) -> None:
        mine.data, mine.raw_data = theirs.data, None
        self.taken.append(str(mine.label.text))

    def _build_clash(self, mine: Field, theirs: Field, change: LastChange | None) -> Clash:
        return Clash(
            mine.name,
            str(mine.label.text),
            shown_text(mine),
            shown_text(theirs),
            change.actor if change else None,
            change.at if change else None,
            self.answers.get(mine.name),
        )


def _find_last_change(
    work: Work, subject: tuple[str, str], mine: Field, columns: Mapping[str, str]
) -> LastChange | None:
    column = columns.get(mine.name) or _CAPITAL.sub("_", mine.name).lower()
    return last_change(work.session, subject, column)


def _list_shown_fields(form: Form) -> Iterator[Field]:
    return (each for each in form if not isinstance(each, HiddenField))


def _read_prefixed_fields(given: MultiDict[str, str], prefix: str) -> dict[str, str]:
    pairs = list(given.items())[:_MOST_FIELDS]
    return {
        name.removeprefix(prefix): text.replace("\r\n", "\n")
        for name, text in pairs
        if name.startswith(prefix)
    }
