"""Sends an offer to the person it is for."""

from collections.abc import Callable

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.tokens import Sealer
from pms.offers.create_reservation_link import token_of
from pms.offers.frozen_terms import thawed
from pms.offers.link_in_hand import link_to_change
from pms.offers.models import ReservationLink
from pms.rules.days import JAPAN
from pms.rules.deeds import Deed
from pms.rules.enumerations import ReservationLinkState
from pms.rules.reservation_links import reservation_link_state
from pms.workspaces.queries import branding


def send_reservation_link(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    link_id: str,
    sealer: Sealer,
    address: Callable[[str], str],
) -> str:
    """Return whom the offer is mailed to; the mail leaves with this transaction.

    `address` makes the address of a token. Raises `Refused` without an e-mail address and for an
    offer that cannot be accepted any more.
    """
    row = link_to_change(session, link_id)
    state = reservation_link_state(
        now=clock.now(),
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        accepted_at=row.accepted_at,
    )
    if state is not ReservationLinkState.LIVE:
        raise Refused("state: this offer is {state}; only an open one is sent.", state=state)
    if not row.email:
        raise Refused("email: no address is known; copy the link and hand it over yourself.")
    token = token_of(sealer, row.nonce)
    _put(session, clock, row, row.email, address(token))
    row.sent_at = clock.now()
    about = subject_of(row)
    note_deed(session, clock, actor, Deed.RESERVATION_LINK_SENT, about, after={"name": row.name})
    session.flush()
    return row.email


def _put(session: Session, clock: Clock, row: ReservationLink, recipient: str, link: str) -> None:
    ends_at, brand = row.expires_at.astimezone(JAPAN), branding(session)
    text = mail_text(
        "reservation-link",
        row.locale,
        hue=brand.hue,
        operator=brand.name.said(row.locale),
        recipient=row.name,
        home=_home(session, row),
        move_in_on=row.move_in_on,
        contract_end_on=row.contract_end_on,
        monthly_yen=thawed(row.terms).monthly_yen,
        ends_on=ends_at.date(),
        ends_time=f"{ends_at:%H:%M}",
        link=link,
    )
    put_mail(session, clock, recipient=recipient, **text._asdict())


def _home(session: Session, row: ReservationLink) -> str:
    asked = select(Unit.name, Building.name, Building.name_en).join(Unit.building)
    unit, ja, en = session.execute(asked.where(Unit.id == row.unit_id)).one()
    return f"{Bilingual(ja, en).said(row.locale)} {unit}"
