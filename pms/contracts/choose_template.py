"""Makes a template the one that contracts are written with unless another is chosen."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.models import ContractTemplate
from pms.contracts.templates import template_row
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.deeds import Deed


def choose_template(session: Session, clock: Clock, actor: str, *, template_id: str) -> str:
    """Make a template the default one and return its name; raise `Refused` for an archived one."""
    row = template_row(session, template_id)
    if row.archived_at is not None:
        raise Refused("An archived template cannot be the default one.")
    others = select(ContractTemplate).where(ContractTemplate.is_default).with_for_update()
    for other in session.scalars(others):
        other.is_default = other.id == row.id
    row.is_default = True
    about, told = ("contract_template", row.id), {"name": row.name, "is_default": True}
    note_deed(session, clock, actor, Deed.CONTRACT_TEMPLATE_WRITTEN, about, after=told)
    session.flush()
    return row.name
