"""Reservation links: offering a unit, sending, renewing and revoking the offer."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, Self, TypedDict

from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.arrivals import offered_terms
from pms.arrivals.offered_terms import OfferedTerms
from pms.availability import units
from pms.contracts.screenings import screening_record
from pms.foundation.errors import Refused, StoredUnreadable
from pms.foundation.phrases import Bilingual
from pms.ledger.planned_entries import DISCOUNT, PlannedEntry
from pms.offers import frozen_terms, offer_links
from pms.offers.frozen_terms import TemplateChoice
from pms.offers.offer_links import MOST_VALID_DAYS, USUAL_VALID_DAYS, CreatedLink
from pms.offers.offers import MadeOffer, offer_record, offers, token_of_offer
from pms.pricing.agreed_price import AgreedDiscount
from pms.rules.availability import Availability
from pms.rules.days import ONE_DAY, add_months, read_day, readable
from pms.rules.enumerations import Locale, ReservationLinkState
from pms.surfaces.dashboard.contract_people import people_of_offer
from pms.surfaces.dashboard.explanations import find_offered_explanation
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.rooms import room_search_address, room_seeker
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    EmailField,
    FlagField,
    HiddenField,
    Optional,
    PercentField,
    PickField,
    Printable,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import asked_paging, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.request_scope import clock, today
from pms.surfaces.signed_in import auth_context


@dashboard.get("/reservation-links", roles=OFFICE, is_secret=True)
def reservation_links() -> Response:
    """Show one page of offers, the newest first, optionally of one state."""
    asked = request.args.get("state", "")
    state = ReservationLinkState(asked) if asked in set(ReservationLinkState) else None
    paging = asked_paging()
    return page(
        "dashboard/reservation_links/list.html",
        found=offers(reading(), clock().now(), paging, state),
        state=state,
        states=list(ReservationLinkState),
        paging=paging,
    )


class OfferedLinkFacts(TypedDict):
    """The facts of a valid form as the use case takes them."""

    unit_id: str
    move_in_on: date
    contract_end_on: date | None
    name: str | None
    email: str | None
    locale: str
    discount: AgreedDiscount | None
    template_id: str | None
    enquiry_id: str | None
    place_id: str | None
    valid_days: int


class OfferForm(FlaskForm):
    """The offer: its days, person, discount and document, and how long it is open."""

    unitId = HiddenField()
    enquiryId = HiddenField()
    placeId = HiddenField()
    moveInDate = DayField(lazy_gettext("Move-in"), [Required()])
    contractEndDate = DayField(lazy_gettext("Contract end"), [Optional()])
    name = TextField(lazy_gettext("Name"), [Optional()])
    email = EmailField(lazy_gettext("Email"), [Optional()])
    locale = PickField(lazy_gettext("Language of the page"), [Required()])
    validDays = WholeNumberField(
        lazy_gettext("Valid for (days)"), [Required()], least=1, most=MOST_VALID_DAYS
    )
    templateId = ChoiceField(lazy_gettext("Contract"), [Optional()])
    discountPercent = PercentField(lazy_gettext("Discount in percent"), [Optional()])
    discountYen = YenField(lazy_gettext("Discount (¥/month)"), [Optional()], minimum_yen=1)
    discountLabel = TextField(lazy_gettext("Name of the discount"), [Optional(), Printable()])
    discountOnce = FlagField(lazy_gettext("For the first billed period only"))
    minimumStayDays = WholeNumberField(
        lazy_gettext("Minimum stay for the discount (days)"), [Optional()], most=3_660
    )

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.locale.choices = choices(Locale)

    @classmethod
    def from_query(cls, asked: Mapping[str, str], usual_on: date, usual_end_on: date) -> Self:
        """Return the form filled from the query: a waitlist entry, an enquiry, a day."""
        move_in_on = readable(read_day(asked.get("moveInDate"))) or usual_on
        end_on = readable(read_day(asked.get("contractEndDate"))) or usual_end_on
        locale = asked.get("locale")
        return cls(
            formdata=None,
            data={
                "unitId": asked.get("unitId"),
                "enquiryId": asked.get("enquiryId"),
                "placeId": asked.get("placeId"),
                "name": asked.get("name"),
                "email": asked.get("email"),
                "moveInDate": move_in_on,
                "contractEndDate": end_on,
                "locale": locale if locale in set(Locale) else Locale.JA.value,
                "validDays": USUAL_VALID_DAYS,
            },
        )

    def offer_templates(self, templates: Sequence[TemplateChoice], usual: str) -> None:
        """Fill the list of templates; without a choice the workspace's default is used."""
        self.templateId.choices = [("", usual), *templates]

    @property
    def agreed_discount(self) -> AgreedDiscount | None:
        """The discount, or None without a figure."""
        if not (self.discountPercent.data or self.discountYen.data):
            return None
        label = self.discountLabel.data
        return AgreedDiscount(
            Bilingual(label, label) if label else DISCOUNT,
            percent=self.discountPercent.data or None,
            monthly_yen=self.discountYen.data or None,
            is_recurring=not self.discountOnce.data,
            minimum_stay_days=self.minimumStayDays.data or 0,
        )

    @property
    def offered_facts(self) -> OfferedLinkFacts:
        """The typed facts as the use case takes them."""
        return OfferedLinkFacts(
            unit_id=self.unitId.data or "",
            move_in_on=self.moveInDate.data,
            contract_end_on=self.contractEndDate.data,
            name=self.name.data,
            email=self.email.data,
            locale=self.locale.data or Locale.JA.value,
            discount=self.agreed_discount,
            template_id=self.templateId.data or None,
            enquiry_id=self.enquiryId.data or None,
            place_id=self.placeId.data or None,
            valid_days=self.validDays.data or USUAL_VALID_DAYS,
        )


