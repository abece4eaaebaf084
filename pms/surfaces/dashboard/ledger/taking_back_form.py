"""The forms that take a payment back: a reversal, and money sent to who paid it."""

from flask_babel import lazy_gettext
from wtforms import Form
from wtforms.widgets import HiddenInput

from pms.surfaces.fields import DayField, Optional, Required, TextField, WholeNumberField, YenField


class ReversalForm(Form):
    """Why a payment is wrong."""

    reason = TextField(
        lazy_gettext("Why it is wrong"),
        [Required()],
        description=lazy_gettext(
            "It stands in the history and on the paper that voids the receipt."
        ),
    )
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())


class ReturnForm(Form):
    """Money that left for who paid it."""

    amountYen = YenField(lazy_gettext("Amount (yen)"), [Required()], minimum_yen=1)
    returnedOn = DayField(lazy_gettext("Sent back on"), [Required()])
    returnReason = TextField(lazy_gettext("Why it goes back"), [Required()])
    reference = TextField(
        lazy_gettext("Reference"),
        [Optional()],
        description=lazy_gettext("The bank's or the provider's; the same one is taken once."),
    )
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())
