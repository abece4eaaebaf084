"""One check-in link: its address, the guests of its stay, sending, renewing and revoking it."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Final

from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.rules.enumerations import RegisterField
from pms.stays.mail_check_in_link import mail_check_in_link as mail_check_in_link_verb
from pms.stays.register import guests_of
from pms.stays.renew_check_in_link import renew_check_in_link as renew_check_in_link_verb
from pms.stays.revoke_check_in_link import revoke_check_in_link as revoke_check_in_link_verb
from pms.stays.stay_links import StayLink, stay_link
from pms.stays.stay_terms import stay_terms
from pms.surfaces.dashboard.check_in_links.one_form import MailForm
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.enumeration_words import word
from pms.surfaces.hypermedia import go, page
from pms.surfaces.signed_in import doorway

_ONE: Final = "dashboard/check_in_links/one.html"
_RENEWAL: Final = "dashboard/check_in_links/renewal.html"
_REVOCATION: Final = "dashboard/check_in_links/revocation.html"


@dashboard.get("/check-in-links/<check_in_link_id>", roles=OFFICE)
def check_in_link(check_in_link_id: str) -> Response:
    """Show the link and the register of its stay."""
    link = _link(check_in_link_id)
    return _shown(_ONE, link, MailForm(data={"email": link.email}))


@dashboard.post("/check-in-links/<check_in_link_id>/mail", roles=OFFICE)
def mail_check_in_link(check_in_link_id: str) -> Response:
    """Send the link to the guest."""
    link, form = _link(check_in_link_id), MailForm(request.form)
    return submitted(
        form,
        act=lambda session: mail_check_in_link_verb(
            session,
            clock(),
            actor(),
            link_id=link.id,
            email=form.email.data,
            address=_address(link),
        ),
        then=lambda to: _back(link.id, _("The link goes to %(address)s.", address=to)),
        again=lambda: _shown(_ONE, link, form),
    )


@dashboard.get("/check-in-links/<check_in_link_id>/renewal", roles=OFFICE)
def check_in_link_renewal(check_in_link_id: str) -> Response:
    """Show what a new link does before it is made."""
    return _shown(_RENEWAL, _link(check_in_link_id), Form())


@dashboard.post("/check-in-links/<check_in_link_id>/renewal", roles=OFFICE)
def renew_check_in_link(check_in_link_id: str) -> Response:
    """Make the new link; the old one opens nothing from its next request on."""
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: renew_check_in_link_verb(
            session, clock(), actor(), link_id=check_in_link_id
        ),
        then=lambda _none: _back(check_in_link_id, _("The link is a new one. Send it again.")),
        again=lambda: _shown(_RENEWAL, _link(check_in_link_id), form),
    )


@dashboard.get("/check-in-links/<check_in_link_id>/revocation", roles=OFFICE)
def check_in_link_revocation(check_in_link_id: str) -> Response:
    """Show what revoking does before it is done."""
    return _shown(_REVOCATION, _link(check_in_link_id), Form())


@dashboard.post("/check-in-links/<check_in_link_id>/revocation", roles=OFFICE)
def revoke_check_in_link(check_in_link_id: str) -> Response:
    """Take the link back."""
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: revoke_check_in_link_verb(
            session, clock(), actor(), link_id=check_in_link_id
        ),
        then=lambda _none: _back(check_in_link_id, _("The link is revoked.")),
        again=lambda: _shown(_REVOCATION, _link(check_in_link_id), form),
    )


def _link(check_in_link_id: str) -> StayLink:
    return stay_link(reading(), check_in_link_id, today())


def _address(link: StayLink) -> str:
    token = link.token(doorway().sealer)
    return str(current_app.config["BASE_URL"] + url_for("guest_checkin.stay", token=token))


def _back(check_in_link_id: str, said: str) -> Response:
    return go(url_for("dashboard.check_in_link", check_in_link_id=check_in_link_id), said=said)


def _shown(template: str, link: StayLink, form: Form) -> Response:
    terms = stay_terms(reading())
    return page(
        template,
        link=link,
        form=form,
        terms=terms,
        words={one.value: word(one) for one in RegisterField},
        guests=guests_of(reading(), link.id, terms),
        address=_address(link),
        released_at=terms.released_at(link.check_in_on),
    )
