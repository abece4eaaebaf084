"""What is typed of a provider; the secret is never shown again."""

from typing import Self

from flask_babel import lazy_gettext as _
from wtforms import Form
from wtforms.widgets import PasswordInput

from pms.surfaces.fields import HiddenField, Optional, Required, TextField
from pms.workspaces.integrations import IntegrationRecord


class ProviderForm(Form):
    """Where the provider is, the account there, the secret, and the version that was seen."""

    address = TextField(_("Address of the provider"), [Required()])
    account = TextField(_("Account at the provider"), [Optional()])
    secret = TextField(_("Secret"), [Optional()], widget=PasswordInput(hide_value=True))
    version = HiddenField()

    @classmethod
    def of(cls, record: IntegrationRecord | None) -> Self:
        """Return the form that shows a provider, an empty one before it is set."""
        if record is None:
            return cls()
        shown = {"address": record.address, "account": record.account}
        return cls(data={**shown, "version": str(record.version)})

    @property
    def seen(self) -> int | None:
        """The version that was seen; none before it is set."""
        typed = self.version.data or ""
        return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 9 else None
