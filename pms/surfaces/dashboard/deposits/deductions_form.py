"""The form of a settlement: any number of deductions, added and removed by named buttons."""

import re
from collections.abc import Iterator
from typing import Any, Final, Self

from flask_babel import gettext, lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import Field, FieldList, Form, FormField
from wtforms.widgets import HiddenInput

from pms.deposits.settlement_refusals import AskedDeduction
from pms.rules.enumerations import FeeCategory
from pms.surfaces.enumeration_words import WORDS
from pms.surfaces.fields import ChoiceField, TextField, WholeNumberField, YenField

MOST: Final = 30
_KINDS: Final = (
    FeeCategory.CLEANING,
    FeeCategory.REPAIR,
    FeeCategory.SERVICE,
    FeeCategory.OTHER,
)
_of_row = re.compile(r"deductions-(\d{1,4})-(\w+)").fullmatch


class DeductionForm(Form):
    """One deduction; a row left wholly empty is none."""

    label = TextField(lazy_gettext("What for"))
    amountYen = YenField(lazy_gettext("Amount (yen)"), minimum_yen=1)
    category = ChoiceField(
        lazy_gettext("Category"),
        choices=[(kind.value, WORDS[FeeCategory][kind]) for kind in _KINDS],
        default=FeeCategory.OTHER.value,
    )

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed into the row."""
        typed = (self.label.raw_data or [""])[0], (self.amountYen.raw_data or [""])[0]
        return not any(text.strip() for text in typed)

    @property
    def kind(self) -> FeeCategory:
        """The category; the usual one where something else than a choice was sent."""
        found = next((kind for kind in _KINDS if kind == self.category.data), None)
        return found or FeeCategory.OTHER

    def validate(self, extra_validators: Any = None) -> bool:
        """Take a row that has both a name and an amount, or neither."""
        is_sound = super().validate(extra_validators)
        if self.is_empty:
            return is_sound
        for field in (self.label, self.amountYen):
            if not field.data and not field.errors:
                field.errors = [gettext("Please fill this in.")]
                is_sound = False
        return is_sound


class SettlementForm(Form):
    """The deductions in their order, and the version of the reservation they were decided on."""

    deductions = FieldList(FormField(DeductionForm), max_entries=MOST)
    version = WholeNumberField(widget=HiddenInput())

    @classmethod
    def of(cls, version: int, typed: MultiDict[str, str] | None = None) -> Self:
        """Return the form with at least one row to write into."""
        form = cls(typed) if typed is not None else cls(version=version)
        if not form.deductions.entries:
            form.deductions.append_entry()
        return form

    @property
    def rows(self) -> list[DeductionForm]:
        """The rows as forms of their own."""
        return [entry.form for entry in self.deductions.entries]

    @property
    def asked(self) -> tuple[AskedDeduction, ...]:
        """The deductions that were typed."""
        return tuple(
            AskedDeduction(row.label.data or "", row.amountYen.data or 0, row.kind)
            for row in self.rows
            if not row.is_empty
        )

    @property
    def summary(self) -> "Summary":
        """What keeps it from being accepted, with the fields of all rows."""
        return Summary(self)

    def add(self) -> None:
        """Add an empty row at the end."""
        if len(self.deductions.entries) < MOST:
            self.deductions.append_entry()


class Summary:
    """The errors of a settlement as a list of errors shows them: every field on its own."""

    def __init__(self, form: SettlementForm) -> None:
        self.form_errors = form.form_errors
        self._fields = [field for row in form.rows for field in row if field.errors]
        self.errors = [*self.form_errors, *self._fields]

    def __iter__(self) -> Iterator[Field]:
        return iter(self._fields)


def without_row(typed: MultiDict[str, str], place: int) -> MultiDict[str, str]:
    """Return what was typed with one row taken out; the others keep their order."""
    found = [(match, text) for name, text in typed.items() if (match := _of_row(name))]
    kept = sorted({int(match[1]) for match, _ in found} - {place})
    rest = [(name, text) for name, text in typed.items() if not _of_row(name)]
    rows = [
        (f"deductions-{kept.index(int(match[1]))}-{match[2]}", text)
        for match, text in found
        if int(match[1]) in kept
    ]
    return MultiDict([*rest, *rows])
