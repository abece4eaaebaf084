"""Says whom a portal's code may be mailed to: residents and registered owners, nobody else."""

from collections.abc import Callable
from functools import partial

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.mail_codes import Recipient
from pms.access.models import SignInCode
from pms.catalogue.owners_of_address import is_owners_address
from pms.reservations.tenancies_of_address import is_residents_address
from pms.workspaces.models import Workspace


def _recipient(
    session: Session, code: SignInCode, *, is_known: Callable[[Session, str, str], bool]
) -> Recipient | None:
    """Return whom a code is for; it is written in the language in which it was asked for."""
    if code.workspace_id is None or not is_known(session, code.workspace_id, code.address):
        return None
    workspace = session.execute(
        select(Workspace.name, Workspace.name_en, Workspace.brand_hue, Workspace.slug).where(
            Workspace.id == code.workspace_id
        )
    ).one()
    operator = workspace.name_en if code.locale == "en" else None
    return Recipient(
        code.workspace_id,
        operator or workspace.name,
        code.locale,
        workspace.brand_hue,
        f"/{code.door}/{workspace.slug}",
    )


resident_recipient = partial(_recipient, is_known=is_residents_address)
owner_recipient = partial(_recipient, is_known=is_owners_address)
