"""The form that posts a credit."""

from typing import Any, Self

from flask_babel import gettext, lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import Form
from wtforms.widgets import HiddenInput

from pms.foundation.wording import said_yen
from pms.ledger.statement import Statement
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    Optional,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.reader_choice import chosen_language


class CreditForm(Form):
    """What the resident need not pay; the amount is typed without a sign."""

    amountYen = YenField(lazy_gettext("Amount (yen)"), [Required()], minimum_yen=1)
    entryId = ChoiceField(lazy_gettext("Set off against"), [Optional()])
    labelJa = TextField(lazy_gettext("What for, in Japanese"), [Required()])
    labelEn = TextField(lazy_gettext("What for, in English"), [Optional()])
    category = ChoiceField(lazy_gettext("Category"), [Required()])
    taxTreatment = ChoiceField(lazy_gettext("Tax"), [Required()])
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())

    @classmethod
    def of(cls, found: Statement, typed: MultiDict[str, str] | None, **given: Any) -> Self:
        """Return the form with the unpaid bills of a ledger to choose from."""
        form = cls(typed, **given)
        unpaid = sorted((s for s in found.standings if s.unpaid_yen), key=lambda s: s.due_on)
        labels = {entry.id: entry.label.said(chosen_language()) for entry in found.entries}
        form.entryId.choices = [
            ("", gettext("The unpaid bills, oldest first")),
            *(
                (s.id, f"{labels[s.id]} ({gettext('open %(yen)s', yen=said_yen(s.unpaid_yen))})")
                for s in unpaid
            ),
        ]
        form.category.choices = [
            one for one in choices(FeeCategory) if one[0] != FeeCategory.DEPOSIT
        ]
        form.taxTreatment.choices = choices(TaxTreatment)
        return form
