"""Where an offer came from, a place on the waitlist or an enquiry: moved on with the offer."""

from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.models import ContractTemplate
from pms.enquiries.close_waitlist_place import close_waitlist_place
from pms.enquiries.enquiry_in_hand import enquiry_in_hand
from pms.enquiries.models import Enquiry, WaitlistPlace
from pms.enquiries.move_enquiry import move_enquiry, step_enquiry
from pms.enquiries.offer_waitlist_place import offer_waitlist_place
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.offers.models import ReservationLink
from pms.rules.enquiry_steps import may_move
from pms.rules.enumerations import EnquiryState, WaitlistState

_OF: Final = (
    ("template_id", ContractTemplate),
    ("enquiry_id", Enquiry),
    ("place_id", WaitlistPlace),
)


def check_origin(session: Session, row: ReservationLink) -> None:
    """Raise `NotFound` for a template, an enquiry or a place of nobody here."""
    for column, model in _OF:
        id_ = getattr(row, column)
        if id_ is not None and not _is_known(session, model, id_):
            raise NotFound("There is no '{id}' here.", id=id_[:60])


def note_offered(session: Session, clock: Clock, actor: str, row: ReservationLink) -> None:
    """Let whoever waited or asked count as offered to."""
    place = _place(session, row)
    if place is not None and place.state is WaitlistState.WAITING:
        offer_waitlist_place(session, clock, actor, place_id=place.id)
    if row.enquiry_id is not None:
        asked = enquiry_in_hand(session, row.enquiry_id)
        step_enquiry(session, clock, actor, row=asked, step=EnquiryState.OFFERED)


def note_won(session: Session, clock: Clock, actor: str, row: ReservationLink) -> None:
    """Let whoever waited or asked be somebody who moves in."""
    place = _place(session, row)
    if place is not None and place.state is not WaitlistState.CLOSED:
        close_waitlist_place(session, clock, actor, place_id=place.id)
    if row.enquiry_id is not None:
        state, won = enquiry_in_hand(session, row.enquiry_id).state, EnquiryState.WON
        if may_move(state, won):
            move_enquiry(session, clock, actor, enquiry_id=row.enquiry_id, into=won)


def _place(session: Session, row: ReservationLink) -> WaitlistPlace | None:
    if row.place_id is None:
        return None
    return session.scalar(select(WaitlistPlace).where(WaitlistPlace.id == row.place_id))


def _is_known(session: Session, model: Any, id_: str) -> bool:
    return is_id(id_) and session.scalar(select(model.id).where(model.id == id_)) is not None
