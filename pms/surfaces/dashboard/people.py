"""The members of a workspace: their roles, invitations, changes of role and removal."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask import Flask, Response, current_app, request, url_for
from flask_babel import LazyString, lazy_gettext, lazy_pgettext
from flask_babel import gettext as _
from flask_wtf import FlaskForm
from wtforms import Form

from pms.access import invitations, members, sign_in_events
from pms.access.sign_in_events import EventPage, ShownSignIn, SignInAccount
from pms.foundation.lists import Paging
from pms.foundation.work import Work
from pms.rules.addresses import folded_address
from pms.rules.enumerations import SignInEventKind, StaffRole, UserKind
from pms.surfaces.dashboard.gate import OPERATOR, actor, current_member, dashboard, may, reading
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    EmailField,
    ManyField,
    Optional,
    PickField,
    Required,
)
from pms.surfaces.forms import QueryForm, asked_paging, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import auth_context

REACHES: Final[Mapping[StaffRole, LazyString]] = {
    StaffRole.OPERATOR: lazy_gettext(
        "Everything: daily work, money, fees, API keys, team and settings."
    ),
    StaffRole.OFFICE: lazy_gettext(
        "All daily work and billing. No access to API keys, fees, team or settings."
    ),
    StaffRole.HOUSEKEEPING: lazy_gettext(
        "Own and unassigned tasks, rooms and buildings, and entrance codes on the day of a "
        "task. No money, contracts or contact details of residents."
    ),
    StaffRole.MAINTENANCE: lazy_gettext(
        "As housekeeping, plus reports, projects and purchases. No rent, deposits or ledgers."
    ),
}


_ALL: Final = "all"
_SOME: Final = "some"


class InvitedAddressForm(FlaskForm):
    """The address to invite; fields are listed in the order in which they are declared."""

    email = EmailField(lazy_gettext("Email address"), [Required()])


class RoleForm(FlaskForm):
    """A role, with what each role may open, and the buildings it is for."""

    role = PickField(lazy_gettext("Role"), [Required()])
    reach = PickField(lazy_gettext("Works for"), [Required()])
    buildingIds = ManyField(lazy_gettext("Buildings"))

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        # Translated per request, because the labels depend on the reader's language.
        self.role.choices = choices(StaffRole)
        self.reach.choices = [
            (_ALL, lazy_gettext("All buildings")),
            (_SOME, lazy_gettext("Only the buildings chosen below")),
        ]
        self.buildingIds.choices = building_choices()

    @property
    def building_ids(self) -> Sequence[str] | None:
        """Return the buildings of a valid form; `None` for all."""
        return (self.buildingIds.data or ()) if self.reach.data == _SOME else None

    @property
    def chosen_role(self) -> StaffRole:
        """Return the role of a valid form."""
        return StaffRole(self.role.data)


class InvitationForm(InvitedAddressForm, RoleForm):
    """The address to invite, and the role."""


@dashboard.get("/people", roles=OPERATOR, is_secret=True)
def people() -> Response:
    """Show the members and the open invitations."""
    return page(
        "dashboard/people/index.html",
        members=members.members(reading()),
        invitations=invitations.open_invitations(reading(), clock()),
        building_names=dict(building_choices()),
        reaches=REACHES,
    )


@dashboard.get("/people/<member_id>/role", roles=OPERATOR)
def member_role(member_id: str) -> Response:
    """Show the form for a member's role."""
    member = members.member_of(reading(), member_id)
    known = {
        "role": member.role.value,
        "reach": _ALL if member.building_ids is None else _SOME,
        "buildingIds": member.building_ids,
    }
    return _role_page(member_id, RoleForm(data=known))


@dashboard.post("/people/<member_id>/role", roles=OPERATOR)
def change_role(member_id: str) -> Response:
    """Change a member's role and buildings."""
    form = RoleForm()

    def act(work: Work) -> StaffRole:
        members.change_role(work, member_id, form.chosen_role)
        return members.bind_member(work, member_id, form.building_ids).role

    return submitted(
        form,
        act=act,
        then=lambda role: _go_to_people(_("Saved. Role: %(role)s.", role=label_of(role))),
        again=lambda: _role_page(member_id, form),
    )


@dashboard.get("/people/<member_id>/removal", roles=OPERATOR)
def confirm_removal(member_id: str) -> Response:
    """Show what a removal does before it is done."""
    return _removal_page(member_id, FlaskForm())


@dashboard.post("/people/<member_id>/removal", roles=OPERATOR)
def remove_member(member_id: str) -> Response:
    """Remove a member from the workspace."""
    name = members.member_of(reading(), member_id).name
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: members.remove_member(work, member_id),
        then=lambda __: _go_to_people(_("%(name)s has been removed from the team.", name=name)),
        again=lambda: _removal_page(member_id, form),
    )


