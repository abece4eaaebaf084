"""Writes what came of asking a language model: its answer or why there is none, and the cost."""

from sqlalchemy.orm import Session

from pms.foundation.tenancy import workspace_of
from pms.rules.channel_words import AnsweredBy
from pms.rules.chat_cost import Prices, Tokens, cost_thousandths
from pms.site.models import ChatTurn


def finish_turn(
    session: Session,
    *,
    turn_id: str,
    reply: str | None,
    failure: str | None,
    tokens: Tokens,
    prices: Prices,
) -> None:
    """Put what was really used in the place of what was set aside; without a reply the first stays.

    A turn that was deleted meanwhile is let go.
    """
    turn = session.get(ChatTurn, (workspace_of(session), turn_id))
    if turn is None:
        return
    if reply is not None:
        turn.reply, turn.answered_by = reply, AnsweredBy.MODEL
    turn.failure = failure
    turn.tokens_in, turn.tokens_out = tokens
    turn.cost_thousandths = cost_thousandths(tokens, prices)
    session.flush()
