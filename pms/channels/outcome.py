"""What became of an inbound event that was taken up."""

from typing import NamedTuple

from pms.rules.channel_words import InboundState


class Outcome(NamedTuple):
    """How an event ended, which row it is about, and why, where a person has to look."""

    state: InboundState
    subject: tuple[str, str] | None = None
    """The kind and the id of a row, as the audit names them."""
    reason: str | None = None


DONE = Outcome(InboundState.DONE)
UNUSED = Outcome(InboundState.UNUSED)
