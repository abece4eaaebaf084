"""In whose name a mail of a workspace leaves, and where an answer to it goes."""

from email.headerregistry import Address
from email.utils import parseaddr
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from pms.site.queries import contact_of_workspace
from pms.workspaces.queries import branding

_LONGEST_QUOTED: Final = 40
_MEANT_OTHERWISE: Final = str.maketrans(dict.fromkeys('()<>@,:;".[]\\', " "))


class Letterhead(NamedTuple):
    """The workspace's name, and its address for mail as far as it says so."""

    name: str
    reply_to: str | None

    def sender(self, mail_from: str) -> Address:
        """Return the installation's sender under this name; a name set there stays."""
        name, address = parseaddr(mail_from)
        return Address(name or _plain(self.name), addr_spec=address)


def _plain(name: str) -> str:
    """A name too long for one line loses its quotes there, and with a comma it would be two."""
    return name if len(name) <= _LONGEST_QUOTED else name.translate(_MEANT_OTHERWISE)


def letterhead(session: Session) -> Letterhead:
    """Return the letterhead of the session's workspace, its name in the workspace's language."""
    brand = branding(session)
    return Letterhead(
        brand.name.said(brand.default_locale) or brand.slug, contact_of_workspace(session).email
    )
