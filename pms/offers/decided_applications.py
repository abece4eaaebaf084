"""Deciding about an applicant, who is written to in their language; the reason stays in the office."""

from collections.abc import Callable
from typing import Final

from sqlalchemy import select

from pms.contracts.screening_decisions import move_screening
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.tokens import Signer
from pms.foundation.work import Work, find_row
from pms.offers.applicants import listed_screening
from pms.offers.models import ReservationLink
from pms.offers.offer_links import token_of
from pms.reservations.models import Reservation
from pms.rules.enumerations import ReservationLinkState
from pms.rules.links import reservation_link_state
from pms.rules.screening import ScreeningState
from pms.workspaces.queries import branding

_MAILS: Final = {
    ScreeningState.APPROVED: "screening-approved",
    ScreeningState.DECLINED: "screening-declined",
}


def decide_screening(
    work: Work,
    *,
    screening_id: str,
    to: ScreeningState,
    reason: str | None,
    signer: Signer,
    address: Callable[[str], str],
) -> bool:
    """Change the state of a screening; mail the applicant who is approved or declined.

    `address` makes the link of an offer from its token. Returns whether a mail is sent: without an
    address there is none. Raises what `move_screening` raises.
    """
    move_screening(work, screening_id=screening_id, to=to, reason=reason)
    if to not in _MAILS:
        return False
    applicant = listed_screening(work.session, screening_id)
    offer = work.session.scalars(
        select(ReservationLink).where(ReservationLink.screening_id == screening_id)
    ).one_or_none()
    locale, email = "ja", None
    if applicant.details is not None:
        locale, email = applicant.details.locale.value, applicant.details.email
    elif applicant.reservation_id is not None:
        row = find_row(work.session, Reservation, applicant.reservation_id)
        locale, email = row.locale, row.email
    if not email:
        return False
    is_live = offer is not None and ReservationLinkState.LIVE is reservation_link_state(
        now=work.clock.now(),
        expires_at=offer.expires_at,
        revoked_at=offer.revoked_at,
        accepted_at=offer.accepted_at,
    )
    facts = {}
    if to is ScreeningState.APPROVED:
        facts["link"] = address(token_of(signer, offer.nonce)) if offer and is_live else None
    brand = branding(work.session)
    mail = mail_text(
        _MAILS[to],
        locale,
        hue=brand.hue,
        operator=brand.name.in_language(locale),
        recipient=applicant.name,
        home=f"{applicant.building.in_language(locale)} {applicant.unit}",
        **facts,
    )
    put_mail(work.session, work.clock, recipient=email, **mail._asdict())
    return True
