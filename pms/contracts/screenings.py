"""The screening of applicants: its states, and whether a contract may be sent."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.models import Screening, ScreeningStep
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.work import locked
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle
from pms.rules.screening import SCREENING_CHANGES, ScreeningState, may_send_contract
from pms.workspaces.queries import policy

LONGEST_REASON: Final = 1_000
_APPLYING: Final = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)


class RecordedStep(NamedTuple):
    """A state that a screening came to, with who, when and why."""

    state: ScreeningState
    reason: str | None
    written_at: datetime
    written_by: str


class ScreeningRecord(NamedTuple):
    """One screening with its steps, the oldest first."""

    id: str
    reservation_id: str | None
    state: ScreeningState
    received_at: datetime
    steps: Sequence[RecordedStep]

    @property
    def choices(self) -> Sequence[ScreeningState]:
        """The states that may follow, in their order."""
        return [state for state in ScreeningState if state in SCREENING_CHANGES[self.state]]


def open_screening(
    session: Session, clock: Clock, *, by: str, reservation_id: str | None = None
) -> str:
    """Store a screening as received and return its id."""
    screening = Screening(
        id=new_id(),
        reservation_id=reservation_id,
        state=ScreeningState.RECEIVED,
        received_at=clock.now(),
    )
    session.add(screening)
    session.flush()
    add_screening_step(session, clock, screening, by=by, reason=None)
    return screening.id


def add_screening_step(
    session: Session, clock: Clock, screening: Screening, *, by: str, reason: str | None
) -> None:
    """Store the state that a screening has now come to."""
    session.add(
        ScreeningStep(
            id=new_id(),
            screening_id=screening.id,
            state=screening.state,
            reason=reason,
            written_at=clock.now(),
            written_by=by,
        )
    )
    session.flush()


def screening_record(session: Session, screening_id: str) -> ScreeningRecord:
    """Return one screening; raise `NotFound` for an unknown id."""
    return _read_screening(session, locked(session, Screening, screening_id))


def screening_of(session: Session, reservation_id: str) -> ScreeningRecord | None:
    """Return the newest screening of a reservation, or None."""
    asked = (
        select(Screening)
        .where(Screening.reservation_id == reservation_id)
        .order_by(Screening.received_at.desc(), Screening.id.desc())
        .limit(1)
    )
    row = session.scalars(asked).first()
    return None if row is None else _read_screening(session, row)


def _read_screening(session: Session, row: Screening) -> ScreeningRecord:
    asked = select(ScreeningStep).where(ScreeningStep.screening_id == row.id)
    steps = session.scalars(asked.order_by(ScreeningStep.written_at, ScreeningStep.id)).all()
    return ScreeningRecord(
        row.id,
        row.reservation_id,
        row.state,
        row.received_at,
        [RecordedStep(*(getattr(step, name) for name in RecordedStep._fields)) for step in steps],
    )


def screening_state(session: Session, screening_id: str | None) -> ScreeningState | None:
    """Return how far a screening is; None without one."""
    if screening_id is None:
        return None
    return session.scalar(select(Screening.state).where(Screening.id == screening_id))


def adopt_screening(session: Session, screening_id: str, reservation_id: str) -> None:
    """Assign the screening of an offer to its booking."""
    locked(session, Screening, screening_id).reservation_id = reservation_id
    session.flush()


def may_be_sent(session: Session, state: ScreeningState | None) -> bool:
    """Whether an applicant in this state may be sent a contract."""
    return may_send_contract(
        state, screening_before_contract=policy(session).screening_before_contract
    )


def refuse_unscreened(session: Session, state: ScreeningState | None) -> None:
    """Raise what keeps a contract from an applicant: `Collision` for good, `Refused` for now."""
    if may_be_sent(session, state):
        return
    if state in (ScreeningState.DECLINED, ScreeningState.WITHDRAWN):
        raise Collision("This application is closed, so no contract is sent.")
    raise Refused("The application is not approved yet. The contract follows the approval.")


def refuse_unscreened_tenancy(session: Session, row: Reservation) -> None:
    """Raise what keeps a contract from the applicant of a booking; who lives there was let in."""
    if row.lifecycle in _APPLYING:
        found = screening_of(session, row.id)
        refuse_unscreened(session, found.state if found is not None else None)