_USUAL_MONTHS: Final = 12


@dashboard.get("/reservation-links/new", roles=OFFICE, is_secret=True)
def new_reservation_link() -> Response:
    """Show the form with the person's facts; without a unit, go to the room search."""
    unit_id = request.args.get("unitId")
    if not unit_id:
        return go(room_search_address())
    terms = offered_terms.offered_terms(reading(), unit_id)
    free = units.availability_of(reading(), terms.unit_id, today())
    first_on = max(free.move_in_from or today(), today())
    asked_on = readable(read_day(request.args.get("moveInDate"))) or first_on
    end_on = add_months(max(asked_on, first_on), _USUAL_MONTHS) - ONE_DAY
    seeker = room_seeker()
    asked = {**(seeker.person if seeker else {}), **request.args.to_dict()}
    return _render_new_offer(OfferForm.from_query(asked, first_on, end_on), terms)


@dashboard.post("/reservation-links/new", roles=OFFICE)
def create_reservation_link() -> Response:
    """Create the offer and show it, with the link to copy or send."""
    form = OfferForm()
    terms = offered_terms.offered_terms(reading(), form.unitId.data or "")
    _offer_templates(form)
    return submitted(
        form,
        act=lambda work: offer_links.create_reservation_link(
            work, signer=auth_context().signer, **form.offered_facts
        ),
        then=_go_to_offer,
        again=lambda: _render_new_offer(form, terms),
    )


def _go_to_offer(link: CreatedLink) -> Response:
    address = url_for("dashboard.reservation_link", reservation_link_id=link.id)
    return go(address, message=_("Offer created. Copy the link or send it."))


def _render_new_offer(form: OfferForm, terms: OfferedTerms) -> Response:
    _offer_templates(form)
    free: Availability = units.availability_of(reading(), terms.unit_id, today())
    if form.moveInDate.data is None:
        ends = []
    else:
        words = {3: _("3 months"), 6: _("6 months"), 12: _("1 year"), 24: _("2 years")}
        ends = [
            (text, (add_months(form.moveInDate.data, months) - ONE_DAY).isoformat())
            for months, text in words.items()
        ]
    return page(
        "dashboard/reservation_links/new.html",
        form=form,
        unit=terms,
        terms=frozen_terms.usual_terms(terms),
        free=free,
        ends=ends,
    )


