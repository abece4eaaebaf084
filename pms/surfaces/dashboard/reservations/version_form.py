"""A form that only says which version of a record was seen."""

from wtforms import Form

from pms.surfaces.fields import HiddenField


class VersionForm(Form):
    """The version a deed was decided on."""

    version = HiddenField()

    @property
    def seen(self) -> int | None:
        """The version as a number; a text that is none counts as not told."""
        text = str(self.version.data or "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
