"""A conversation with the assistant, for the walk through all addresses."""

from collections.abc import Mapping

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.rules.enumerations import Locale
from pms.site.assistant_settings import UNSET
from pms.site.kept_turns import Exchange, keep_turn
from pms.site.passages import AnswerSource
from tests.cast import House


def chat_records(database: Database, clock: Clock, house: House) -> Mapping[str, str]:
    """Return the id of a conversation that the staff began."""
    exchange = Exchange(
        "空室はありますか", "あります。", [AnswerSource("102", "https://a.example/102")], Locale.JA
    )
    with database.writing(house.workspace_id) as session:
        kept = keep_turn(
            session, clock, key_id=None, conversation_id=None, exchange=exchange, figures=UNSET
        )
    return {"chat_id": kept.conversation_id}
