"""Inviting people to a workspace, and taking invitations back."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.access.invite_member import invite_member as invite_member_verb
from pms.access.revoke_invitation import revoke_invitation as revoke_invitation_verb
from pms.surfaces.dashboard.desk import actor, clock, desk, submitted
from pms.surfaces.dashboard.people.members import people as index
from pms.surfaces.dashboard.people.role_form import REACHES, InvitationForm
from pms.surfaces.hypermedia import go, page
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.signed_in import doorway


@dashboard.get("/people/new", roles=OPERATOR)
def new_member() -> Response:
    """Show the form of an invitation."""
    return _form(InvitationForm())


@dashboard.post("/people", roles=OPERATOR)
def invite_member() -> Response:
    """Have an invitation mailed."""
    form = InvitationForm(request.form)
    return submitted(
        form,
        act=lambda session: (
            invite_member_verb(
                session,
                clock(),
                actor(),
                email=form.email.data or "",
                role=form.chosen,
                inviter=desk().name,
                locale=chosen_language(),
                sealer=doorway().sealer,
                link=_link,
            ).email
        ),
        then=lambda email: go(
            url_for("dashboard.people"),
            said=_("An invitation is on its way to %(email)s.", email=email),
        ),
        again=lambda: _form(form),
    )


@dashboard.post("/people/invitations/<invitation_id>/revocation", roles=OPERATOR)
def revoke_invitation(invitation_id: str) -> Response:
    """Take an invitation back."""
    return submitted(
        Form(),
        act=lambda session: revoke_invitation_verb(session, clock(), actor(), invitation_id).email,
        then=lambda email: go(
            url_for("dashboard.people"),
            said=_("The invitation of %(email)s opens nothing any more.", email=email),
        ),
        again=index,
    )


def _link(token: str) -> str:
    return f"{current_app.config['BASE_URL']}{url_for('doors.invitation', token=token)}"


def _form(form: InvitationForm) -> Response:
    return page("dashboard/people/new.html", form=form, reaches=REACHES)
