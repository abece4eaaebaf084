"""Offers: creating, sending, renewing and revoking them."""

from collections.abc import Callable
from datetime import date, datetime
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.bookings import preview_booking
from pms.arrivals.contacts import HolderContact, check_contact
from pms.arrivals.offered_terms import offered_terms
from pms.catalogue.checks import check_number
from pms.catalogue.models import Building, Unit
from pms.contracts.merged_documents import refuse_without_end
from pms.contracts.models import ContractTemplate
from pms.enquiries.enquiries import step_enquiry
from pms.enquiries.models import WaitlistPlace
from pms.enquiries.waitlist import offer_waitlist_place
from pms.foundation.audit import note_audit_event, note_change, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import known_once, new_id, refuse_known
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.phrases import Bilingual
from pms.foundation.tokens import LinkKind, Signer, new_token
from pms.foundation.work import Work, find_row, has_row, locked
from pms.inbox.models import Enquiry
from pms.ledger.planned_entries import PlannedEntry
from pms.offers.frozen_terms import (
    FrozenTerms,
    booking_of,
    freeze_terms,
    refuse_unofferable,
    thaw_terms,
    usual_terms,
)
from pms.offers.models import ReservationLink
from pms.pricing.agreed_price import AgreedDiscount
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN
from pms.rules.enumerations import EnquiryState, Locale, ReservationLinkState, WaitlistState
from pms.rules.links import link_expires_at, reservation_link_state
from pms.workspaces.queries import branding

_OF: Final = (
    ("template_id", ContractTemplate),
    ("enquiry_id", Enquiry),
    ("place_id", WaitlistPlace),
)


def check_origin(session: Session, row: ReservationLink) -> None:
    """Raise `NotFound` for an unknown template, enquiry or waitlist place."""
    for column, model in _OF:
        id_ = getattr(row, column)
        if id_ is not None and not has_row(session, model, id_):
            raise NotFound("'{id}' was not found.", id=id_[:60])


def note_offered(work: Work, row: ReservationLink) -> None:
    """Mark the waitlist place and the enquiry of an offer as offered."""
    if row.place_id is None:
        place = None
    else:
        place = work.session.scalar(select(WaitlistPlace).where(WaitlistPlace.id == row.place_id))
    if place is not None and place.state is WaitlistState.WAITING:
        offer_waitlist_place(work, place_id=place.id)
    if row.enquiry_id is not None:
        asked = locked(work.session, Enquiry, row.enquiry_id)
        step_enquiry(work, row=asked, step=EnquiryState.OFFERED)


RESERVATION_LINK: Final = LinkKind("reservation-link", ReservationLink.nonce)
"""What the token of a reservation link is signed for."""
USUAL_VALID_DAYS: Final = 7
MOST_VALID_DAYS: Final = 60
NOBODY: Final = "–"


class CreatedLink(NamedTuple):
    """A new link, its token, and when it expires."""

    id: str
    token: str
    expires_at: datetime


def create_reservation_link(
    work: Work,
    *,
    unit_id: str,
    move_in_on: date,
    contract_end_on: date | None = None,
    name: str | None = None,
    email: str | None = None,
    locale: str = Locale.JA,
    discount: AgreedDiscount | None = None,
    template_id: str | None = None,
    enquiry_id: str | None = None,
    place_id: str | None = None,
    valid_days: int = USUAL_VALID_DAYS,
    external_id: str | None = None,
    signer: Signer,
) -> CreatedLink:
    """Return a link that offers a unit from a day on, at the unit's current terms.

    Raises `NotFound` for an unknown unit; `Refused` if the unit cannot be offered from that day,
    for days that are not a valid contract, for a fixed term without a last day, and for a discount
    that the stay does not qualify for; and `Collision` for an `external_id` that was used before.
    """
    offered = usual_terms(offered_terms(work.session, unit_id), discount)
    refuse_known(work.session, ReservationLink.external_id, external_id)
    refuse_unofferable(work.session, unit_id, move_in_on, work.clock.today())
    refuse_without_end(work.session, template_id or None, contract_end_on)
    days = check_number("validDays", valid_days, 1, MOST_VALID_DAYS) or USUAL_VALID_DAYS
    contact = check_contact(HolderContact(name=name or NOBODY, email=email))
    row = ReservationLink(
        id=new_id(),
        nonce=new_token(),
        unit_id=unit_id,
        move_in_on=move_in_on,
        contract_end_on=contract_end_on,
        name=contact.name if name else None,
        email=contact.email,
        locale=_check_locale(locale),
        terms=freeze_terms(offered),
        details={},
        template_id=template_id or None,
        enquiry_id=enquiry_id or None,
        place_id=place_id or None,
        expires_at=link_expires_at(work.clock.now(), days, move_in_on),
        created_at=work.clock.now(),
        created_by=work.actor,
        external_id=external_id,
    )
    _check_booking(work.session, work.clock, row, offered)
    check_origin(work.session, row)
    with known_once(work.session, ReservationLink.external_id, external_id):
        work.session.add(row)
        _note_created_link(work, row, offered)
        note_offered(work, row)
        work.session.flush()
    token = token_of(signer, row.nonce)
    return CreatedLink(row.id, token, row.expires_at)