def _go_to_people(text: str) -> Response:
    # Members who changed or removed themselves may no longer be allowed to see this list.
    own = actor().removeprefix("person/")
    is_own_event = not any(
        member.person_id == own and member.role.value == "operator"
        for member in members.members(reading())
    )
    return go(url_for("auth.workspaces") if is_own_event else url_for("dashboard.people"), text)


def _role_page(member_id: str, form: RoleForm) -> Response:
    member = members.member_of(reading(), member_id)
    return page("dashboard/people/role.html", member=member, form=form, reaches=REACHES)


def _removal_page(member_id: str, form: Form) -> Response:
    return page(
        "dashboard/people/removal.html",
        member=members.member_of(reading(), member_id),
        form=form,
    )


@dashboard.get("/people/new", roles=OPERATOR)
def new_member() -> Response:
    """Show the form for an invitation."""
    return _render_invitation(InvitationForm(data={"reach": _ALL}))


@dashboard.post("/people", roles=OPERATOR)
def invite_member() -> Response:
    """Mail an invitation."""
    form = InvitationForm()
    return submitted(
        form,
        act=lambda work: (
            invitations.invite_member(
                work,
                email=form.email.data or "",
                role=form.chosen_role,
                building_ids=form.building_ids,
                inviter=current_member().name,
                locale=chosen_language(),
                signer=auth_context().signer,
                link=_build_invitation_link,
            ).email
        ),
        then=lambda email: go(
            url_for("dashboard.people"),
            message=_("An invitation is being sent to %(email)s.", email=email),
        ),
        again=lambda: _render_invitation(form),
    )


@dashboard.post("/people/invitations/<invitation_id>/revocation", roles=OPERATOR)
def revoke_invitation(invitation_id: str) -> Response:
    """Revoke an invitation."""
    return submitted(
        FlaskForm(),
        act=lambda work: invitations.revoke_invitation(work, invitation_id).email,
        then=lambda email: go(
            url_for("dashboard.people"),
            message=_("The invitation to %(email)s has been cancelled.", email=email),
        ),
        again=people,
    )


def _build_invitation_link(token: str) -> str:
    return f"{current_app.config['BASE_URL']}{url_for('auth.invitation', token=token)}"


def _render_invitation(form: InvitationForm) -> Response:
    return page("dashboard/people/new.html", form=form, reaches=REACHES)


class SignInsForm(QueryForm):
    """The filters of the sign-ins: member, kind of event, and days."""

    member = ChoiceField(lazy_gettext("Person"), [Optional()])
    kind = ChoiceField(lazy_pgettext("sign-in", "Event"), [Optional()])
    fromOn = DayField(lazy_gettext("From"), [Optional()])
    throughOn = DayField(lazy_gettext("Through"), [Optional()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        people = [(member.id, member.name) for member in members.members(reading())]
        self.member.choices = [("", lazy_gettext("Everyone")), *people]
        self.kind.choices = [("", lazy_gettext("Everything")), *choices(SignInEventKind)]

    def query(self) -> dict[str, Any]:
        """Return the query of a valid form."""
        return {
            "member_id": self.member.data,
            "kind": SignInEventKind(self.kind.data) if self.kind.data else None,
            "from_on": self.fromOn.data,
            "through_on": self.throughOn.data,
        }


_LATEST: Final = 5


@dashboard.get("/people/sign-ins", roles=OPERATOR, is_secret=True)
def people_sign_ins() -> Response:
    """Show one page of the sign-in events of the members."""
    form = SignInsForm(request.args)
    is_sound, paging = form.validate(), asked_paging()
    found = (
        sign_in_events.staff_events(reading(), clock(), paging, **form.query())
        if is_sound
        else _NONE
    )
    response = page_or_block(
        "dashboard/people/sign_ins.html",
        "results",
        form=form,
        sign_ins=found,
        paging=paging,
        is_filtered=any(field.data for field in form),
    )
    return response if is_sound else mark_unaccepted(response)


def install(app: Flask) -> None:
    """Register `portal_sign_ins`, the latest sign-ins of an address at a portal, for templates."""
    app.jinja_env.globals["portal_sign_ins"] = _portal_sign_ins


def _portal_sign_ins(user_kind: str, email: str | None) -> list[ShownSignIn]:
    if not email or not may("people_sign_ins"):
        return []
    account = SignInAccount(
        UserKind(user_kind), current_member().workspace_id, folded_address(email)
    )
    return list(sign_in_events.portal_events(reading(), account, Paging(1, _LATEST)).events)


_NONE: Final = EventPage((), 0)
