"""Asks who moves in; kept on the link, so that nothing is typed twice."""

from flask import Response, request, url_for

from pms.offers.state_details import state_details
from pms.surfaces.reservation_links.applicant import applicant, clock, shown, submitted, to
from pms.surfaces.reservation_links.details_form import DetailsForm


def show() -> Response:
    """Show the form, filled in as far as anything is known."""
    if not applicant().is_deciding:
        return to("offer")
    return _form(DetailsForm.known(applicant().offer))


def keep() -> Response:
    """Keep what was typed and go on to the contract."""
    if not applicant().is_deciding:
        return to("offer")
    form = DetailsForm(request.form)
    return submitted(
        form,
        act=lambda session: state_details(
            session, clock(), link_id=applicant().offer.id, details=form.stated
        ),
        then=lambda _none: to("contract"),
        again=lambda: _form(form),
    )


def _form(form: DetailsForm) -> Response:
    here = url_for("reservation_links.details")
    return shown("details", form=form, offer=applicant().offer, here=here)
