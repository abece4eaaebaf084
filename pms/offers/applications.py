"""What an applicant does with an offer: accepting, signing and following the application."""

import hmac
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.bookings import book
from pms.catalogue.models import Building, Unit
from pms.checkouts.open_bills import (
    CheckoutRecord,
    checkouts_of,
    pays_online,
)
from pms.contracts.envelopes import send_contract
from pms.contracts.explanations import adopt_explanation, is_unexplained, refuse_unexplained
from pms.contracts.issuing import issue_contract
from pms.contracts.queries import ContractRecord, contract_record, current_contract
from pms.contracts.signing import sign_contract
from pms.enquiries.waitlist import note_moving_in
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.tokens import NamedLink
from pms.foundation.work import Work
from pms.ledger.queries import entries_of, standing_of
from pms.offers.frozen_terms import (
    FrozenTerms,
    StatedDetails,
    UnitGone,
    booking_of,
    is_unit_gone,
    link_to_accept,
    stated_details,
    thaw_terms,
)
from pms.offers.models import ReservationLink
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import CheckoutState, EntryKind, Lifecycle, ReservationLinkState
from pms.rules.links import reservation_link_state
from pms.statements.papers import TransferDetails, transfer_details


class Accepted(NamedTuple):
    """The reservation of an offer; `is_new` is false if an earlier click made it."""

    reservation_id: str
    is_new: bool


def accept_reservation_link(work: Work, *, link_id: str) -> Accepted:
    """Book the offer, issue its move-in invoice, and return the reservation.

    A second click finds the booking of the first. Raises `UnitGone` if the unit was taken
    meanwhile, `Refused` for an offer that has ended or lacks details.
    """
    row = link_to_accept(work.session, link_id)
    if row.reservation_id is not None:
        return Accepted(row.reservation_id, is_new=False)
    _refuse_ended(row, work.clock)
    details = stated_details(row.details)
    if details is None:
        raise Refused("name: the applicant has not entered who moves in yet.")
    if is_unit_gone(
        work.session, row.unit_id, row.move_in_on, row.contract_end_on, work.clock.today()
    ):
        # The message must not reveal who took the unit.
        raise UnitGone("unitId: the unit was taken meanwhile.")
    booked = book(work, **booking_of(row, details))
    row.accepted_at, row.reservation_id = work.clock.now(), booked.reservation_id
    note_change(work, AuditEvent.RESERVATION_LINK_ACCEPTED, row)
    if row.explanation_id is not None:
        adopt_explanation(work.session, row.explanation_id, booked.reservation_id)
    note_moving_in(work, enquiry_id=row.enquiry_id, place_id=row.place_id)
    work.session.flush()
    return Accepted(booked.reservation_id, is_new=True)


def _refuse_ended(row: ReservationLink, clock: Clock) -> None:
    state = reservation_link_state(
        now=clock.now(),
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        accepted_at=row.accepted_at,
    )
    if state is not ReservationLinkState.LIVE:
        raise Refused("state: this offer is {state}.", state=state)


def sign_and_book(
    work: Work, *, link_id: str, name: str, document_hash: str, device: str
) -> Accepted:
    """Book the offer and sign its contract with the name typed; return the reservation.

    Raises what accepting raises, and `Collision` if the document is not the one that was shown;
    nothing is booked then.
    """
    accepted = accept_reservation_link(work, link_id=link_id)
    if accepted.is_new:
        sign_contract(
            work,
            contract_id=issue_document(work, link_id, accepted),
            name=name,
            document_hash=document_hash,
            device=device,
        )
    return accepted


def issue_document(work: Work, link_id: str, accepted: Accepted) -> str:
    """Issue the document of an accepted offer from the template it was made with.

    Raises `Collision` for a fixed-term lease whose prior explanation was not confirmed.
    """
    asked = select(ReservationLink.template_id).where(ReservationLink.id == link_id)
    contract_id = issue_contract(
        work, reservation_id=accepted.reservation_id, template_id=work.session.scalar(asked)
    )
    refuse_unexplained(work.session, contract_record(work.session, contract_id))
    return contract_id


def book_and_send(work: Work, *, link_id: str, document_hash: str, link: str) -> Accepted:
    """Book the offer and send its contract to the signature provider; return the reservation.

    The mail about it contains `link`. Raises what accepting raises, and `Collision` if the document
    is not the one that was read; nothing is booked then.
    """
    accepted = accept_reservation_link(work, link_id=link_id)
    if accepted.is_new:
        contract_id = issue_document(work, link_id, accepted)
        body_hash = contract_record(work.session, contract_id).body_hash
        if not hmac.compare_digest(body_hash.encode(), document_hash.encode()):
            raise Collision(
                "The document was replaced in the meantime. Read the new one before you sign."
            )
        send_contract(work, contract_id=contract_id, link=link)
    return accepted


