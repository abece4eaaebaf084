"""The demo's inbox shows every channel, both languages, a failure, a taken back word, a picture."""

from sqlalchemy import select

from pms.demo.seed_demo import SeededWorkspace
from pms.foundation.database import Database
from pms.inbox.models import Conversation, GuestMessage
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import Channel, ConversationState, MessageKind, MessageState


def test_every_channel_speaks(database: Database, seeded: tuple[SeededWorkspace, ...]) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            rows = session.scalars(select(Conversation)).all()
            messages = session.scalars(select(GuestMessage)).all()
        assert {one.channel for one in messages} == set(Channel) - {Channel.PORTAL}
        assert {one.locale for one in rows} == {"ja", "en"}
        assert {one.state for one in rows} == set(ConversationState)
        assert TicketSide.STAFF in {one.awaits for one in rows}
        assert [one.failure is not None for one in messages if one.state is MessageState.FAILED]
        assert [one.text for one in messages if one.taken_back_at] == [""]
        assert any(one.media_key for one in messages if one.kind is MessageKind.IMAGE)
        assert [one.name for one in rows if one.has_failure]
        assert any(one.reservation_id for one in rows)
