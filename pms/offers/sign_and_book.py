"""Signs the contract of an offer and books it, both or neither."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.explanations import refuse_unexplained
from pms.contracts.issue_contract import issue_contract
from pms.contracts.queries import contract_record
from pms.contracts.sign_contract import sign_contract
from pms.foundation.clock import Clock
from pms.offers.accept_reservation_link import Accepted, accept_reservation_link
from pms.offers.models import ReservationLink


def sign_and_book(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    link_id: str,
    name: str,
    document_hash: str,
    device: str,
) -> Accepted:
    """Return the reservation, booked and with its contract signed by the name typed.

    Raises what accepting raises, and `Collision` when the document is another one than the
    person saw; nothing is booked then.
    """
    accepted = accept_reservation_link(session, clock, actor, link_id=link_id)
    if accepted.is_new:
        sign_contract(
            session,
            clock,
            actor,
            contract_id=issued(session, clock, actor, link_id, accepted),
            name=name,
            document_hash=document_hash,
            device=device,
        )
    return accepted


def issued(session: Session, clock: Clock, actor: str, link_id: str, accepted: Accepted) -> str:
    """Issue the document of an accepted offer from the template it was made with.

    Raises `Collision` for a fixed-term lease whose prior explanation was not confirmed.
    """
    asked = select(ReservationLink.template_id).where(ReservationLink.id == link_id)
    contract_id = issue_contract(
        session,
        clock,
        actor,
        reservation_id=accepted.reservation_id,
        template_id=session.scalar(asked),
    )
    refuse_unexplained(session, contract_record(session, contract_id))
    return contract_id
