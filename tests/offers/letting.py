"""An office that offers its units by links, and the people who open them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import select

from pms.foundation.tokens import NamedLink, Signer, named_link
from pms.offers.applications import Accepted, accept_reservation_link
from pms.offers.frozen_terms import StatedDetails, state_details
from pms.offers.models import ReservationLink
from pms.offers.offer_documents import explanation_of_offer, save_consent, save_explanation_read
from pms.offers.offer_links import RESERVATION_LINK, CreatedLink, create_reservation_link
from pms.offers.offers import MadeOffer, offer_record
from pms.offers.opened_offers import OpenedOffer, opened_offer
from tests.arrivals.office import Office, day
from tests.talks import hold_talks

SIGNER = Signer("a key of the tests")
TANAKA = StatedDetails(
    name="田中 一郎",
    name_kana="タナカ イチロウ",
    email="tanaka@example.jp",
    phone="090-1234-5678",
    co_occupants=("田中 春",),
)


@dataclass(frozen=True)
class Letting:
    """The office, and what it offers."""

    office: Office

    def offer(self, unit_id: str, start: str, end: str | None = None, **facts: Any) -> CreatedLink:
        """Offer a unit by a new link."""
        days = {"move_in_on": day(start), "contract_end_on": end and day(end)}
        made = self.office.do(
            create_reservation_link, unit_id=unit_id, signer=SIGNER, **days, **facts
        )
        assert isinstance(made, CreatedLink)
        return made

    def named(self, link: CreatedLink) -> NamedLink | None:
        """What the link names now."""
        return named_link(
            self.office.database.across_workspaces_reading, SIGNER, RESERVATION_LINK, link.token
        )

    def opened(self, link: CreatedLink) -> OpenedOffer | None:
        """What the link opens now."""
        now = self.office.clock.now()
        named = self.named(link)
        return self.office.ask(opened_offer, now, named) if named else None

    def state(self, link: CreatedLink, details: StatedDetails = TANAKA) -> None:
        """Have the applicant state who they are."""
        with self.office.database.writing(self.office.home.workspace_id) as session:
            state_details(session, self.office.clock, link_id=link.id, details=details)

    def explain(self, link: CreatedLink) -> None:
        """Have the applicant agree to the prior explanation, be explained it, read and confirm it."""
        offered = self.office.ask(explanation_of_offer, self.office.clock, link.id)
        assert offered is not None
        facts = {"link_id": link.id, "document_hash": offered.document.body_hash}
        self.office.do(save_consent, device="a telephone", **facts)
        self.office.do(save_explanation_read, **facts)
        with self.office.database.writing(self.office.home.workspace_id) as session:
            hold_talks(session, self.office.clock)

    def accept(self, link: CreatedLink) -> Accepted:
        """Have the applicant accept."""
        return self.office.do(accept_reservation_link, link_id=link.id)

    def record(self, link: CreatedLink) -> MadeOffer:
        """The offer as the office reads it."""
        return self.office.ask(offer_record, link.id, self.office.clock.now())

    def row(self, link: CreatedLink) -> Mapping[str, Any]:
        """The stored row."""
        with self.office.database.reading(self.office.home.workspace_id) as session:
            found = session.scalars(select(ReservationLink).where(ReservationLink.id == link.id))
            return dict(vars(found.one()))


def on(text: str) -> date:
    """A day as the tests write it."""
    return day(text)
