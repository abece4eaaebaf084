"""The form that sends an invoice, carrying what was known of it."""

from datetime import datetime

from wtforms import Form

from pms.surfaces.fields import HiddenField


class SendingForm(Form):
    """When the invoice had left, as far as whoever sends it knew; empty while it never had."""

    sentAt = HiddenField()

    @property
    def seen_sent_at(self) -> datetime | None:
        """The instant that was seen; a text that is none counts as never."""
        try:
            return datetime.fromisoformat(str(self.sentAt.data))
        except ValueError:
            return None
