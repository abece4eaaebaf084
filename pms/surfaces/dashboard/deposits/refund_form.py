"""The form that says a refund was sent."""

from flask_babel import lazy_gettext
from wtforms import Form
from wtforms.widgets import HiddenInput

from pms.surfaces.fields import DayField, Optional, Required, TextField, WholeNumberField, YenField


class RefundForm(Form):
    """Money that left, all of what is to be sent or a part of it."""

    amountYen = YenField(lazy_gettext("Amount sent (yen)"), [Required()], minimum_yen=1)
    sentOn = DayField(lazy_gettext("Sent on"), [Required()])
    reference = TextField(
        lazy_gettext("Reference"),
        [Optional()],
        description=lazy_gettext("Of the bank transfer, to find it again."),
    )
    version = WholeNumberField(widget=HiddenInput())
