"""What is typed of a template of contracts."""

from typing import Any, Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.contracts.templates import TemplateRecord
from pms.contracts.write_template import LONGEST_TEXT
from pms.rules.enumerations import LeaseKind
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import HiddenField, LongTextField, Optional, PickField, Required, TextField


class _ContractText(LongTextField):
    """The text of a contract."""

    most_characters = LONGEST_TEXT


class TemplateForm(Form):
    """The name, both texts, and the version that was seen."""

    name = TextField(_("Name"), [Required()])
    leaseKind = PickField(_("Kind of lease"), [Required()])
    bodyJa = _ContractText(_("Text in Japanese"), [Optional()])
    bodyEn = _ContractText(_("Text in English"), [Optional()])
    version = HiddenField()

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.leaseKind.choices = choices(LeaseKind)

    @classmethod
    def of(cls, record: TemplateRecord) -> Self:
        """Return the form that shows a template."""
        return cls(
            data={
                "name": record.name,
                "leaseKind": record.lease_kind.value,
                "bodyJa": record.body_ja,
                "bodyEn": record.body_en,
                "version": str(record.version),
            }
        )

    @property
    def seen(self) -> int:
        """The version that was seen; 0 for a text that is none."""
        typed = self.version.data or ""
        return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 9 else 0
