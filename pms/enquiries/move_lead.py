"""Moves a lead on by hand: talks began, somebody was taken on or declined, talks began anew."""

from sqlalchemy.orm import Session

from pms.enquiries.lead_in_hand import count_lead, lead_in_hand
from pms.enquiries.models import Lead
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.phrases import any_of
from pms.rules.channel_words import LeadState
from pms.rules.deeds import Deed
from pms.rules.lead_steps import may_move_lead, next_lead_states


def move_lead(session: Session, clock: Clock, actor: str, *, lead_id: str, into: LeadState) -> None:
    """Write the new state; raise `Refused` when it does not follow from the present one."""
    row = lead_in_hand(session, lead_id)
    if not may_move_lead(row.state, into):
        raise Refused(
            "state: this lead is {state}; it can become {allowed}.",
            state=row.state,
            allowed=any_of(next_lead_states(row.state)),
        )
    step_lead(session, clock, actor, row=row, into=into)


def step_lead(session: Session, clock: Clock, actor: str, *, row: Lead, into: LeadState) -> None:
    """Lead a lead in hand into a state; from being declined on its time to be forgotten runs."""
    before, row.state = row.state, into
    row.declined_at = clock.now() if into is LeadState.DECLINED else None
    was, now = {"state": before}, {"state": into}
    count_lead(session, clock, actor, Deed.LEAD_MOVED, row, before=was, after=now)
