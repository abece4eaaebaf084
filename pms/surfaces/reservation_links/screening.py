"""What an applicant sees of their screening: that it is under way, and withdrawing."""

from flask import Response, url_for

from pms.contracts.screenings import may_be_sent
from pms.offers import applications
from pms.rules.contract_people import LEFT_TO_OFFICE
from pms.surfaces.forms import LinkForm, submitted
from pms.surfaces.hypermedia import page
from pms.surfaces.link_gate import reading
from pms.surfaces.reservation_links.applicant import applicant, blueprint, to


@blueprint.get("/screening", endpoint="screening")
def show() -> Response:
    """Say whether the application is still looked at, and offer to withdraw it."""
    if not applicant().is_deciding:
        return to("offer")
    if applicant().screening is None:
        return to("details")
    return _render_screening(LinkForm(formdata=None))


@blueprint.post("/screening", endpoint="withdraw_application")
def withdraw() -> Response:
    """Withdraw the application; the link then says so."""
    if not applicant().is_deciding:
        return to("offer")
    form = LinkForm()
    return submitted(
        form,
        act=lambda work: applications.withdraw_application(work, link_id=applicant().offer.id),
        then=lambda _none: to("offer"),
        again=lambda: _render_screening(form),
    )


def _render_screening(form: LinkForm) -> Response:
    return page(
        "reservation_links/screening.html",
        form=form,
        offer=applicant().offer,
        may_go_on=may_be_sent(reading(), applicant().screening) and not applicant().lacks,
        lacks=applicant().lacks,
        missing=[lack for lack in applicant().lacks if lack not in LEFT_TO_OFFICE],
        page_address=url_for("reservation_links.screening"),
    )
