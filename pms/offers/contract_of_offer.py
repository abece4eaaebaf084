"""Says what the contract of an offer will say, before anything is booked."""

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.preview_booking import preview_booking
from pms.catalogue.models import Building, Unit
from pms.contracts.contract_facts import (
    AgreedReduction,
    ContractFacts,
    MonthlyLine,
    written_address,
)
from pms.contracts.merge_contract import MergedContract, merge_contract
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.ledger.wording import ITEM_WORDS
from pms.offers.frozen_terms import FrozenTerms, thawed
from pms.offers.models import ReservationLink
from pms.offers.stated_booking import booking_of
from pms.offers.stated_details import stated_details
from pms.pricing.agreed_price import amounts_by_item, checked_amounts
from pms.rules.discounts import Discount
from pms.workspaces.models import Workspace


def contract_of_offer(session: Session, clock: Clock, link_id: str) -> MergedContract:
    """Return the document as accepting today would issue it, in the applicant's language.

    Raises `Refused` while it is not stated who moves in.
    """
    row = session.scalars(select(ReservationLink).where(ReservationLink.id == link_id)).one()
    facts = facts_of_offer(session, clock, row)
    return merge_contract(session, facts, template_id=row.template_id, locale=facts.locale)


def facts_of_offer(session: Session, clock: Clock, row: ReservationLink) -> ContractFacts:
    """Return what the papers of an offer say; raise `Refused` until it is stated who moves in."""
    details = stated_details(row.details)
    if details is None:
        raise Refused("name: who moves in is not stated yet.")
    booking = booking_of(row, details)
    invoice = preview_booking(session, clock, **booking).invoice
    terms = thawed(row.terms)
    workspace = session.scalars(select(Workspace)).one()
    where = select(Unit.name, Building).join(Unit.building).where(Unit.id == row.unit_id)
    unit_name, building = session.execute(where).one()
    return ContractFacts(
        operator=Bilingual(workspace.name, workspace.name_en),
        operator_address=written_address(workspace.postcode, workspace.address),
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
        monthly=tuple(_monthly(terms)),
        reduction=_reduction(terms),
        reservation_fee_yen=terms.reservation_fee_yen,
        deposit_yen=terms.deposit_yen,
        move_in_total_yen=invoice.total_yen if invoice else None,
        locale=details.locale.value,
    )


def _reduction(terms: FrozenTerms) -> AgreedReduction | None:
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


def _monthly(terms: FrozenTerms) -> Iterator[MonthlyLine]:
    """The amounts in the order a frozen price holds them."""
    for item, yen in amounts_by_item(checked_amounts(terms.amounts)):
        if yen:
            words = ITEM_WORDS[item]
            yield MonthlyLine(item, Bilingual(words.label_ja, words.label_en), yen)
    for fee in terms.fees:
        if fee.amount_yen:
            yield MonthlyLine(fee.code, fee.label, fee.amount_yen)
