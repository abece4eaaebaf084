"""What an applicant does with an offer: accepting and signing it."""

import hmac
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.bookings import book
from pms.catalogue.models import Unit
from pms.catalogue.place_names import home_name
from pms.contracts.contract_people import (
    asked_of_building,
    guarantors_of,
    lacking_people,
    named_paper,
    named_people,
    refuse_lacking,
)
from pms.contracts.envelopes import send_contract
from pms.contracts.explanations import adopt_explanation, refuse_unexplained
from pms.contracts.issuing import issue_contract
from pms.contracts.people_changes import (
    WrittenPaper,
    add_paper,
    adopt_people,
    begin_people,
    remove_paper,
    write_party,
)
from pms.contracts.queries import contract_record
from pms.contracts.screening_decisions import move_screening
from pms.contracts.screenings import (
    adopt_screening,
    open_screening,
    refuse_unscreened,
    screening_state,
)
from pms.contracts.signing import sign_contract
from pms.enquiries.waitlist import note_moving_in
from pms.foundation.audit import note_audit_event, note_change, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused, no_such
from pms.foundation.work import Work, find_row, locked
from pms.notices.notices import NoticeEvent, notify_staff
from pms.offers.frozen_terms import (
    UnitGone,
    booking_of,
    is_unit_gone,
    link_to_accept,
    stated_details,
)
from pms.offers.models import ReservationLink
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_people import PeopleKind, PeopleLack
from pms.rules.enumerations import ReservationLinkState
from pms.rules.links import reservation_link_state
from pms.rules.notices_to_people import ANSWERING, NoticeKind
from pms.rules.screening import ScreeningState

MOST_PAPERS: Final = 6


class Accepted(NamedTuple):
    """The reservation of an offer; `is_new` is false if an earlier click made it."""

    reservation_id: str
    is_new: bool


def accept_reservation_link(work: Work, *, link_id: str) -> Accepted:
    """Book the offer, issue its move-in invoice, and return the reservation.

    A second click finds the booking of the first. Raises `UnitGone` if the unit was taken
    meanwhile, `Refused` for an offer that has ended or lacks details, or what the building asks for.
    """
    row = link_to_accept(work.session, link_id)
    if row.reservation_id is not None:
        return Accepted(row.reservation_id, is_new=False)
    state = reservation_link_state(
        now=work.clock.now(),
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        accepted_at=row.accepted_at,
    )
    if state is not ReservationLinkState.LIVE:
        raise Refused("state: this offer is {state}.", state=state)
    details = stated_details(row.details)
    if details is None:
        raise Refused("name: the applicant has not entered who moves in yet.")
    if is_unit_gone(
        work.session, row.unit_id, row.move_in_on, row.contract_end_on, work.clock.today()
    ):
        # The message must not reveal who took the unit.
        raise UnitGone("unitId: the unit was taken meanwhile.")
    refuse_unscreened(work.session, screening_state(work.session, row.screening_id))
    refuse_lacking(lacking_people_of_offer(work.session, row))
    booked = book(work, **booking_of(row, details))
    row.accepted_at, row.reservation_id = work.clock.now(), booked.reservation_id
    note_change(work, AuditEvent.RESERVATION_LINK_ACCEPTED, row)
    if row.explanation_id is not None:
        adopt_explanation(work.session, row.explanation_id, booked.reservation_id)
    if row.screening_id is not None:
        adopt_screening(work.session, row.screening_id, booked.reservation_id)
    if row.people_id is not None:
        adopt_people(work.session, row.people_id, booked.reservation_id)
    note_moving_in(work, enquiry_id=row.enquiry_id, place_id=row.place_id)
    work.session.flush()
    path = f"/reservations/{booked.reservation_id}"
    facts = {"place": home_name(work.session, row.unit_id)._asdict()}
    event = NoticeEvent(booked.reservation_id, path, facts, occasion="accepted", model=Reservation)
    notify_staff(work, NoticeKind.APPLICATION_RECEIVED, event, roles=ANSWERING)
    return Accepted(booked.reservation_id, is_new=True)


