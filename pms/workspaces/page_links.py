"""Links of mails: each opens one page of the reader's own, at once for who is signed in."""

from typing import Final
from urllib.parse import urlencode

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.database import BASE_URL
from pms.rules.enumerations import UserKind
from pms.workspaces.models import Workspace

_HOMES: Final = {
    UserKind.STAFF: "dashboard",
    UserKind.RESIDENT: "resident",
    UserKind.OWNER: "owner",
}


def page_link(
    session: Session,
    reader: UserKind,
    path: str,
    address: str | None,
    workspace_id: str | None = None,
) -> str:
    """Return the link of a mail to a page below the reader's home, such as `/tasks/<id>`.

    It leads through the sign-in, which sends a signed-in person on at once; for anybody else the
    address is filled in, and the code that is mailed opens exactly that page. `workspace_id` is for a
    session that is not bound to the workspace.
    """
    asked = select(Workspace.slug)
    if workspace_id is not None:
        asked = asked.where(Workspace.id == workspace_id)
    home = f"/{_HOMES[reader]}/{session.scalars(asked).one()}"
    entrance = "/sign-in" if reader is UserKind.STAFF else f"{home}/sign-in"
    question = {"next": f"{home}{path}", **({"email": address} if address else {})}
    return f"{session.info[BASE_URL]}{entrance}?{urlencode(question)}"


def tenancy_link(session: Session, reservation_id: str, path: str, address: str | None) -> str:
    """Return the link of a mail to a page of a tenancy in the resident portal: `/invoices`."""
    return page_link(session, UserKind.RESIDENT, f"/{reservation_id}{path}", address)
