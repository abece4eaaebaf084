"""What is decided about an applicant: review, approval, refusal, withdrawal."""

from pms.contracts.issuing import replace_unsigned_contracts
from pms.contracts.models import Screening
from pms.contracts.screenings import (
    LONGEST_REASON,
    add_screening_step,
    open_screening,
    screening_of,
)
from pms.foundation.audit import Subject, note_audit_event, of_reservation
from pms.foundation.errors import Collision, Refused
from pms.foundation.work import Work, locked
from pms.ledger.move_in import change_esign_status
from pms.reservations.locks import reservation_to_change
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EsignStatus, Lifecycle
from pms.rules.screening import SCREENING_CHANGES, ScreeningState, may_change_screening

_CLOSED = (ScreeningState.DECLINED, ScreeningState.WITHDRAWN)


def start_screening(work: Work, *, reservation_id: str) -> str:
    """Start the screening of a booking and return its id.

    Raises `Collision` while one is open or approved, and for a booking that is over or moved in.
    """
    row = reservation_to_change(work.session, reservation_id)
    if row.lifecycle not in (Lifecycle.BOOKED, Lifecycle.CONFIRMED):
        raise Collision("Only an applicant who has not moved in is screened.")
    found = screening_of(work.session, row.id)
    if found is not None and found.state not in _CLOSED:
        raise Collision("This applicant is already being screened.")
    screening_id = open_screening(work.session, work.clock, by=work.actor, reservation_id=row.id)
    note_audit_event(work, AuditEvent.SCREENING_OPENED, of_reservation(row.id))
    return screening_id


def move_screening(
    work: Work, *, screening_id: str, to: ScreeningState, reason: str | None = None
) -> None:
    """Change the state of a screening; the reason is kept for the office, needed for a refusal.

    A refused or withdrawn applicant's unsigned documents can no longer be signed. Raises `Refused`
    for a state that may not follow.
    """
    screening = locked(work.session, Screening, screening_id)
    if not may_change_screening(screening.state, to):
        if not SCREENING_CHANGES[screening.state]:
            raise Refused("state: this application is {state}.", state=screening.state)
        raise Refused(
            "state: this application is {state}. It cannot become {next}.",
            state=screening.state,
            next=to,
        )
    reason = (reason or "").strip() or None
    if to is ScreeningState.DECLINED and reason is None:
        raise Refused("reason: enter why. Only the office sees it.")
    if reason is not None and len(reason) > LONGEST_REASON:
        raise Refused(
            "reason: this has {found_characters} characters. Enter at most {most_characters}.",
            found_characters=len(reason),
            most_characters=LONGEST_REASON,
        )
    before, screening.state = screening.state, to
    add_screening_step(work.session, work.clock, screening, by=work.actor, reason=reason)
    about: Subject = ("screening", screening.id)
    if screening.reservation_id is not None:
        about = of_reservation(screening.reservation_id)
    note_audit_event(
        work, AuditEvent.SCREENING_MOVED, about, before={"state": before}, after={"state": to}
    )
    if to in _CLOSED and screening.reservation_id is not None:
        # Let unsigned documents of a booking no longer be signed, here or at a provider.
        row = reservation_to_change(work.session, screening.reservation_id)
        replace_unsigned_contracts(work.session, work.clock, row.id)
        if row.esign_status in (EsignStatus.SENT, EsignStatus.PARTIALLY_SIGNED):
            change_esign_status(work, reservation_id=row.id, status=EsignStatus.EXPIRED)
    work.session.flush()
