"""Gives an offer a new link and a new end; every link given out before opens nothing."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import checked_number
from pms.contracts.merge_contract import refuse_without_end
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.tokens import Sealer, new_token
from pms.offers.create_reservation_link import (
    MOST_VALID_DAYS,
    USUAL_VALID_DAYS,
    CreatedLink,
    token_of,
)
from pms.offers.link_in_hand import link_to_change
from pms.offers.offered_unit import refuse_unofferable
from pms.rules.deeds import Deed
from pms.rules.reservation_links import link_expires_at


def renew_reservation_link(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    link_id: str,
    valid_days: int = USUAL_VALID_DAYS,
    sealer: Sealer,
) -> CreatedLink:
    """Return the link with its new token; the terms stay as they were offered.

    Raises `Refused` for an accepted offer, and when the unit cannot be offered any more.
    """
    row = link_to_change(session, link_id)
    if row.accepted_at is not None:
        raise Refused("state: this offer was accepted; it needs no new link.")
    refuse_without_end(session, row.template_id, row.contract_end_on)
    refuse_unofferable(session, row.unit_id, row.move_in_on, clock.today())
    days = checked_number("validDays", valid_days, 1, MOST_VALID_DAYS) or USUAL_VALID_DAYS
    before = {"expires_at": row.expires_at}
    row.nonce, row.revoked_at, row.revoked_by, row.sent_at = new_token(), None, None, None
    row.expires_at = link_expires_at(clock.now(), days, row.move_in_on)
    note_deed(
        session,
        clock,
        actor,
        Deed.RESERVATION_LINK_RENEWED,
        subject_of(row),
        before=before,
        after={"expires_at": row.expires_at},
    )
    session.flush()
    token = token_of(sealer, row.nonce)
    return CreatedLink(row.id, token, row.expires_at)
