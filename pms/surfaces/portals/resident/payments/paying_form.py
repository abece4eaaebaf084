"""Which bill is to be paid."""

from wtforms import Form

from pms.surfaces.fields import HiddenField


class PayingForm(Form):
    """The entry of a bill; without one it is the oldest due."""

    entryId = HiddenField()
