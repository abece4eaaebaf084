"""The contract of an offer on paper, before it is issued: to be read, printed or shown around."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.contracts.contract_facts import written_address
from pms.contracts.explanation_paper import explanation_paper, explanation_words
from pms.contracts.merge_contract import MergedContract, text_below_title
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.markdown_blocks import blocks_of
from pms.foundation.wording import said_day
from pms.offers.contract_of_offer import contract_of_offer
from pms.offers.explanation_of_offer import explanation_of_offer
from pms.offers.models import ReservationLink
from pms.offers.stated_details import stated_details
from pms.rules.enumerations import Locale
from pms.statements.parties import operator_of
from pms.statements.typesetting import typeset

_DRAFT = Bilingual("案", "draft")


def draft_pdf(session: Session, clock: Clock, link_id: str) -> bytes:
    """Return the PDF of the document as accepting today would issue it, not signed."""
    return typeset("contract", _paper(session, clock, link_id))


def _paper(session: Session, clock: Clock, link_id: str) -> dict[str, Any]:
    document: MergedContract = contract_of_offer(session, clock, link_id)
    row = session.scalars(select(ReservationLink).where(ReservationLink.id == link_id)).one()
    offered = explanation_of_offer(session, clock, link_id)
    details = stated_details(row.details)
    locale = details.locale if details else Locale(row.locale)
    operator = operator_of(session)
    return {
        "language": locale.value,
        "hue": operator.hue,
        "operator": operator.name.said(locale),
        "operator_address": written_address(operator.postcode, operator.address),
        "title": document.title,
        "number": _DRAFT.said(locale),
        "issued": said_day(clock.today(), locale),
        "resident": details.name if details else "",
        "home": _home(session, row, locale),
        "blocks": blocks_of(text_below_title(document.body)),
        "hash": document.body_hash,
        "signature": None,
        "explanation": explanation_words(
            offered.given if offered else None, locale, is_needed=offered is not None
        ),
    }


def offered_explanation_pdf(session: Session, clock: Clock, link_id: str) -> bytes | None:
    """Return the PDF of the prior explanation of an offer, `None` where its lease needs none."""
    offered = explanation_of_offer(session, clock, link_id)
    if offered is None:
        return None
    row = session.scalars(select(ReservationLink).where(ReservationLink.id == link_id)).one()
    details = stated_details(row.details)
    locale = details.locale if details else Locale(row.locale)
    paper = explanation_paper(
        session,
        offered.document,
        offered.given,
        locale=locale,
        resident=details.name if details else "",
        home=_home(session, row, locale),
    )
    return typeset("contract", paper)


def _home(session: Session, row: ReservationLink, locale: Locale) -> str:
    asked = select(Unit.name, Building.name, Building.name_en).join(Unit.building)
    unit, ja, en = session.execute(asked.where(Unit.id == row.unit_id)).one()
    return f"{Bilingual(ja, en).said(locale)} {unit}"
