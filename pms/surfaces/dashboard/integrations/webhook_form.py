"""What is typed of webhooks: a secret of a provider, and the bill that money is for."""

from typing import Any, Self

from flask_babel import lazy_gettext as _
from wtforms import Form
from wtforms.widgets import PasswordInput

from pms.rules.channel_words import SecretPurpose, WebhookSource
from pms.surfaces.enumeration_words import word
from pms.surfaces.fields import FlagField, Optional, PickField, Required, TextField


class SecretForm(Form):
    """A secret as the provider shows it, what it is for, and whether older ones stay beside it."""

    secret = TextField(_("Secret"), [Required()], widget=PasswordInput(hide_value=True))
    purpose = PickField(_("What it is for"), default=SecretPurpose.SIGNATURE.value)
    keepsOlder = FlagField(_("Keep the older secrets beside it"))

    @classmethod
    def of(cls, source: WebhookSource, typed: Any = None) -> Self:
        """Return the form of a source; only WhatsApp has a second purpose."""
        form = cls(typed)
        purposes = [SecretPurpose.SIGNATURE]
        if source is WebhookSource.WHATSAPP:
            purposes.append(SecretPurpose.HANDSHAKE)
        form.purpose.choices = [(one.value, word(one)) for one in purposes]
        return form


class PlacingForm(Form):
    """The bill that money is for; `search` only narrows the list."""

    search = TextField(_("Name or room"), [Optional()])
    entry = TextField(_("Bill"), [Required()])
