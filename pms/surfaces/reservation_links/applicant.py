"""The holder of an applicant's link, and the pages on which they enter their details."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Self

from flask import Blueprint, Response, g, redirect, request, url_for
from flask_babel import lazy_gettext

from pms.contracts import merged_documents
from pms.contracts.contract_people import (
    NamedPeople,
    asked_of_building,
    lacking_people,
    named_people,
)
from pms.contracts.screenings import screening_state
from pms.foundation.tokens import NamedLink
from pms.offers import frozen_terms, opened_offers
from pms.offers.frozen_terms import StatedDetails, UnitGone
from pms.offers.offer_links import RESERVATION_LINK
from pms.offers.opened_offers import OpenedOffer
from pms.rules.contract_people import PeopleKind, PeopleLack
from pms.rules.enumerations import LeaseKind, Locale, ReservationLinkState
from pms.rules.screening import ScreeningState
from pms.surfaces.fields import (
    DayField,
    EmailField,
    KanaField,
    LongTextField,
    Optional,
    PhoneField,
    PickField,
    Required,
    TextField,
)
from pms.surfaces.forms import LinkForm, submitted
from pms.surfaces.hypermedia import page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.link_gate import TOKEN, LinkGate, reading
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, reading_session, today

PICTURE_BYTES: Final = 27 * 1024 * 1024
blueprint = Blueprint("reservation_links", __name__, url_prefix=f"/reserve/<{TOKEN}>")


@dataclass(frozen=True)
class Applicant:
    """The holder of a link that is live or was accepted, and its offer."""

    offer: OpenedOffer
    workspace_id: str

    @property
    def actor(self) -> str:
        """The actor written to the audit."""
        return f"applicant/{self.offer.id}"

    @property
    def is_deciding(self) -> bool:
        """Whether the offer can still be accepted."""
        return self.offer.state is ReservationLinkState.LIVE

    @property
    def screening(self) -> ScreeningState | None:
        """How far the screening of this applicant is; None before their details."""
        return screening_state(reading(), self.offer.screening_id)

    @property
    def is_explained(self) -> bool:
        """Whether the lease is of a fixed term, which must be explained before it is signed."""
        kind = merged_documents.lease_kind_of(reading(), self.offer.template_id)
        return kind is LeaseKind.FIXED_TERM

    @cached_property
    def asked(self) -> Mapping[PeopleKind, Any]:
        """What the building asks for, by kind."""
        return asked_of_building(reading(), self.offer.building_id)

    @property
    def asked_kinds(self) -> Sequence[PeopleKind]:
        """What the building asks this applicant for; a guarantee company is left to the office."""
        return [kind for kind in self.asked if kind is not PeopleKind.GUARANTEE_COMPANY]

    @cached_property
    def named(self) -> NamedPeople:
        """The people and papers that are there."""
        return named_people(reading(), self.offer.people_id)

    @cached_property
    def lacks(self) -> Sequence[PeopleLack]:
        """What is missing before the contract, of the applicant and of the office."""
        return lacking_people(reading(), self.offer.people_id, self.offer.building_id)


def applicant() -> Applicant:
    """Return the holder of this request's link."""
    found: Applicant = g.link_holder
    return found


def to(endpoint: str) -> Response:
    """Redirect to another page of the link."""
    moved: Response = redirect(url_for(f"reservation_links.{endpoint}"), 303)  # type: ignore[assignment]
    return moved


def answer_unit_gone(_: UnitGone) -> Response:
    """Return the page that says that the unit was taken in the meantime."""
    return OfferGate().notice("gone", 410, offer=applicant().offer)


