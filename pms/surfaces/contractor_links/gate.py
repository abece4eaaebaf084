"""The gate of contractors' links: what they open, and what is told when they open nothing."""

from flask import Response, g

from pms.foundation.named_links import NamedLink
from pms.rules.enumerations import ShareLinkState
from pms.surfaces.contractor_links.holder import Holder, clock, shown
from pms.surfaces.link_gate import LinkGate
from pms.surfaces.request_scope import database, reading_session, today
from pms.upkeep.opened_link import (
    OpenedLink,
    is_opening_due,
    note_link_opened,
    opened_link,
)
from pms.upkeep.share_project import SHARE_LINK


class ContractorGate(LinkGate[OpenedLink]):
    """A live link opens its project, and only that."""

    kind = SHARE_LINK
    most_bytes = 50 * 1024 * 1024

    def find(self, named: NamedLink) -> OpenedLink | None:
        """Return the link as it is today."""
        return opened_link(reading_session(named.workspace_id), today(), named)

    def language(self, link: OpenedLink) -> str:
        """Return the contractor's language."""
        return link.locale

    def admit(self, link: OpenedLink, named: NamedLink) -> Response | None:
        """Remember the contractor and, once a minute, that the link was opened."""
        if link.state is not ShareLinkState.LIVE:
            return _notice("ended", 410, link=link)
        g.link_holder = Holder(link, named.workspace_id)
        if is_opening_due(link, clock().now()):
            database().note(
                named.workspace_id,
                lambda session: note_link_opened(session, link.id, clock().now()),
            )
        return None

    def notice(self, kind: str, status: int) -> Response:
        """Return the page that says why nothing is shown."""
        return _notice(kind, status)


def _notice(kind: str, status: int, **facts: object) -> Response:
    response = shown("notice", kind=kind, **facts)
    response.status_code = status
    return response
