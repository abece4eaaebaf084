"""Moves an enquiry on by hand: a viewing was agreed on, an offer made, somebody won or lost."""

from sqlalchemy.orm import Session

from pms.enquiries.enquiry_in_hand import count_change, enquiry_in_hand
from pms.enquiries.models import Enquiry
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.phrases import any_of
from pms.rules.deeds import Deed
from pms.rules.enquiry_steps import may_move, next_states, reached
from pms.rules.enumerations import EnquiryState


def move_enquiry(
    session: Session, clock: Clock, actor: str, *, enquiry_id: str, into: EnquiryState
) -> None:
    """Write the new state; raise `Refused` when it does not follow from the present one."""
    row = enquiry_in_hand(session, enquiry_id)
    if not may_move(row.state, into):
        raise Refused(
            "state: this enquiry is {state}; it can become {allowed}.",
            state=row.state,
            allowed=any_of(next_states(row.state)),
        )
    row.state = into
    if into == EnquiryState.ANSWERED and row.answered_at is None:
        row.answered_at = clock.now()
    count_change(session, clock, actor, Deed.ENQUIRY_MOVED, row)


def step_enquiry(
    session: Session, clock: Clock, actor: str, *, row: Enquiry, step: EnquiryState
) -> None:
    """Lead an enquiry in hand on after a deed of its own; where it is further already, nothing."""
    into = reached(row.state, step)
    if into != row.state:
        row.state = into
        count_change(session, clock, actor, Deed.ENQUIRY_MOVED, row)
