"""Which entry or payment is to have its paper."""

from wtforms import Form

from pms.surfaces.fields import HiddenField


class DocumentForm(Form):
    """One of the two is named."""

    entry = HiddenField()
    payment = HiddenField()
