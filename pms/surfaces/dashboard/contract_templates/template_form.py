"""What is typed of a template of contracts."""

from typing import Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.contracts.templates import TemplateRecord
from pms.contracts.write_template import LONGEST_TEXT
from pms.surfaces.fields import HiddenField, LongTextField, Optional, Required, TextField


class _ContractText(LongTextField):
    """The text of a contract."""

    most_characters = LONGEST_TEXT


class TemplateForm(Form):
    """The name, both texts, and the version that was seen."""

    name = TextField(_("Name"), [Required()])
    bodyJa = _ContractText(_("Text in Japanese"), [Optional()])
    bodyEn = _ContractText(_("Text in English"), [Optional()])
    version = HiddenField()

    @classmethod
    def of(cls, record: TemplateRecord) -> Self:
        """Return the form that shows a template."""
        return cls(
            data={
                "name": record.name,
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
