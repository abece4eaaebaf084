"""The tries of sending a message: whoever sends it once more begins another one."""

from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.send_words import SENDING
from pms.foundation.ids import is_id
from pms.foundation.provider_calls import ProviderCall

TRY: Final = "try"
"""Among the facts of a call: which try of its message it makes."""


class Try(NamedTuple):
    """One try of a message, as WhatsApp is told it and tells it back with every status."""

    message_id: str
    number: int

    @property
    def mark(self) -> str:
        """What the try is called."""
        return f"{self.message_id}/{self.number}"


def current_try(session: Session, message_id: str) -> Try:
    """Return the try a message is at; whatever is told of any other one is about the past."""
    call = latest_call(session, message_id)
    return Try(message_id, 1 if call is None else call.facts.get(TRY, 1))


def latest_call(session: Session, message_id: str, *, locked: bool = False) -> ProviderCall | None:
    """Return the call that sends a message, or did last; locked before the conversation is."""
    asked = select(ProviderCall).where(
        ProviderCall.kind == SENDING, ProviderCall.subject_id == message_id
    )
    asked = asked.order_by(ProviderCall.id.desc()).limit(1)
    return session.scalar(asked.with_for_update() if locked else asked)


def message_of_mark(mark: str) -> str | None:
    """Return the id of the message a mark is of, nothing for what is no mark."""
    message_id, _, number = mark.partition("/")
    return message_id if is_id(message_id) and number.isdecimal() else None
