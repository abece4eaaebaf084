"""Two workspaces that providers push messages into, and the worker that takes them up."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import select

from pms.channels.kept_events import keep_events
from pms.channels.models import InboundEvent
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import ProviderCall
from pms.foundation.settings import Settings
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.inbox.models import Conversation, ConversationHandle, GuestMessage
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.outbox import send_outbox
from pms.jobs.provider_calls import make_provider_calls
from pms.jobs.readings import take_inbound_events
from pms.jobs.runs import Tools
from pms.providers.line import split_line
from pms.providers.ota import read_ota_message
from pms.providers.whatsapp import split_whatsapp
from pms.reservations.models import Reservation
from pms.rules.enumerations import IntegrationKind, TicketSide
from pms.rules.message_words import Channel, MessageKind, MessageState, WebhookSource
from pms.rules.provider_json import ProviderEvent
from pms.workspaces.integrations import set_integration
from tests.cast import House, reservation
from tests.channels import webhook_samples
from tests.servers.provider import NEAR

SECRET: Final = "a-token-of-the-provider"
STAFF: Final = "staff"
_SPLIT: Final = {
    WebhookSource.LINE: split_line,
    WebhookSource.WHATSAPP: split_whatsapp,
}


@dataclass(frozen=True)
class Intake:
    """One workspace: what is pushed into it, what becomes of it, what the office does."""

    database: Database
    settings: Settings
    clock: FixedClock
    house: House

    @property
    def tools(self) -> Tools:
        return Tools(self.settings, self.database, self.clock, choose_postbox(self.settings))

    def delivered(self, source: WebhookSource, body: Mapping[str, Any]) -> list[str]:
        """Keep a delivery and have the worker take it up; return the ids of its events."""
        events = (
            [read_ota_message(body).event()]
            if source is WebhookSource.OTA
            else _SPLIT[source](body)
        )
        return self.kept(source, events)

    def kept(self, source: WebhookSource, events: Sequence[ProviderEvent]) -> list[str]:
        with self.database.writing(self.house.workspace_id) as session:
            kept = keep_events(session, self.clock, source=source, events=events)
        take_inbound_events(self.tools)
        return [one.id for one in kept]

    def sample(self, source: WebhookSource, number: str) -> list[str]:
        """Deliver one of the samples."""
        return self.delivered(source, webhook_samples.body_of(source.value, number))

    def works(self, after: timedelta = timedelta()) -> None:
        """Have the worker do everything that is due, after a while."""
        self.clock.advance(after)
        take_inbound_events(self.tools)
        make_provider_calls(self.tools, NEAR)
        send_outbox(self.tools)

    def connect(self, kind: IntegrationKind, address: str, account: str | None = None) -> None:
        """Set a provider, as an operator does."""
        with self.database.writing(self.house.workspace_id) as session:
            set_integration(
                Work(session, self.clock, STAFF),
                Signer(self.settings.secret_key),
                kind=kind,
                address=address,
                account=account,
                secret=SECRET,
                limits=NEAR,
            )

    def do(self, verb: Any, **facts: Any) -> Any:
        """Do one audit event and commit it."""
        with self.database.writing(self.house.workspace_id) as session:
            return verb(Work(session, self.clock, STAFF), **facts)

    def all_of(self, model: Any) -> Sequence[Any]:
        """Every row of a table, in the order of its making."""
        with self.database.reading(self.house.workspace_id) as session:
            return session.scalars(select(model).order_by(model.id)).all()

    @property
    def messages(self) -> Sequence[GuestMessage]:
        """The messages in the order of the thread."""
        return sorted(self.all_of(GuestMessage), key=lambda one: (one.sent_at, one.id))

    @property
    def conversations(self) -> Sequence[Conversation]:
        return self.all_of(Conversation)

    @property
    def handles(self) -> Sequence[ConversationHandle]:
        return self.all_of(ConversationHandle)

    @property
    def events(self) -> Sequence[InboundEvent]:
        return self.all_of(InboundEvent)

    @property
    def calls(self) -> Sequence[ProviderCall]:
        return self.all_of(ProviderCall)

    def message(self, message_id: str) -> GuestMessage:
        return next(one for one in self.messages if one.id == message_id)

    def conversation_of(self, handle: str) -> Conversation:
        """The conversation somebody is known in."""
        [known] = [one for one in self.handles if one.handle == handle]
        return next(one for one in self.conversations if one.id == known.conversation_id)

    def tenant(self, **facts: Any) -> str:
        """Somebody who lives in the free room."""
        with self.database.writing(self.house.workspace_id) as session:
            row = reservation(unit_id=self.house.free_room_id, **facts)
            session.add(row)
            session.flush()
            return row.id

    def contact(self, **facts: Any) -> None:
        """What the office records of the resident of the cast."""
        with self.database.writing(self.house.workspace_id) as session:
            row = session.scalars(
                select(Reservation).where(Reservation.id == self.house.resident_id)
            ).one()
            for name, value in facts.items():
                setattr(row, name, value)

    def we_sent(self, external_id: str, state: MessageState = MessageState.WAITING) -> str:
        """A message of ours that WhatsApp took, in a conversation of its own."""
        handle = f"to-{external_id[-6:]}"
        with self.database.writing(self.house.workspace_id) as session:
            row = Conversation(
                name="Tess",
                channel=Channel.WHATSAPP,
                state="open",
                awaits=TicketSide.RESIDENT,
                last_message_at=self.clock.now(),
                started_at=self.clock.now(),
            )
            session.add(row)
            session.flush()
            message = GuestMessage(
                conversation_id=row.id,
                channel=Channel.WHATSAPP,
                handle=handle,
                external_id=external_id,
                side=TicketSide.STAFF,
                kind=MessageKind.TEXT,
                text="Welcome.",
                sent_at=self.clock.now(),
                received_at=self.clock.now(),
                by=STAFF,
                state=state,
            )
            session.add(message)
            session.flush()
            return message.id


def line_text(user: str, text: str, number: int = 1, **more: Any) -> dict[str, Any]:
    """One text somebody wrote on LINE."""
    return line_event(user, f"{user}-{number}", "message", number, **more) | {
        "message": {"type": "text", "id": f"m-{user}-{number}", "text": text}
    }


def line_event(user: str, key: str, kind: str, minute: int = 1, **more: Any) -> dict[str, Any]:
    """One event of somebody on LINE."""
    return {
        "type": kind,
        "webhookEventId": key,
        "timestamp": 1_795_143_600_000 + minute * 60_000,
        "source": {"type": "user", "userId": user},
        **more,
    }


def line(*events: Mapping[str, Any]) -> dict[str, Any]:
    """A delivery of LINE."""
    return {"destination": "U0", "events": list(events)}


def whatsapp(
    messages: Iterable[Mapping[str, Any]] = (),
    statuses: Iterable[Mapping[str, Any]] = (),
    contacts: Iterable[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """A delivery of WhatsApp."""
    value = {
        "metadata": {"phone_number_id": "1"},
        "messages": list(messages),
        "statuses": list(statuses),
        "contacts": list(contacts),
    }
    return {"entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}]}


def whatsapp_text(number: str, text: str, key: str, at: int = 1_795_143_600) -> dict[str, Any]:
    """One text somebody wrote on WhatsApp."""
    return {
        "from": number,
        "id": key,
        "timestamp": str(at),
        "type": "text",
        "text": {"body": text},
    }


def written(body: object) -> str:
    """A body as it is kept, for looking whether words are still in it."""
    return json.dumps(body, ensure_ascii=False)
