"""What is typed on the pages that ask for the digits of a mail."""

from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import Form
from wtforms.validators import StopValidation

from pms.rules.sign_in_codes import read_code
from pms.surfaces.fields import Required, TextField


class PinForm(Form):
    """Six digits, also full width, also with blanks and dashes between."""

    pin = TextField(lazy_gettext("PIN"), [Required()])

    def validate_pin(self, field: TextField) -> None:
        """Refuse what no mail ever held, without counting it as a try."""
        if read_code(field.data or "") is None:
            raise StopValidation(_("A PIN has six digits."))
