"""The filters of the conversations, as they stand in their address."""

from collections.abc import Iterable

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.site.chat_transcripts import STAFF, TranscriptSearch
from pms.surfaces.fields import ChoiceField, DayField, FlagField, Optional, TextField


class TranscriptsForm(Form):
    """Which conversations: words, key, day, and those where the model failed."""

    search = TextField(_("Words of a question or an answer"), [Optional()])
    keyId = ChoiceField(_("Key"), [Optional()])
    on = DayField(_("Day"), [Optional()])
    failed = FlagField(_("The model failed"))

    def offer(self, keys: Iterable[tuple[str, str]]) -> None:
        """Give the filter its keys."""
        tried = (STAFF, str(_("Tried by staff")))
        self.keyId.choices = [("", str(_("All"))), tried, *keys]

    @property
    def is_narrowed(self) -> bool:
        """Whether anything hides conversations."""
        return any(each.data for each in self)

    @property
    def wanted(self) -> TranscriptSearch:
        """What a valid form asks for."""
        return TranscriptSearch(
            text=self.search.data or "",
            key=self.keyId.data or None,
            day_on=self.on.data,
            only_failed=bool(self.failed.data),
        )
