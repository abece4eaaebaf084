"""The two ticks of a prior explanation: an electronic record is agreed to, then it was read."""

from flask_babel import gettext
from flask_babel import lazy_gettext as _
from wtforms import Form, ValidationError

from pms.surfaces.fields import FlagField, HiddenField


class ConsentForm(Form):
    """Agreeing to be given the document as an electronic record."""

    agreed = FlagField(
        _(
            "I agree to be given the prior explanation on this page and as a PDF instead of on paper."
        )
    )
    documentHash = HiddenField()

    def validate_agreed(self, field: FlagField) -> None:
        """Nothing is shown without the tick."""
        if not field.data:
            raise ValidationError(gettext("Tick this to have it shown here."))


class ReadForm(Form):
    """Having read the document."""

    agreed = FlagField(
        _("I have read the explanation: the lease is not renewed and ends with its term.")
    )
    documentHash = HiddenField()

    def validate_agreed(self, field: FlagField) -> None:
        """Nothing goes on without the tick."""
        if not field.data:
            raise ValidationError(gettext("Tick this to go on to the contract."))
