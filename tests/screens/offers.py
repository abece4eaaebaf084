"""Offers as their pages need them: open with what the applicant typed, accepted, revoked."""

from decimal import Decimal
from typing import Final

from pms.enquiries.openings import openings
from pms.foundation.bilingual import Bilingual
from pms.foundation.tokens import Sealer
from pms.offers.contract_of_offer import contract_of_offer
from pms.offers.create_reservation_link import CreatedLink, create_reservation_link
from pms.offers.sign_and_book import sign_and_book
from pms.offers.state_details import state_details
from pms.offers.stated_details import StatedDetails
from pms.pricing.agreed_price import AgreedDiscount
from pms.rules.days import add_months
from tests.screens.screens import Screen
from tests.screens.world import LIVED_IN, World

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


def offered(world: World, *, is_accepted: bool = False) -> CreatedLink:
    """Offer a unit that is free, from a day after the 15th, to somebody who stated who they are.

    Who accepts takes another unit than the offers that stay open.
    """
    today = world.clock.today()
    sealer = Sealer(world.settings.secret_key)
    with world.database.writing(world.workspace_ids[LIVED_IN]) as session:
        confirmed = [one for one in openings(session, today) if one.is_confirmed]
        free = confirmed[-1 if is_accepted else 0]
        move_in_on = add_months(max(free.on, today).replace(day=20), 1)
        made = create_reservation_link(
            session,
            world.clock,
            _ACTOR,
            unit_id=free.unit_id,
            move_in_on=move_in_on,
            contract_end_on=add_months(move_in_on, 12),
            discount=_DISCOUNT,
            name="佐々木",
            email="misaki@screens.example",
            sealer=sealer,
        )
        state_details(session, world.clock, link_id=made.id, details=_WHO)
        if is_accepted:
            document = contract_of_offer(session, world.clock, made.id)
            sign_and_book(
                session,
                world.clock,
                f"applicant/{made.id}",
                link_id=made.id,
                name=_WHO.name,
                document_hash=document.body_hash,
                device="screens",
            )
    return made


def offers_path(world: World, screen: Screen) -> dict[str, str]:
    """Return the parameters of an applicant's page."""
    return {"token": offered(world, is_accepted=screen.of["state"] == "accepted").token}


def reservation_link_id(world: World) -> str:
    """Make an open offer and return its id."""
    return offered(world).id
