"""The documents of an offer: contract, explanation, draft."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.bookings import preview_booking
from pms.catalogue.management_forms import parties_of_building, parties_of_unit
from pms.catalogue.models import Building, Unit
from pms.contracts.contract_facts import (
    AgreedReduction,
    ContractFacts,
    MonthlyLine,
    written_address,
)
from pms.contracts.contract_people import guarantors_of
from pms.contracts.explanation_records import (
    Explanation,
    ExplanationLack,
    lack_of_explanation,
)
from pms.contracts.explanation_talks import write_talk, write_wish
from pms.contracts.explanations import (
    explanation_about,
    explanation_paper,
    explanation_text,
    explanation_words,
    write_confirmation,
    write_consent,
)
from pms.contracts.merged_documents import (
    MergedContract,
    lease_kind_of,
    merge_contract,
    text_below_title,
)
from pms.foundation.audit import subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.mail_texts import format_day
from pms.foundation.markdown import blocks_of
from pms.foundation.phrases import Bilingual
from pms.foundation.translations import translate_both
from pms.foundation.versions import asked_once
from pms.foundation.work import Work, find_row, locked
from pms.ledger.planned_entries import ITEM_WORDS
from pms.offers.frozen_terms import (
    FrozenTerms,
    booking_of,
    stated_details,
    thaw_terms,
)
from pms.offers.models import ReservationLink
from pms.pricing.agreed_price import amounts_by_item, check_amounts
from pms.rules.enumerations import LeaseKind, Locale
from pms.rules.explanations import ExplanationWay
from pms.rules.rent_lines import Discount
from pms.statements.invoices import operator_of
from pms.statements.typesetting import typeset
from pms.workspaces.models import Workspace


def contract_of_offer(session: Session, clock: Clock, link_id: str) -> MergedContract:
    """Return the document that accepting would issue today, in the applicant's language.

    Raises `Refused` until the details of who moves in are entered.
    """
    row = find_row(session, ReservationLink, link_id)
    facts = facts_of_offer(session, clock, row)
    return merge_contract(session, facts, template_id=row.template_id, locale=facts.locale)


def facts_of_offer(session: Session, clock: Clock, row: ReservationLink) -> ContractFacts:
    """Return the facts for an offer's documents; raise `Refused` until its details are entered."""
    return asked_once(session, _read_facts, clock, row)


def _read_facts(session: Session, clock: Clock, row: ReservationLink) -> ContractFacts:
    details = stated_details(row.details)
    if details is None:
        raise Refused("name: the applicant has not entered who moves in yet.")
    booking = booking_of(row, details)
    invoice = preview_booking(session, clock, **booking).invoice
    terms = thaw_terms(row.terms)
    workspace = session.scalars(select(Workspace)).one()
    where = select(Unit.name, Building).join(Unit.building).where(Unit.id == row.unit_id)
    unit_name, building = session.execute(where).one()
    return ContractFacts(
        operator=Bilingual(workspace.name, workspace.name_en),
        operator_address=written_address(workspace.postcode, workspace.address),
        find_parties=partial(parties_of_building, session, building.id, clock.today()),
        bank_details=workspace.bank_details,
        building=Bilingual(building.name, building.name_en),
        address=Bilingual(building.address, building.address_en),
        unit_id=row.unit_id,
        unit=unit_name,
        resident=details.name,
        resident_kana=details.name_kana,
        email=details.email,
        phone=details.phone,
        co_occupants=tuple(details.co_occupants),
        start_on=row.move_in_on,
        end_on=row.contract_end_on,
        base_rent_yen=terms.amounts.base_rent_yen,
        monthly=tuple(_list_monthly_lines(terms)),
        reduction=_build_reduction(terms),
        reservation_fee_yen=terms.reservation_fee_yen,
        deposit_yen=terms.deposit_yen,
        move_in_total_yen=invoice.total_yen if invoice else None,
        locale=details.locale.value,
        find_guarantors=partial(guarantors_of, session, row.people_id),
    )


def _build_reduction(terms: FrozenTerms) -> AgreedReduction | None:
    agreed = terms.discount
    if agreed is None:
        return None
    discount = Discount(
        percent=agreed.percent,
        yen=agreed.monthly_yen,
        is_recurring=agreed.is_recurring,
        minimum_stay_days=agreed.minimum_stay_days,
    )
    return AgreedReduction(agreed.label, discount)


def _list_monthly_lines(terms: FrozenTerms) -> Iterator[MonthlyLine]:
    """Return the amounts in the order of a frozen price."""
    for item, yen in amounts_by_item(check_amounts(terms.amounts)):
        if yen:
            words = ITEM_WORDS[item]
            yield MonthlyLine(item, Bilingual(words.label_ja, words.label_en), yen)
    for fee in terms.fees:
        if fee.amount_yen:
            yield MonthlyLine(fee.code, fee.label, fee.amount_yen)


class OfferedExplanation(NamedTuple):
    """The document as it is today; `given` records the giving of it, `None` before the consent.

    `lack` is what it lacks before the contract can be signed.
    """

    document: MergedContract
    given: Explanation | None
    lack: ExplanationLack | None


def explanation_of_offer(session: Session, clock: Clock, link_id: str) -> OfferedExplanation | None:
    """Return the explanation of an offer, or `None` if its lease needs none.

    Raises `Refused` until the details of who moves in are entered.
    """
    return asked_once(session, _read_explanation, clock, link_id)


