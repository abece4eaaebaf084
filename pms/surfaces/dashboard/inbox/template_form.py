"""What is typed of a reply template."""

from typing import Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.channels.reply_templates import TemplateRecord
from pms.surfaces.fields import HiddenField, LongTextField, Optional, Required, TextField


class TemplateForm(Form):
    """The name, the words in both languages, and the version that was seen."""

    name = TextField(_("Name"), [Required()])
    textJa = LongTextField(_("Text in Japanese"), [Optional()])
    textEn = LongTextField(_("Text in English"), [Optional()])
    version = HiddenField()

    @classmethod
    def of(cls, record: TemplateRecord) -> Self:
        """Return the form that shows a template."""
        return cls(
            data={
                "name": record.name,
                "textJa": record.text_ja,
                "textEn": record.text_en,
                "version": str(record.version),
            }
        )

    @property
    def seen(self) -> int:
        """The version that was seen; 0 for a text that is none."""
        typed = self.version.data or ""
        return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 9 else 0
