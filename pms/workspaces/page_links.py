"""Links of mails: each opens one page of the reader's own, at once for who is signed in."""

from typing import Final
from urllib.parse import urlencode

from sqlalchemy.orm import Session

from pms.foundation.database import BASE_URL
from pms.foundation.versions import asked_once
from pms.rules.enumerations import UserKind
from pms.workspaces.queries import branding

_HOMES: Final = {
    UserKind.STAFF: "dashboard",
    UserKind.RESIDENT: "resident",
    UserKind.OWNER: "owner",
}


def page_link(session: Session, reader: UserKind, path: str, address: str | None) -> str:
    """Return the link of a mail to a page below the reader's home, such as `/bills/<id>`.

    It leads through the sign-in, which sends a signed-in person on at once; for anybody else the
    address is filled in, and the code that is mailed opens exactly that page.
    """
    home = f"/{_HOMES[reader]}/{asked_once(session, branding).slug}"
    entrance = "/sign-in" if reader is UserKind.STAFF else f"{home}/sign-in"
    asked = {"next": f"{home}{path}", **({"email": address} if address else {})}
    return f"{session.info[BASE_URL]}{entrance}?{urlencode(asked)}"
