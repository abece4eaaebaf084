"""Deletes the identity papers of applications that came to nothing."""

from datetime import timedelta
from typing import Final

from sqlalchemy import and_, delete, or_, select

from pms.contracts.models import ContractPeople, IdentityPaper, ScreeningStep
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.files import Files
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work
from pms.offers.models import ReservationLink
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.screening import ScreeningState

KEPT_OF_REFUSED: Final = timedelta(days=30)


def forget_refused_papers(work: Work, files: Files, *, most: int = 200) -> int:
    """Delete identity papers of refused, withdrawn, expired and cancelled applications; return how many.

    They are kept for 30 days: nobody needs to know any more who the applicant was. The files are
    deleted before the rows, so that a transaction that fails finds the rows again.
    """
    before = work.clock.now() - KEPT_OF_REFUSED
    is_refused = (
        select(ScreeningStep.id)
        .where(
            ScreeningStep.workspace_id == ReservationLink.workspace_id,
            ScreeningStep.screening_id == ReservationLink.screening_id,
            ScreeningStep.state.in_((ScreeningState.DECLINED, ScreeningState.WITHDRAWN)),
            ScreeningStep.written_at < before,
        )
        .exists()
    )
    due = work.session.execute(
        select(IdentityPaper.id, IdentityPaper.file_key)
        .join(ContractPeople, refers_to(IdentityPaper.people_id, ContractPeople))
        .outerjoin(Reservation, refers_to(ContractPeople.reservation_id, Reservation))
        .outerjoin(
            ReservationLink,
            and_(
                ReservationLink.workspace_id == ContractPeople.workspace_id,
                ReservationLink.people_id == ContractPeople.id,
                ReservationLink.reservation_id.is_(None),
            ),
        )
        .where(
            or_(
                Reservation.cancelled_at < before,
                ReservationLink.expires_at < before,
                ReservationLink.revoked_at < before,
                is_refused,
            )
        )
        .order_by(IdentityPaper.id)
        .limit(most)
    ).all()
    if not due:
        return 0
    for _id, key in due:
        if key is not None:
            files.delete(key)
    work.session.execute(
        delete(IdentityPaper)
        .where(one_of(IdentityPaper.id, [id_ for id_, _key in due]))
        .execution_options(synchronize_session=False)
    )
    note_audit_event(
        work,
        AuditEvent.IDENTITY_PAPERS_FORGOTTEN,
        of_workspace(work.session),
        after={"papers": len(due)},
    )
    return len(due)