def token_of(signer: Signer, nonce: str) -> str:
    """Return the token of a link, which the office may copy again."""
    return signer.short(RESERVATION_LINK.purpose, nonce)


def _check_booking(
    session: Session, clock: Clock, row: ReservationLink, offered: FrozenTerms
) -> None:
    """Refuse now whatever booking would refuse."""
    if not offered.amounts.base_rent_yen:
        raise Refused("unitId: the unit has no rent yet. Set it before offering the unit.")
    preview_booking(session, clock, **booking_of(row, None))


def _note_created_link(work: Work, row: ReservationLink, offered: FrozenTerms) -> None:
    """Write the audit event, without the link's token and the person's contact data."""
    facts = {
        "unit_id": row.unit_id,
        "move_in_on": row.move_in_on,
        "contract_end_on": row.contract_end_on,
        "name": row.name,
        "base_rent_yen": offered.amounts.base_rent_yen,
        "expires_at": row.expires_at,
    }
    about = subject_of(row)
    note_audit_event(work, AuditEvent.RESERVATION_LINK_CREATED, about, after=facts)


def _check_locale(locale: str) -> str:
    if locale not in set(Locale):
        raise Refused("locale: '{locale}' is not one of ja, en.", locale=locale[:20])
    return Locale(locale).value


def renew_reservation_link(
    work: Work, *, link_id: str, valid_days: int = USUAL_VALID_DAYS, signer: Signer
) -> CreatedLink:
    """Return the link with a new token; the terms stay as they were offered.

    Raises `Refused` for an accepted offer, and if the unit can no longer be offered.
    """
    row = locked(work.session, ReservationLink, link_id)
    if row.accepted_at is not None:
        raise Refused("state: this offer was accepted and needs no new link.")
    refuse_without_end(work.session, row.template_id, row.contract_end_on)
    refuse_unofferable(work.session, row.unit_id, row.move_in_on, work.clock.today())
    days = check_number("validDays", valid_days, 1, MOST_VALID_DAYS) or USUAL_VALID_DAYS
    before = {"expires_at": row.expires_at}
    row.nonce, row.revoked_at, row.revoked_by, row.sent_at = new_token(), None, None, None
    row.expires_at = link_expires_at(work.clock.now(), days, row.move_in_on)
    note_audit_event(
        work,
        AuditEvent.RESERVATION_LINK_RENEWED,
        subject_of(row),
        before=before,
        after={"expires_at": row.expires_at},
    )
    work.session.flush()
    token = token_of(signer, row.nonce)
    return CreatedLink(row.id, token, row.expires_at)


def send_reservation_link(
    work: Work, *, link_id: str, signer: Signer, address: Callable[[str], str]
) -> str:
    """Put the mail with the offer into the outbox; return its recipient.

    `address` makes the link from a token. Raises `Refused` without an email address and for an
    offer that can no longer be accepted.
    """
    row = locked(work.session, ReservationLink, link_id)
    state = reservation_link_state(
        now=work.clock.now(),
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        accepted_at=row.accepted_at,
    )
    if state is not ReservationLinkState.LIVE:
        raise Refused("state: this offer is {state}. Only an open one can be sent.", state=state)
    if not row.email:
        raise Refused("email: there is no email address. Copy the link and send it yourself.")
    token = token_of(signer, row.nonce)
    recipient = row.email
    link = address(token)
    ends_at, brand = row.expires_at.astimezone(JAPAN), branding(work.session)
    asked = select(Unit.name, Building.name, Building.name_en).join(Unit.building)
    unit, ja, en = work.session.execute(asked.where(Unit.id == row.unit_id)).one()
    home = f"{Bilingual(ja, en).in_language(row.locale)} {unit}"
    text = mail_text(
        "reservation-link",
        row.locale,
        hue=brand.hue,
        operator=brand.name.in_language(row.locale),
        recipient=row.name,
        home=home,
        move_in_on=row.move_in_on,
        contract_end_on=row.contract_end_on,
        monthly_yen=thaw_terms(row.terms).monthly_yen,
        ends_on=ends_at.date(),
        ends_time=f"{ends_at:%H:%M}",
        link=link,
    )
    put_mail(work.session, work.clock, recipient=recipient, **text._asdict())
    row.sent_at = work.clock.now()
    about = subject_of(row)
    note_audit_event(work, AuditEvent.RESERVATION_LINK_SENT, about, after={"name": row.name})
    work.session.flush()
    return row.email


def preview_offer(session: Session, clock: Clock, link_id: str) -> PlannedEntry | None:
    """Return the move-in invoice that booking would issue today, made by the same code.

    Raises `Refused` if the offer can no longer be booked.
    """
    row = find_row(session, ReservationLink, link_id)
    return preview_booking(session, clock, **booking_of(row, None)).invoice


def revoke_reservation_link(work: Work, *, link_id: str) -> None:
    """Revoke the link; repeats change nothing; raise `Refused` if it was accepted."""
    row = locked(work.session, ReservationLink, link_id)
    if row.accepted_at is not None:
        raise Refused("state: this offer was accepted. Cancel the booking instead.")
    if row.revoked_at is None:
        row.revoked_at, row.revoked_by = work.clock.now(), work.actor
        note_change(work, AuditEvent.RESERVATION_LINK_REVOKED, row)
        work.session.flush()
