"""Finds the pictures that reports brought into a project."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.upkeep.models import MaintenanceRequest
from pms.upkeep.upkeep_photos import REQUEST, TakenPhoto, photos_of


def photos_of_requests(session: Session, project_id: str) -> Sequence[TakenPhoto]:
    """Return the pictures of the reports folded into a project, the oldest report's first."""
    reports = select(MaintenanceRequest.id).where(MaintenanceRequest.project_id == project_id)
    ids = session.scalars(reports.order_by(MaintenanceRequest.reported_at)).all()
    found = photos_of(session, REQUEST, ids)
    return [photo for report_id in ids for photo in found.get(report_id, ())]
