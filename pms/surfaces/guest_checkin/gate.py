"""The gate of guests' links: what they open, and what is told when they open nothing."""

from flask import Response, g

from pms.foundation.named_links import NamedLink
from pms.rules.enumerations import CheckInLinkState
from pms.stays.opened_link import is_opening_due, note_link_opened, opened_link
from pms.stays.stay_links import CHECK_IN_LINK, StayLink
from pms.surfaces.guest_checkin.holder import MOST_BYTES, Holder, clock, shown
from pms.surfaces.link_gate import LinkGate
from pms.surfaces.request_scope import database, reading_session, today


class GuestGate(LinkGate[StayLink]):
    """A live link opens its stay, and only that."""

    kind = CHECK_IN_LINK
    most_bytes = MOST_BYTES

    def find(self, named: NamedLink) -> StayLink | None:
        """Return the link as it is today."""
        return opened_link(reading_session(named.workspace_id), today(), named)

    def language(self, link: StayLink) -> str:
        """Return the language of the booking."""
        return link.locale

    def admit(self, link: StayLink, named: NamedLink) -> Response | None:
        """Remember the guests and, once a minute, that the link was opened."""
        if link.state is not CheckInLinkState.LIVE:
            return _notice("ended", 410, state=link.state)
        g.stay_holder = Holder(link, named.workspace_id)
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
