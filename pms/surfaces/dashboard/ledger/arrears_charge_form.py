"""The form that bills what is missing of an earlier bill."""

from flask_babel import lazy_gettext
from wtforms import Form
from wtforms.widgets import HiddenInput

from pms.surfaces.fields import DayField, Required, WholeNumberField, YenField


class ArrearsChargeForm(Form):
    """A new bill for an old shortfall."""

    amountYen = YenField(lazy_gettext("Amount (yen)"), [Required()], minimum_yen=1)
    dueOn = DayField(lazy_gettext("Due on"), [Required()])
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())
