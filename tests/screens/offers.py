"""Offers as their pages need them: open with what the applicant typed, accepted, revoked."""

from decimal import Decimal
from typing import Final

from sqlalchemy.orm import Session

from pms.enquiries.viewing_lists import openings
from pms.foundation.clock import Clock
from pms.foundation.phrases import Bilingual
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.offers.applications import sign_and_book
from pms.offers.frozen_terms import StatedDetails, state_details
from pms.offers.offer_documents import (
    contract_of_offer,
    explanation_of_offer,
    save_consent,
    save_explanation_read,
)
from pms.offers.offer_links import CreatedLink, create_reservation_link
from pms.pricing.agreed_price import AgreedDiscount
from pms.rules.days import add_months
from tests.screens.screens import Screen
from tests.screens.world import LIVED_IN, World
from tests.talks import hold_talks

_ACTOR: Final = "person/screens"
_DISCOUNT: Final = AgreedDiscount(
    Bilingual("冬の特典", "Winter offer"), percent=Decimal(10), minimum_stay_days=180
)
_WHO: Final = StatedDetails(
    name="佐々木 美咲",
    name_kana="ササキ ミサキ",
    email="misaki@screens.example",
    phone="090-1234-5678",
)


def offered(world: World, *, is_accepted: bool = False, explanation: str = "") -> CreatedLink:
    """Offer a unit that is free, from a day after the 15th, to somebody who stated who they are.

    Who accepts takes another unit than the offers that stay open. The prior explanation is
    "agreed" to, or read and "waits" for its talk, or "confirmed".
    """
    today = world.clock.today()
    signer = Signer(world.settings.secret_key)
    with world.database.writing(world.workspace_ids[LIVED_IN]) as session:
        confirmed = [one for one in openings(session, today) if one.is_confirmed]
        free = confirmed[-1 if is_accepted else 0]
        move_in_on = add_months(max(free.on, today).replace(day=20), 1)
        made = create_reservation_link(
            Work(session, world.clock, _ACTOR),
            unit_id=free.unit_id,
            move_in_on=move_in_on,
            contract_end_on=add_months(move_in_on, 12),
            discount=_DISCOUNT,
            name="佐々木",
            email="misaki@screens.example",
            signer=signer,
        )
        state_details(session, world.clock, link_id=made.id, details=_WHO)
        if is_accepted or explanation:
            _explain(session, world.clock, made.id, is_read=explanation != "agreed")
        if is_accepted or explanation == "confirmed":
            hold_talks(session, world.clock)
        if is_accepted:
            document = contract_of_offer(session, world.clock, made.id)
            sign_and_book(
                Work(session, world.clock, f"applicant/{made.id}"),
                link_id=made.id,
                name=_WHO.name,
                document_hash=document.body_hash,
                device="screens",
            )
    return made


def _explain(session: Session, clock: Clock, link_id: str, *, is_read: bool) -> None:
    found = explanation_of_offer(session, clock, link_id)
    assert found is not None
    facts = {"link_id": link_id, "document_hash": found.document.body_hash}
    save_consent(Work(session, clock, _ACTOR), device="screens", **facts)
    if is_read:
        save_explanation_read(Work(session, clock, _ACTOR), **facts)


def offers_path(world: World, screen: Screen) -> dict[str, str]:
    """Return the parameters of an applicant's page."""
    is_accepted = screen.of["state"] == "accepted"
    explanation = screen.of.get("explanation", "")
    return {"token": offered(world, is_accepted=is_accepted, explanation=explanation).token}


def reservation_link_id(world: World) -> str:
    """Make an open offer and return its id."""
    return offered(world, explanation="waits").id
