"""Finds the owner records of an e-mail address: the owner portal opens to nobody else."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Owner
from pms.rules.addresses import folded_address


def owners_of_address(session: Session, workspace_id: str, address: str) -> Sequence[str]:
    """Return the ids of the owners of a workspace who have this folded address."""
    rows = session.execute(
        select(Owner.id, Owner.email)
        .where(Owner.workspace_id == workspace_id, Owner.email.is_not(None))
        .order_by(Owner.id)
    )
    return [id_ for id_, email in rows if folded_address(email or "") == address]


def is_owners_address(session: Session, workspace_id: str, address: str) -> bool:
    """Tell whether a registered owner of the workspace has the address."""
    return bool(owners_of_address(session, workspace_id, address))


def language_of_owners(session: Session, owner_ids: Sequence[str]) -> str:
    """Return the language the first of some owners is written to in."""
    asked = select(Owner.locale).where(Owner.id.in_(list(owner_ids))).order_by(Owner.id)
    return session.scalars(asked).first() or "ja"
