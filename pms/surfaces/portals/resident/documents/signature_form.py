"""A signature as it is typed below a document."""

from flask_babel import gettext
from flask_babel import lazy_gettext as _
from wtforms import Form, ValidationError

from pms.surfaces.fields import FlagField, HiddenField, Required, TextField


class SignatureForm(Form):
    """The name, the tick, and which text was read."""

    signature = TextField(_("Type your full name to sign"), [Required()])
    agreed = FlagField(_("I have read the contract and agree to it."))
    documentHash = HiddenField()

    def validate_agreed(self, field: FlagField) -> None:
        """Nothing is signed without the tick."""
        if not field.data:
            raise ValidationError(gettext("Tick this to sign."))
