"""Books an offer and hands its contract to the provider of signatures."""

from sqlalchemy.orm import Session

from pms.contracts.send_contract import send_contract
from pms.foundation.clock import Clock
from pms.offers.accept_reservation_link import Accepted, accept_reservation_link
from pms.offers.sign_and_book import issued


def book_and_send(
    session: Session, clock: Clock, actor: str, *, link_id: str, link: str
) -> Accepted:
    """Return the reservation; its contract is signed on the provider's page, once it is there.

    The mail that tells of it leads to `link`. Raises what accepting raises.
    """
    accepted = accept_reservation_link(session, clock, actor, link_id=link_id)
    if accepted.is_new:
        contract_id = issued(session, clock, actor, link_id, accepted)
        send_contract(session, clock, actor, contract_id=contract_id, link=link)
    return accepted
