"""The gate of reservation links: what they open, and what is told when they open nothing."""

from flask import Response, g

from pms.contracts.merge_contract import lease_kind_of
from pms.foundation.named_links import NamedLink
from pms.offers.create_reservation_link import RESERVATION_LINK
from pms.offers.offered_unit import is_unit_gone
from pms.offers.opened_link import (
    OpenedOffer,
    is_application_over,
    is_opening_due,
    note_offer_opened,
    opened_offer,
)
from pms.rules.enumerations import LeaseKind, ReservationLinkState
from pms.surfaces.link_gate import LinkGate
from pms.surfaces.request_scope import clock, database, reading_session, today
from pms.surfaces.reservation_links.applicant import Applicant, noticed

_ENDED = (ReservationLinkState.EXPIRED, ReservationLinkState.REVOKED)


class OfferGate(LinkGate[OpenedOffer]):
    """A live link opens its offer, an accepted one how far the application is, until they move in."""

    kind = RESERVATION_LINK
    most_bytes = 64 * 1024

    def find(self, named: NamedLink) -> OpenedOffer | None:
        """Return the offer as it is now."""
        return opened_offer(reading_session(named.workspace_id), clock().now(), named)

    def language(self, link: OpenedOffer) -> str:
        """Return the language the applicant chose, until then the one the office chose."""
        return link.details.locale if link.details else link.locale

    def admit(self, link: OpenedOffer, named: NamedLink) -> Response | None:
        """Remember the applicant and, once a minute, that the link was opened."""
        if link.state in _ENDED or is_application_over(reading_session(named.workspace_id), link):
            return noticed("ended", 410, offer=link)
        if is_opening_due(link, clock().now()):
            database().note(
                named.workspace_id,
                lambda session: note_offer_opened(session, link.id, clock().now()),
            )
        if link.state is ReservationLinkState.LIVE and _is_gone(link, named.workspace_id):
            return noticed("gone", 410, offer=link)
        if link.state is ReservationLinkState.LIVE and _lacks_end(link, named.workspace_id):
            return noticed("incomplete", 409, offer=link)
        g.applicant = Applicant(link, named.workspace_id)
        return None

    def notice(self, kind: str, status: int) -> Response:
        """Return the page that says why nothing is shown."""
        return noticed(kind, status)


def _lacks_end(offer: OpenedOffer, workspace_id: str) -> bool:
    """Whether it is of a fixed term and names no last day: earlier releases made such offers."""
    if offer.contract_end_on is not None:
        return False
    kind = lease_kind_of(reading_session(workspace_id), offer.template_id)
    return kind is LeaseKind.FIXED_TERM


def _is_gone(offer: OpenedOffer, workspace_id: str) -> bool:
    session, days = reading_session(workspace_id), (offer.move_in_on, offer.contract_end_on)
    return is_unit_gone(session, offer.unit_id, *days, today())