def _read_explanation(session: Session, clock: Clock, link_id: str) -> OfferedExplanation | None:
    row = find_row(session, ReservationLink, link_id)
    if lease_kind_of(session, row.template_id) is not LeaseKind.FIXED_TERM:
        return None
    facts = facts_of_offer(session, clock, row)
    document = explanation_text(facts, facts.locale)
    given = _find_explanation(session, row, facts)
    return OfferedExplanation(document, given, lack_of_explanation(session, given))


def save_consent(work: Work, *, link_id: str, document_hash: str, device: str) -> None:
    """Save the applicant's consent to an electronic record; repeats change nothing."""
    row = locked(work.session, ReservationLink, link_id)
    facts = facts_of_offer(work.session, work.clock, row)
    if _find_explanation(work.session, row, facts) is not None:
        return
    row.explanation_id = write_consent(
        work,
        facts=facts,
        locale=facts.locale,
        document_hash=document_hash,
        device=device,
        reservation_id=None,
        about=subject_of(row),
        replaces=row.explanation_id,
    )
    work.session.flush()


def save_explanation_read(work: Work, *, link_id: str, document_hash: str) -> None:
    """Save that the applicant read the explanation; repeats change nothing."""
    row = locked(work.session, ReservationLink, link_id)
    if row.explanation_id is None:
        raise Collision("First agree to read the document online.")
    write_confirmation(
        work, explanation_id=row.explanation_id, document_hash=document_hash, about=subject_of(row)
    )


def record_offer_talk(
    work: Work,
    *,
    link_id: str,
    person_id: str,
    way: ExplanationWay,
    explained_at: datetime | None = None,
    questions: str | None = None,
) -> None:
    """Store that a member of staff explained the document of an offer to its applicant.

    Raises `Refused` before the applicant has the document, and `Collision` once it was explained.
    """
    row, given = _given_explanation(work, link_id)
    write_talk(
        work,
        explanation_id=given.id,
        person_id=person_id,
        way=way,
        explained_at=explained_at,
        questions=questions,
        about=subject_of(row),
    )


def wish_offer_explanation(
    work: Work, *, link_id: str, way: ExplanationWay, wished_at: datetime | None
) -> None:
    """Store how and when the applicant wants to be explained the document of an offer."""
    row, given = _given_explanation(work, link_id)
    write_wish(work, explanation_id=given.id, way=way, wished_at=wished_at, about=subject_of(row))


def _given_explanation(work: Work, link_id: str) -> tuple[ReservationLink, Explanation]:
    """Return a locked offer and the document that waits for its explanation."""
    row = locked(work.session, ReservationLink, link_id)
    given = None
    if stated_details(row.details) is not None:
        facts = facts_of_offer(work.session, work.clock, row)
        given = _find_explanation(work.session, row, facts)
    if given is None:
        raise Refused("The applicant has not opened the prior explanation yet.")
    if row.accepted_at is not None or given.talk is not None:
        raise Collision("This document is no longer valid, or it has already been explained.")
    return row, given


def _find_explanation(
    session: Session, row: ReservationLink, facts: ContractFacts
) -> Explanation | None:
    if row.explanation_id is None:
        return None
    return explanation_about(session, row.explanation_id, facts)


_DRAFT: Final = translate_both("draft", "document")


def draft_pdf(session: Session, clock: Clock, link_id: str) -> bytes:
    """Return the PDF of the document that accepting would issue today, unsigned."""
    document: MergedContract = contract_of_offer(session, clock, link_id)
    row = find_row(session, ReservationLink, link_id)
    offered = explanation_of_offer(session, clock, link_id)
    details = stated_details(row.details)
    locale = details.locale if details else Locale(row.locale)
    operator = operator_of(session)
    paper = {
        "language": locale.value,
        "hue": operator.hue,
        "operator": operator.name.in_language(locale),
        "operator_address": written_address(operator.postcode, operator.address),
        "lessor": parties_of_unit(session, row.unit_id, clock.today()).say_lessor(locale),
        "title": document.title,
        "number": _DRAFT.in_language(locale),
        "issued": format_day(clock.today(), locale),
        "resident": details.name if details else "",
        "home": _read_home_name(session, row, locale),
        "blocks": blocks_of(text_below_title(document.body)),
        "hash": document.body_hash,
        "signature": None,
        "explanation": explanation_words(
            offered.given if offered else None, locale, is_needed=offered is not None
        ),
    }
    return typeset("contract", paper)


def offered_explanation_pdf(session: Session, clock: Clock, link_id: str) -> bytes | None:
    """Return the PDF of the prior explanation of an offer, or `None` if its lease needs none."""
    offered = explanation_of_offer(session, clock, link_id)
    if offered is None:
        return None
    row = find_row(session, ReservationLink, link_id)
    details = stated_details(row.details)
    locale = details.locale if details else Locale(row.locale)
    paper = explanation_paper(
        session,
        offered.document,
        offered.given,
        locale=locale,
        resident=details.name if details else "",
        home=_read_home_name(session, row, locale),
        parties=parties_of_unit(session, row.unit_id, clock.today()),
    )
    return typeset("contract", paper)


def _read_home_name(session: Session, row: ReservationLink, locale: Locale) -> str:
    asked = select(Unit.name, Building.name, Building.name_en).join(Unit.building)
    unit, ja, en = session.execute(asked.where(Unit.id == row.unit_id)).one()
    return f"{Bilingual(ja, en).in_language(locale)} {unit}"
