"""A conversation on LINE with a picture, and a reply template, for the walk through all addresses."""

import io
from collections.abc import Mapping

from PIL import Image

from pms.channels.answers import write_reply_template
from pms.channels.message_files import kept_media
from pms.channels.models import InboundEvent, Mailbox
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.ids import new_id
from pms.foundation.sealing import sealed_text
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.inbox.conversations import ConversationWriter, begin_conversation
from pms.inbox.models import Conversation, GuestMessage
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import (
    Channel,
    ConversationState,
    InboundState,
    MessageKind,
    MessageState,
    WebhookSource,
)
from tests.cast import House

GUEST = "U4af4980629"


def begun(
    session: WorkspaceSession,
    clock: Clock,
    *,
    name: str = "田中 陽子",
    channel: Channel = Channel.LINE,
    handle: str = GUEST,
    reservation_id: str | None = None,
) -> Conversation:
    """A conversation with somebody on a channel, in which nothing was said yet."""
    person = ConversationWriter(
        handles=((channel, handle),), name=name, locale="ja", reservation_id=reservation_id
    )
    return begin_conversation(session, person, channel=channel, at=clock.now())


def said(
    session: WorkspaceSession, clock: Clock, row: Conversation, text: str, **given: object
) -> GuestMessage:
    """What somebody said on the channel of a conversation, or we to them."""
    side = given.get("side", TicketSide.RESIDENT)
    is_theirs = side is TicketSide.RESIDENT
    usual: dict[str, object] = {
        "id": new_id(),
        "conversation_id": row.id,
        "channel": row.channel,
        "handle": GUEST,
        "external_id": new_id(),
        "side": side,
        "kind": MessageKind.TEXT,
        "text": text,
        "sent_at": clock.now(),
        "received_at": clock.now(),
        "by": None if is_theirs else "person/office",
        "state": MessageState.RECEIVED if is_theirs else MessageState.SENT,
    }
    message = GuestMessage(**{**usual, **given})
    session.add(message)
    row.state = ConversationState.OPEN
    row.last_words, row.last_message_at = text, clock.now()
    row.awaits = TicketSide.STAFF if is_theirs else TicketSide.RESIDENT
    row.has_failure = row.has_failure or message.state is MessageState.FAILED
    session.flush()
    return message


def conversation_records(database: Database, clock: Clock, house: House) -> Mapping[str, str]:
    """Return the ids of a conversation, of its message with a picture, and of a template."""
    content = io.BytesIO()
    Image.new("RGB", (400, 300), "navy").save(content, "PNG")
    kept = kept_media(MessageKind.IMAGE, content.getvalue())
    key = Files(database.settings).put_alone(kept.content, kept.suffix)
    with database.writing(house.workspace_id) as session:
        row = begun(session, clock, reservation_id=house.guest_id)
        message = said(
            session,
            clock,
            row,
            "",
            kind=MessageKind.IMAGE,
            media_id="1",
            media_key=key,
            media_type=kept.media_type,
        )
        # The walk opens the file of the message, and the mail as it came in.
        session.add(
            InboundEvent(
                id=message.id,
                source=WebhookSource.MAIL,
                event_key=message.id,
                kind="mail",
                body={"file_key": Files(database.settings).put_alone(b"Subject: x", "eml")},
                received_at=clock.now(),
                state=InboundState.DONE,
            )
        )
        session.add(
            Mailbox(
                address="office@sumida.example",
                host="imap.example.jp",
                port=993,
                username="office",
                sealed_password=sealed_text(session, "a password") or "",
                folder="INBOX",
                has_plus=True,
                set_at=clock.now(),
                set_by="staff",
            )
        )
        template_id = write_reply_template(
            Work(session, clock, "staff"),
            template_id=None,
            name="入居のご案内",
            text_ja="{{name}}様\n{{building}} {{unit}}のご案内です。",
            text_en="Dear {{name}},",
        )
        return {
            "conversation_id": row.id,
            "guest_message_id": message.id,
            "reply_template_id": template_id,
        }
