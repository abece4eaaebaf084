"""Questions about how a workspace has set its assistant."""

from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.bilingual import Bilingual
from pms.rules.chat_cost import Prices
from pms.site.models import AssistantSettings


class AssistantFigures(NamedTuple):
    """How the assistant is set; without a version nobody has set it yet.

    The ceiling and the messages count for one key and one day in Japan.
    """

    is_on: bool = True
    uses_model: bool = False
    prices: Prices = Prices(Decimal(0), Decimal(0))
    ceiling_yen: int = 500
    most_messages: int = 1_000
    greeting: Bilingual = Bilingual("", "")
    updated_at: datetime | None = None
    updated_by: str | None = None
    version: int | None = None


UNSET: Final = AssistantFigures()


def assistant_figures(session: Session) -> AssistantFigures:
    """Return how the session's workspace has set its assistant, the defaults before it has."""
    row = session.scalar(select(AssistantSettings))
    if row is None:
        return UNSET
    return AssistantFigures(
        row.is_on,
        row.uses_model,
        Prices(row.price_in_yen, row.price_out_yen),
        row.ceiling_yen,
        row.most_messages,
        Bilingual(row.greeting_ja, row.greeting_en),
        row.updated_at,
        row.updated_by,
        row.version,
    )
