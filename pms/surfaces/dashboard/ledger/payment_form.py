"""The form that takes a payment."""

from typing import Any, Self

from flask_babel import gettext, lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import Form
from wtforms.widgets import HiddenInput

from pms.foundation.wording import said_yen
from pms.ledger.statement import Statement
from pms.rules.ledger_entries import Standing
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    Optional,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.payment_methods import METHODS
from pms.surfaces.reader_choice import chosen_language

_OLDEST_FIRST = ("", lazy_gettext("The open bills, oldest first"))


class PaymentForm(Form):
    """Money that arrived; without a bill it reaches the open ones, oldest first."""

    amountYen = YenField(lazy_gettext("Amount (yen)"), [Required()], minimum_yen=1)
    receivedOn = DayField(lazy_gettext("Received on"), [Required()])
    entryId = ChoiceField(lazy_gettext("Pays"), [Optional()])
    method = ChoiceField(lazy_gettext("How it was paid"), choices=list(METHODS.items()))
    reference = TextField(
        lazy_gettext("Reference"),
        [Optional()],
        description=lazy_gettext("The bank's or the provider's; the same one is taken once."),
    )
    note = TextField(lazy_gettext("Note"), [Optional()])
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())

    @classmethod
    def of(cls, found: Statement, typed: MultiDict[str, str] | None, **given: Any) -> Self:
        """Return the form with the bills of a ledger to choose from, those open first."""
        form = cls(typed, **given)
        standings = [
            standing
            for standing in found.standings
            if not (standing.is_voided or standing.is_credit)
        ]
        labels = {entry.id: entry.label.said(chosen_language()) for entry in found.entries}
        in_order = sorted(standings, key=lambda one: (not one.open_yen, one.due_on, one.id))
        form.entryId.choices = [
            _OLDEST_FIRST,
            *((one.id, f"{labels[one.id]} ({_open(one)})") for one in in_order),
        ]
        return form


def _open(standing: Standing) -> str:
    return str(gettext("open %(yen)s", yen=said_yen(standing.open_yen)))