class DueInvoice(NamedTuple):
    """The move-in invoice as it is today, in whole yen, with the reference for a transfer."""

    entry_id: str
    reservation_id: str
    label: Bilingual
    due_on: date
    total_yen: int
    open_yen: int
    transfer: TransferDetails


class Application(NamedTuple):
    """A booking as its applicant sees it."""

    reservation_id: str
    lifecycle: Lifecycle
    name: str
    email: str | None
    contract: ContractRecord | None
    is_unexplained: bool
    invoice: DueInvoice | None
    pays_online: bool
    checkout: CheckoutRecord | None


def application(session: Session, reservation_id: str, today: date) -> Application:
    """Return the state of the booking of an offer."""
    row = session.scalars(select(Reservation).where(Reservation.id == reservation_id)).one()
    invoice = _find_due_invoice(session, reservation_id, today)
    contract = current_contract(session, reservation_id)
    return Application(
        reservation_id=reservation_id,
        lifecycle=Lifecycle(row.lifecycle),
        name=row.name,
        email=row.email,
        contract=contract,
        is_unexplained=contract is not None and is_unexplained(session, contract),
        invoice=invoice,
        pays_online=pays_online(session),
        checkout=_under_way(session, invoice),
    )


def _find_due_invoice(session: Session, reservation_id: str, today: date) -> DueInvoice | None:
    for entry in entries_of(session, reservation_id):
        if entry.kind is EntryKind.MOVE_IN and entry.voided_on is None:
            standing = standing_of(session, reservation_id, entry.id, today)
            transfer = transfer_details(session, reservation_id)
            return DueInvoice(
                entry.id,
                reservation_id,
                entry.label,
                entry.due_on,
                entry.total_yen,
                standing.open_yen,
                transfer,
            )
    return None


def _under_way(session: Session, invoice: DueInvoice | None) -> CheckoutRecord | None:
    """Return the newest checkout, unless it was paid or has expired."""
    if invoice is None:
        return None
    visits = checkouts_of(session, invoice.reservation_id)
    newest = next((visit for visit in visits if visit.entry_id == invoice.entry_id), None)
    is_over = newest is None or newest.state in (CheckoutState.PAID, CheckoutState.EXPIRED)
    return None if is_over else newest


_APPLYING: Final = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)


class OpenedOffer(NamedTuple):
    """An offer as its link shows it now: unit, days, terms and state."""

    id: str
    unit_id: str
    unit_name: str
    building_id: str
    building: Bilingual
    move_in_on: date
    contract_end_on: date | None
    name: str | None
    email: str | None
    locale: str
    terms: FrozenTerms
    details: StatedDetails | None
    template_id: str | None
    expires_at: datetime
    last_opened_at: datetime | None
    accepted_at: datetime | None
    reservation_id: str | None
    state: ReservationLinkState


OFFERS: Final = (
    select(ReservationLink, Unit.name, Building.id, Building.name, Building.name_en)
    .join(Unit, refers_to(ReservationLink.unit_id, Unit))
    .join(Unit.building)
)


def opened_offer(session: Session, now: datetime, named: NamedLink) -> OpenedOffer | None:
    """Return the offer in the session's workspace, or `None` if its nonce has changed."""
    asked = OFFERS.where(ReservationLink.id == named.link_id, ReservationLink.nonce == named.nonce)
    found = session.execute(asked).first()
    return offer_of(found, now) if found else None


def offer_of(found: Sequence[Any], now: datetime) -> OpenedOffer:
    """Return a selected row as an offer."""
    row, unit_name, building_id, ja, en = found
    return OpenedOffer(
        id=row.id,
        unit_id=row.unit_id,
        unit_name=unit_name,
        building_id=building_id,
        building=Bilingual(ja, en),
        move_in_on=row.move_in_on,
        contract_end_on=row.contract_end_on,
        name=row.name,
        email=row.email,
        locale=row.locale,
        terms=thaw_terms(row.terms),
        details=stated_details(row.details),
        template_id=row.template_id,
        expires_at=row.expires_at,
        last_opened_at=row.last_opened_at,
        accepted_at=row.accepted_at,
        reservation_id=row.reservation_id,
        state=reservation_link_state(
            now=now,
            expires_at=row.expires_at,
            revoked_at=row.revoked_at,
            accepted_at=row.accepted_at,
        ),
    )


def is_application_over(session: Session, offer: OpenedOffer) -> bool:
    """Whether an accepted offer's booking has begun or was cancelled, so that its link ends."""
    if offer.reservation_id is None:
        return False
    asked = select(Reservation.lifecycle).where(Reservation.id == offer.reservation_id)
    return session.scalar(asked) not in _APPLYING