def _offer_templates(form: OfferForm) -> None:
    form.offer_templates(frozen_terms.template_choices(reading()), _("Standard template"))


@dashboard.get("/reservation-links/<reservation_link_id>", roles=OFFICE, is_secret=True)
def reservation_link(reservation_link_id: str) -> Response:
    """Show the offer as its applicant sees it, and its link."""
    return _render_offer("offer", reservation_link_id, FlaskForm())


@dashboard.get("/reservation-links/<reservation_link_id>/sending", roles=OFFICE, is_secret=True)
def reservation_link_sending(reservation_link_id: str) -> Response:
    """Show who the mail goes to before it is sent."""
    return _render_offer("sending", reservation_link_id, FlaskForm())


@dashboard.post("/reservation-links/<reservation_link_id>/sending", roles=OFFICE)
def send_reservation_link(reservation_link_id: str) -> Response:
    """Send the link."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: offer_links.send_reservation_link(
            work,
            link_id=reservation_link_id,
            signer=auth_context().signer,
            address=build_offer_address,
        ),
        then=lambda email: _return_to_offer(
            reservation_link_id, _("Sent to %(email)s.", email=email)
        ),
        again=lambda: _render_offer("sending", reservation_link_id, form),
    )


@dashboard.post("/reservation-links/<reservation_link_id>/renewal", roles=OFFICE)
def renew_reservation_link(reservation_link_id: str) -> Response:
    """Replace the link of the offer; the old one stops working."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: offer_links.renew_reservation_link(
            work, link_id=reservation_link_id, signer=auth_context().signer
        ),
        then=lambda _link: _return_to_offer(reservation_link_id, _("New link created.")),
        again=lambda: _render_offer("offer", reservation_link_id, form),
    )


@dashboard.get("/reservation-links/<reservation_link_id>/revocation", roles=OFFICE)
def reservation_link_revocation(reservation_link_id: str) -> Response:
    """Show what revoking the offer means before it is done."""
    return _render_offer("revocation", reservation_link_id, FlaskForm())


@dashboard.post("/reservation-links/<reservation_link_id>/revocation", roles=OFFICE)
def revoke_reservation_link(reservation_link_id: str) -> Response:
    """Revoke the offer."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: offer_links.revoke_reservation_link(work, link_id=reservation_link_id),
        then=lambda _none: _return_to_offer(reservation_link_id, _("Offer revoked.")),
        again=lambda: _render_offer("revocation", reservation_link_id, form),
    )


def _render_offer(template: str, link_id: str, form: Form) -> Response:
    offer = offer_record(reading(), link_id, clock().now())
    invoice, refusal = _preview_invoice(offer)
    response = page(
        f"dashboard/reservation_links/{template}.html",
        form=form,
        offer=offer,
        invoice=invoice,
        refusal=refusal,
        given=find_offered_explanation(offer.id) if template == "offer" else None,
        screening=screening_record(reading(), offer.screening_id) if offer.screening_id else None,
        people=people_of_offer(offer.id) if template == "offer" else None,
        address=build_offer_address(token_of_offer(reading(), offer.id, auth_context().signer)),
    )
    # The page contains the link that opens the offer.
    response.headers["Cache-Control"] = "no-store"
    return response


def _preview_invoice(offer: MadeOffer) -> tuple[PlannedEntry | None, str | None]:
    if offer.state is not ReservationLinkState.LIVE:
        return None, None
    try:
        return offer_links.preview_offer(reading(), clock(), offer.id), None
    except Refused as problem:
        return None, refusal_text(problem)
    except StoredUnreadable:
        # The page says so in place of the terms.
        return None, None


def build_offer_address(token: str) -> str:
    """Return the address that a link with this token has."""
    address: str = current_app.config["BASE_URL"]
    return address + str(url_for("reservation_links.offer", token=token))


def _return_to_offer(link_id: str, words: str) -> Response:
    address = url_for("dashboard.reservation_link", reservation_link_id=link_id)
    return go(address, message=words)
