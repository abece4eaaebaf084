"""The contract templates an offer may be made with."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.models import ContractTemplate


class TemplateChoice(NamedTuple):
    """One template by its name."""

    id: str
    name: str


def template_choices(session: Session) -> Sequence[TemplateChoice]:
    """Return the templates in use, the default one first."""
    asked = select(ContractTemplate.id, ContractTemplate.name)
    rows = session.execute(
        asked.where(ContractTemplate.archived_at.is_(None)).order_by(
            ContractTemplate.is_default.desc(), ContractTemplate.name, ContractTemplate.id
        )
    )
    return [TemplateChoice._make(row) for row in rows]
