"""What is typed to answer somebody, and what was seen when it was typed."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final, Self

from flask_babel import lazy_gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.channels.conversation_record import ConversationRecord
from pms.channels.conversation_thread import ThreadLine
from pms.channels.reply_templates import TemplateRecord
from pms.enquiries.office_people import OfficePerson
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.rules.channel_words import Channel
from pms.rules.enumerations import Locale, TicketSide
from pms.surfaces.enumeration_words import choices, word
from pms.surfaces.fields import ChoiceField, HiddenField, LongTextField, Optional

NOTHING_SEEN: Final = "0"


class ReplyForm(Form):
    """Words and their channel; each deed of the page reads its own field.

    What may be chosen is read when the page is shown: a deed reads nothing before it writes.
    """

    text = LongTextField(_("Your answer"))
    channel = ChoiceField(_("Goes by"), [Optional()])
    templateId = ChoiceField(_("Reply template"), [Optional()])
    assigneeId = ChoiceField(_("Answered by"), [Optional()])
    locale = ChoiceField(_("Language"), [Optional()])
    version = HiddenField(validators=[Optional()])
    seen = HiddenField(validators=[Optional()])
    ticketId = HiddenField(validators=[Optional()])
    key = HiddenField(validators=[Optional()])

    @classmethod
    def fresh(cls) -> Self:
        """Return an empty answer under a key of its own, so that it arrives once."""
        return cls(data={"key": new_id()})

    @classmethod
    def sent(cls, typed: MultiDict[str, str]) -> Self:
        """Return what was sent; whether it may be chosen is for the deed itself to say."""
        form = cls(typed)
        for chosen in (form.channel, form.templateId, form.assigneeId, form.locale):
            chosen.choices = [(chosen.data, "")] if chosen.data else []
        return form

    def offer(
        self,
        templates: Iterable[TemplateRecord],
        people: Iterable[OfficePerson],
        record: ConversationRecord,
    ) -> None:
        """Give the form what may be chosen; the way of the last words stands first."""
        self.channel.choices = [(way.channel.value, word(way.channel)) for way in record.ways]
        named = [(one.id, one.name) for one in templates]
        self.templateId.choices = [("", str(_("Choose"))), *named]
        colleagues = [(one.person_id, one.name) for one in people]
        self.assigneeId.choices = [("", str(_("Nobody yet"))), *colleagues]
        if not self.assigneeId.raw_data:
            self.assigneeId.data = record.assignee_id
        self.locale.choices = choices(Locale)
        if not self.locale.raw_data:
            self.locale.data = record.locale

    @property
    def way(self) -> Channel | None:
        """The channel that was chosen; raise `Refused` for what is none."""
        given = self.channel.data
        if given and given not in list(Channel):
            raise Refused("channel: '{channel}' is no channel.", channel=given[:40])
        return Channel(given) if given else None

    @property
    def version_seen(self) -> int:
        """The version of the conversation that was seen; 0 for a text that is none."""
        typed = self.version.data or ""
        return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 9 else 0

    @property
    def ticket_seen(self) -> str | None:
        """The ticket that stood on the page, empty for none; nothing from a page without one."""
        return self.ticketId.data if self.ticketId.raw_data else None

    @property
    def seen_at(self) -> datetime | None:
        """The instant of the latest answer that was seen; nothing for what cannot be read."""
        given = self.seen.data or ""
        if given == NOTHING_SEEN:
            return datetime.min.replace(tzinfo=UTC)
        try:
            seen = datetime.fromisoformat(given)
        except ValueError:
            return None
        return seen if seen.tzinfo else None


def latest_answer(lines: Iterable[ThreadLine]) -> str:
    """Return what a form sends back to say which answer was the latest on its page."""
    answers = [line.at for line in lines if line.side == TicketSide.STAFF and line.step is None]
    return max(answers).isoformat() if answers else NOTHING_SEEN
