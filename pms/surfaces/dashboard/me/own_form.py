"""What people change about themselves."""

from flask_babel import lazy_gettext
from wtforms import Form

from pms.access.change_profile import LOCALES
from pms.surfaces.fields import PasswordField, PickField, Required, TextField
from pms.surfaces.reader_choice import LANGUAGES


class ProfileForm(Form):
    """A name, and the language of pages and mails."""

    name = TextField(lazy_gettext("Name"), [Required()])
    locale = PickField(
        lazy_gettext("Language"), [Required()], choices=[(key, LANGUAGES[key]) for key in LOCALES]
    )


class PasswordForm(Form):
    """A new password, and the one that holds until then."""

    currentPassword = PasswordField(lazy_gettext("Current password"))
    newPassword = PasswordField(lazy_gettext("New password"), [Required()])


class FactorCodeForm(Form):
    """The digits an app shows now."""

    code = TextField(lazy_gettext("Digits from the app"), [Required()])


class RemovalForm(Form):
    """The digits an app shows now, or a recovery code."""

    code = TextField(lazy_gettext("Digits from the app, or a recovery code"), [Required()])