def hold_people_of_offer(session: Session, clock: Clock, *, link_id: str) -> str:
    """Return what the people of an offer hang on, which is made for the first one.

    Raises `Collision` once the offer was accepted: the booking has them then.
    """
    row = locked(session, ReservationLink, link_id)
    if row.accepted_at is not None:
        raise Collision("This offer was accepted. Change the people of its booking.")
    if row.people_id is None:
        row.people_id = begin_people(session, clock)
        session.flush()
    return row.people_id


def name_party_of_offer(
    work: Work, *, link_id: str, kind: PeopleKind, written: Mapping[str, Any]
) -> None:
    """Store a piece that an applicant entered.

    A guarantor without an amount gets the one that the building has set, if it has.
    """
    people_id = hold_people_of_offer(work.session, work.clock, link_id=link_id)
    if kind is PeopleKind.GUARANTOR:
        row = find_row(work.session, ReservationLink, link_id)
        building_id = find_row(work.session, Unit, row.unit_id).building_id
        asked = asked_of_building(work.session, building_id).get(kind)
        guarantor = guarantors_of(work.session, people_id).guarantor
        if asked is not None and (guarantor is None or guarantor.highest_yen is None):
            written = {**written, "highest_yen": asked.highest_yen}
    write_party(work, people_id=people_id, kind=kind, written=written)


def send_paper_of_offer(work: Work, *, link_id: str, written: WrittenPaper) -> None:
    """Store an identity paper that an applicant sent; raise `Collision` for too many."""
    people_id = hold_people_of_offer(work.session, work.clock, link_id=link_id)
    if len(named_people(work.session, people_id).papers) >= MOST_PAPERS:
        raise Collision("You have sent enough papers. Remove one before you send another.")
    add_paper(work, people_id=people_id, written=written)


def remove_paper_of_offer(work: Work, *, link_id: str, paper_id: str) -> str | None:
    """Remove an identity paper of an offer; return the key of its picture, to be deleted, or None."""
    people_id = hold_people_of_offer(work.session, work.clock, link_id=link_id)
    if named_paper(work.session, paper_id).people_id != people_id:
        raise no_such("identity paper", paper_id)
    return remove_paper(work, paper_id=paper_id)


def lacking_people_of_offer(session: Session, row: ReservationLink) -> Sequence[PeopleLack]:
    """Return what the application of an offer lacks by what its building asks for."""
    asked = select(Unit.building_id).where(Unit.id == row.unit_id)
    return lacking_people(session, row.people_id, session.scalars(asked).one())


def start_offer_screening(work: Work, *, link_id: str) -> str:
    """Start the screening of an offer whose details were entered before screenings; return its id.

    Raises `Collision` for an offer without details, or with a screening.
    """
    row = link_to_accept(work.session, link_id)
    if row.accepted_at is not None or row.screening_id is not None or not row.details:
        raise Collision("This offer has no application to screen, or it is being screened already.")
    row.screening_id = open_screening(work.session, work.clock, by=work.actor)
    note_audit_event(work, AuditEvent.SCREENING_OPENED, subject_of(row))
    work.session.flush()
    return row.screening_id


def withdraw_application(work: Work, *, link_id: str) -> None:
    """Withdraw the application of an offer that was not accepted yet; nothing can be signed then.

    Raises `Collision` once the offer was accepted, or before the applicant entered their details.
    """
    row = link_to_accept(work.session, link_id)
    if row.accepted_at is not None or row.screening_id is None:
        raise Collision("There is no open application to withdraw.")
    move_screening(work, screening_id=row.screening_id, to=ScreeningState.WITHDRAWN)


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

    Raises `Collision` for a fixed-term lease whose prior explanation was not confirmed, and
    `Refused` while no member of staff has explained it.
    """
    asked = select(ReservationLink.template_id).where(ReservationLink.id == link_id)
    contract_id = issue_contract(
        work, reservation_id=accepted.reservation_id, template_id=work.session.scalar(asked)
    )
    record = contract_record(work.session, contract_id)
    refuse_unexplained(work.session, record, work.clock.now())
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
