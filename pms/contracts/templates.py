"""Questions about a workspace's contract templates."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.models import ContractTemplate
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.enumerations import LeaseKind


class TemplateRecord(NamedTuple):
    """One template with its texts."""

    id: str
    name: str
    body_ja: str
    body_en: str
    lease_kind: LeaseKind
    is_default: bool
    updated_at: datetime
    updated_by: str
    archived_at: datetime | None
    version: int


def contract_templates(session: Session) -> Sequence[TemplateRecord]:
    """Return the templates, the default one first, archived ones last."""
    rows = session.scalars(select(ContractTemplate).order_by(ContractTemplate.name)).all()
    order = sorted(rows, key=lambda row: (row.archived_at is not None, not row.is_default))
    return [_record(row) for row in order]


def contract_template(session: Session, template_id: str) -> TemplateRecord:
    """Return one template; raise `NotFound` for an unknown one."""
    return _record(template_row(session, template_id))


def template_row(session: Session, template_id: str) -> ContractTemplate:
    """Return the row of a template, locked where the session writes; raise `NotFound`."""
    asked = select(ContractTemplate).where(ContractTemplate.id == template_id).with_for_update()
    row = session.scalar(asked) if is_id(template_id) else None
    if row is None:
        raise NotFound("There is no template '{template_id}'.", template_id=template_id[:60])
    return row


def _record(row: ContractTemplate) -> TemplateRecord:
    return TemplateRecord(
        row.id,
        row.name,
        row.body_ja,
        row.body_en,
        row.lease_kind,
        row.is_default,
        row.updated_at,
        row.updated_by,
        row.archived_at,
        row.version,
    )
