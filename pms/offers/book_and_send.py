"""Books an offer and hands its contract to the provider of signatures."""

import hmac

from sqlalchemy.orm import Session

from pms.contracts.queries import contract_record
from pms.contracts.send_contract import send_contract
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision
from pms.offers.accept_reservation_link import Accepted, accept_reservation_link
from pms.offers.sign_and_book import issued


def book_and_send(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    link_id: str,
    document_hash: str,
    link: str,
) -> Accepted:
    """Return the reservation; its contract is signed on the provider's page, once it is there.

    The mail that tells of it leads to `link`. Raises what accepting raises, and `Collision` when
    the document is another one than the person read; nothing is booked then.
    """
    accepted = accept_reservation_link(session, clock, actor, link_id=link_id)
    if accepted.is_new:
        contract_id = issued(session, clock, actor, link_id, accepted)
        told = contract_record(session, contract_id).body_hash
        if not hmac.compare_digest(told.encode(), document_hash.encode()):
            raise Collision(
                "The document was replaced meanwhile: read the new one before you sign."
            )
        send_contract(session, clock, actor, contract_id=contract_id, link=link)
    return accepted
