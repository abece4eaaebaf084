"""The prior explanation on paper: its text, and below it how and when it was given."""

from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from pms.contracts.contract_facts import written_address
from pms.contracts.explanations import Explanation, explanation_to_read
from pms.contracts.merge_contract import MergedContract, text_below_title
from pms.contracts.queries import ContractRecord
from pms.foundation.markdown_blocks import blocks_of
from pms.foundation.wording import said_day
from pms.rules.days import JAPAN
from pms.statements.parties import home_of, operator_of
from pms.statements.typesetting import typeset


def explanation_pdf(session: Session, record: ContractRecord) -> bytes:
    """Return the PDF of the prior explanation of a document: as given, else as it would be."""
    document, given = explanation_to_read(session, record)
    home = home_of(session, record.reservation_id)
    return typeset(
        "contract",
        explanation_paper(
            session,
            document,
            given,
            locale=record.locale,
            resident=home.resident,
            home=home.said(record.locale),
        ),
    )


def explanation_paper(
    session: Session,
    document: MergedContract,
    given: Explanation | None,
    *,
    locale: str,
    resident: str,
    home: str | None,
) -> dict[str, Any]:
    """Return the words of an explanation for its paper; what was given stays as it was."""
    operator = operator_of(session)
    body = document.body if given is None else given.body
    return {
        "language": locale,
        "hue": operator.hue,
        "operator": operator.name.said(locale),
        "operator_address": written_address(operator.postcode, operator.address),
        "title": document.title if given is None else given.title,
        "number": None,
        "issued": None,
        "resident": resident,
        "home": home,
        "blocks": blocks_of(text_below_title(body)),
        "hash": document.body_hash if given is None else given.body_hash,
        "signature": None,
        "explanation": explanation_words(given, locale, is_needed=True),
    }


def explanation_words(given: Explanation | None, locale: str, *, is_needed: bool) -> str | None:
    """Say how and when the prior explanation was given; `None` where none is needed."""
    if not is_needed:
        return None
    is_japanese = locale == "ja"
    if given is None or given.confirmed_at is None:
        return "まだ行われていません" if is_japanese else "not given yet"
    if given.handed_on is not None:
        day = said_day(given.handed_on, locale)
        return f"{day}に書面を渡して説明" if is_japanese else f"on paper, on {day}"
    confirmed = said_instant(given.confirmed_at, locale)
    agreed = said_instant(given.consented_at or given.confirmed_at, locale)
    if is_japanese:
        return f"電磁的方法により提供（承諾 {agreed}、確認 {confirmed}）"
    return f"as an electronic record (agreed to on {agreed}, confirmed on {confirmed})"


def said_instant(instant: datetime, locale: str) -> str:
    """Return an instant to the second, in Japan time."""
    at = instant.astimezone(JAPAN)
    zone = "日本時間" if locale == "ja" else "Japan time"
    return f"{said_day(at.date(), locale)} {at:%H:%M:%S} ({zone})"
