"""What is typed of a workspace."""

from typing import Any, Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.enumerations import Locale
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    LongTextField,
    Optional,
    PickField,
    Required,
    TextField,
    WholeNumberField,
)
from pms.workspaces.describe_workspace import WorkspaceFacts
from pms.workspaces.settings_record import SettingsRecord


class WorkspaceForm(Form):
    """Names, language, colour, and what stands on papers."""

    name = TextField(_("Name"), [Required()])
    nameEn = TextField(_("Name in English"), [Optional()])
    defaultLocale = PickField(_("Language when nobody chose one"), [Required()])
    brandHue = WholeNumberField(_("Colour, a hue of 0 to 359"), [Required()], most=359)
    qualifiedInvoiceNumber = TextField(_("Qualified invoice number"), [Optional()])
    postcode = TextField(_("Postcode"), [Optional()])
    address = TextField(_("Postal address"), [Optional()])
    bankDetails = LongTextField(_("Bank details on invoices"), [Optional()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.defaultLocale.choices = choices(Locale)

    @classmethod
    def of(cls, record: SettingsRecord) -> Self:
        """Return the form that shows a workspace."""
        return cls(
            name=record.name,
            nameEn=record.name_en,
            defaultLocale=record.default_locale,
            brandHue=record.brand_hue,
            qualifiedInvoiceNumber=record.qualified_invoice_number,
            postcode=record.postcode,
            address=record.address,
            bankDetails=record.bank_details,
        )

    @property
    def facts(self) -> WorkspaceFacts:
        """What was typed, as the use case takes it."""
        return {
            "name": self.name.data or "",
            "name_en": self.nameEn.data,
            "default_locale": Locale(self.defaultLocale.data),
            "brand_hue": self.brandHue.data,
            "qualified_invoice_number": self.qualifiedInvoiceNumber.data,
            "postcode": self.postcode.data,
            "address": self.address.data,
            "bank_details": self.bankDetails.data,
        }