class DetailsForm(LinkForm):
    """Who moves in, how to reach them, when they arrive, and who moves in with them."""

    name = TextField(lazy_gettext("Your full name"), [Required()])
    nameKana = KanaField(lazy_gettext("Reading of your name (kana)"), [Optional()])
    email = EmailField(lazy_gettext("Email"), [Required()])
    phone = PhoneField(lazy_gettext("Phone"), [Required()])
    arrivalDate = DayField(lazy_gettext("Arrival date, if later"), [Optional()])
    coOccupants = LongTextField(lazy_gettext("Who moves in with you"), [Optional()])
    locale = PickField(lazy_gettext("Language of emails and documents"), [Required()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.locale.choices = choices(Locale)

    @classmethod
    def prefill(cls, offer: OpenedOffer) -> Self:
        """Return the form with the details entered before, else with what the office knows."""
        stated = offer.details
        if stated is None:
            known = {"name": offer.name, "email": offer.email, "locale": chosen_language()}
            return cls(formdata=None, data=known)
        return cls(
            formdata=None,
            data={
                "name": stated.name,
                "nameKana": stated.name_kana,
                "email": stated.email,
                "phone": stated.phone,
                "arrivalDate": stated.arrival_on,
                "coOccupants": "\n".join(stated.co_occupants),
                "locale": stated.locale.value,
            },
        )

    @property
    def stated_details(self) -> StatedDetails:
        """The details of a valid form."""
        lines = (self.coOccupants.data or "").splitlines()
        return StatedDetails(
            name=self.name.data or "",
            name_kana=self.nameKana.data,
            email=self.email.data,
            phone=self.phone.data,
            arrival_on=self.arrivalDate.data,
            co_occupants=tuple(line.strip() for line in lines if line.strip()),
            locale=Locale(self.locale.data or Locale.JA),
        )


@blueprint.get("/details", endpoint="details")
def show_details() -> Response:
    """Show the form, filled in with what is known."""
    if not applicant().is_deciding:
        return to("offer")
    return _render_details(DetailsForm.prefill(applicant().offer))


@blueprint.post("/details", endpoint="state_details")
def keep_details() -> Response:
    """Save the details and go on to the contract."""
    if not applicant().is_deciding:
        return to("offer")
    form = DetailsForm()
    return submitted(
        form,
        act=lambda work: frozen_terms.state_details(
            work.session, clock(), link_id=applicant().offer.id, details=form.stated_details
        ),
        then=lambda _none: to("people" if applicant().asked_kinds else "contract"),
        again=lambda: _render_details(form),
    )


def _render_details(form: DetailsForm) -> Response:
    address = url_for("reservation_links.details")
    return page(
        "reservation_links/details.html", form=form, offer=applicant().offer, page_address=address
    )


_ENDED = (ReservationLinkState.EXPIRED, ReservationLinkState.REVOKED)


class OfferGate(LinkGate[OpenedOffer]):
    """Give a live link access to its offer; an accepted one shows the application until move-in."""

    kind = RESERVATION_LINK
    templates = "reservation_links"
    most_bytes = 64 * 1024

    def find_most_bytes(self) -> int:
        """Return the largest body: that of a picture where a paper is sent."""
        is_picture = request.endpoint == "reservation_links.send_paper"
        return PICTURE_BYTES if is_picture else self.most_bytes

    def find(self, named: NamedLink) -> OpenedOffer | None:
        """Return the offer as it is now."""
        return opened_offers.opened_offer(reading_session(named.workspace_id), clock().now(), named)

    def language(self, link: OpenedOffer) -> str:
        """Return the language the applicant chose, else the one the office chose."""
        return link.details.locale if link.details else link.locale

    def admit(self, link: OpenedOffer, workspace_id: str) -> Applicant | Response:
        """Return the applicant; the use of the link is recorded at most once a minute."""
        if link.state in _ENDED or opened_offers.is_application_over(
            reading_session(workspace_id), link
        ):
            return self.notice("ended", 410, offer=link)
        self.note_opening(workspace_id, link.id, link.last_opened_at)
        if link.state is ReservationLinkState.LIVE and link.screening_id is not None:
            state = screening_state(reading_session(workspace_id), link.screening_id)
            if state in (ScreeningState.DECLINED, ScreeningState.WITHDRAWN):
                return self.notice(state.value, 410, offer=link)
        if link.state is ReservationLinkState.LIVE and _is_gone(link, workspace_id):
            return self.notice("gone", 410, offer=link)
        if link.state is ReservationLinkState.LIVE and _lacks_end(link, workspace_id):
            return self.notice("incomplete", 409, offer=link)
        return Applicant(link, workspace_id)


def _lacks_end(offer: OpenedOffer, workspace_id: str) -> bool:
    """Whether a fixed-term offer has no last day, as offers of earlier releases may."""
    if offer.contract_end_on is not None:
        return False
    kind = merged_documents.lease_kind_of(reading_session(workspace_id), offer.template_id)
    return kind is LeaseKind.FIXED_TERM


def _is_gone(offer: OpenedOffer, workspace_id: str) -> bool:
    session, days = reading_session(workspace_id), (offer.move_in_on, offer.contract_end_on)
    return frozen_terms.is_unit_gone(session, offer.unit_id, *days, today())
