"""The assistant settings of a workspace: whether it answers, with what, and its cost limits."""

from datetime import datetime
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.audit import facts_of, note_difference, of_workspace
from pms.foundation.errors import Collision, Refused, whole_number
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import workspace_of
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.chat_cost import THOUSAND, Prices, most_of_an_answer
from pms.rules.enumerations import IntegrationKind
from pms.site.models import AssistantSettings
from pms.workspaces.integrations import has_integration


class AssistantFigures(NamedTuple):
    """The assistant's settings; without a version they are the defaults.

    The cost limit and the number of messages are for one key and one day in Japan.
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
    reads_sheets: bool = False


UNSET: Final = AssistantFigures()


def assistant_figures(session: Session) -> AssistantFigures:
    """Return the assistant settings of the session's workspace, or the defaults."""
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
        row.reads_sheets,
    )


MOST_PRICE_YEN: Final = Decimal(100_000)
MOST_CEILING_YEN: Final = 10_000_000
MOST_MESSAGES: Final = 1_000_000
LONGEST_GREETING: Final = 500
_PLACES: Final = 4


class StatedAssistant(NamedTuple):
    """New settings of the assistant; prices in yen for a thousand tokens."""

    is_on: bool
    uses_model: bool
    price_in_yen: Decimal
    price_out_yen: Decimal
    ceiling_yen: int
    most_messages: int
    greeting_ja: str
    greeting_en: str
    reads_sheets: bool = False


def set_assistant(
    work: Work, *, stated: StatedAssistant, expected_version: int | None
) -> AssistantSettings:
    """Save the settings; the cost of earlier answers stays as it was.

    Raises `Refused` for a value out of range, and `Collision` if the settings changed since that
    version.
    """
    row = work.session.scalar(select(AssistantSettings).with_for_update(key_share=True))
    if (row.version if row else None) != expected_version:
        raise _changed_meanwhile()
    values = _check_settings(work.session, stated)
    before = facts_of(row) if row else {}
    if row is None:
        row = AssistantSettings(id=workspace_of(work.session), version=0)
        work.session.add(row)
    for name, value in values.items():
        setattr(row, name, value)
    row.updated_at, row.updated_by, row.version = work.clock.now(), work.actor, row.version + 1
    about, after = of_workspace(work.session), facts_of(row)
    note_difference(work, AuditEvent.ASSISTANT_SET, about, before=before, after=after)
    try:
        work.session.flush()
    except IntegrityError as meeting:
        raise _changed_meanwhile() from meeting
    return row


def _check_settings(session: Session, stated: StatedAssistant) -> dict[str, Any]:
    values = stated._asdict()
    for field, name in (("priceInYen", "price_in_yen"), ("priceOutYen", "price_out_yen")):
        price = values[name]
        if (
            not price.is_finite()
            or not 0 <= price <= MOST_PRICE_YEN
            or price != round(price, _PLACES)
        ):
            raise Refused(
                "{field}: '{value}' is not possible. Enter 0 to {most} yen with at most {places} "
                "decimals.",
                field=field,
                value=str(price)[:20],
                most=int(MOST_PRICE_YEN),
                places=_PLACES,
            )
        values[name] = price
    whole_number("ceilingYen", stated.ceiling_yen, 1, MOST_CEILING_YEN)
    whole_number("mostMessages", stated.most_messages, 1, MOST_MESSAGES)
    for field, name in (("greetingJa", "greeting_ja"), ("greetingEn", "greeting_en")):
        text = values[name]
        text = text.strip()
        if len(text) > LONGEST_GREETING or "\0" in text:
            raise Refused(
                "{field}: Enter at most {most} characters.", field=field, most=LONGEST_GREETING
            )
        values[name] = text
    if stated.uses_model:
        if not has_integration(session, IntegrationKind.ASSISTANT):
            raise Refused("usesModel: set up a language model under Integrations first.")
        most = most_of_an_answer(Prices(stated.price_in_yen, stated.price_out_yen))
        if most > stated.ceiling_yen * THOUSAND:
            raise Refused(
                "ceilingYen: at these prices one answer may cost up to ¥{most}. Allow at least "
                "that much.",
                most=-(-most // THOUSAND),
            )
    if stated.reads_sheets and not has_integration(session, IntegrationKind.ASSISTANT):
        raise Refused("readsSheets: set up a language model under Integrations first.")
    return values


def _changed_meanwhile() -> Collision:
    return Collision("version: a colleague changed the assistant in the meantime. Check it again.")
