"""The members of a workspace: the list, their roles, their removal."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.access.change_role import change_role as change_role_verb
from pms.access.open_invitations import open_invitations
from pms.access.remove_member import remove_member as remove_member_verb
from pms.access.staff import member_of, members
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.people.role_form import REACHES, RoleForm
from pms.surfaces.enumeration_words import word
from pms.surfaces.hypermedia import go, page


@dashboard.get("/people", roles=OPERATOR)
def people() -> Response:
    """Show who works here, and who was asked to."""
    return page(
        "dashboard/people/index.html",
        members=members(reading()),
        invitations=open_invitations(reading(), clock()),
        reaches=REACHES,
    )


@dashboard.get("/people/<member_id>/role", roles=OPERATOR)
def member_role(member_id: str) -> Response:
    """Show the form of a member's role."""
    member = member_of(reading(), member_id)
    return _role_page(member_id, RoleForm(data={"role": member.role.value}))


@dashboard.post("/people/<member_id>/role", roles=OPERATOR)
def change_role(member_id: str) -> Response:
    """Give a member another role."""
    form = RoleForm(request.form)
    return submitted(
        form,
        act=lambda session: change_role_verb(session, clock(), actor(), member_id, form.chosen).role,
        then=lambda role: _done(_("The role is now: %(role)s.", role=word(role))),
        again=lambda: _role_page(member_id, form),
    )


@dashboard.get("/people/<member_id>/removal", roles=OPERATOR)
def confirm_removal(member_id: str) -> Response:
    """Show what a removal does before it is done."""
    return _removal_page(member_id, Form())


@dashboard.post("/people/<member_id>/removal", roles=OPERATOR)
def remove_member(member_id: str) -> Response:
    """Take a member's place away."""
    name = member_of(reading(), member_id).name
    form = Form()
    return submitted(
        form,
        act=lambda session: remove_member_verb(session, clock(), actor(), member_id),
        then=lambda __: _done(_("%(name)s no longer works here.", name=name)),
        again=lambda: _removal_page(member_id, form),
    )


def _done(said: str) -> Response:
    # Whoever changed themselves may not see this list any more.
    return go(url_for("doors.workspaces") if _is_own_deed() else url_for("dashboard.people"), said)


def _is_own_deed() -> bool:
    own = actor().removeprefix("person/")
    return not any(
        member.person_id == own and member.role.value == "operator" for member in members(reading())
    )


def _role_page(member_id: str, form: RoleForm) -> Response:
    member = member_of(reading(), member_id)
    return page("dashboard/people/role.html", member=member, form=form, reaches=REACHES)


def _removal_page(member_id: str, form: Form) -> Response:
    return page("dashboard/people/removal.html", member=member_of(reading(), member_id), form=form)
