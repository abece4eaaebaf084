"""Links by which an outside contractor works on one project: making, showing, revoking."""

from collections.abc import Sequence
from contextlib import nullcontext
from datetime import date, timedelta
from typing import Any, Final, NamedTuple, Self, TypedDict

from flask import Flask, Response, current_app, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.catalogue import handbook
from pms.rules.enumerations import Locale
from pms.rules.handbook_copies import CodeSight, ContractorFacts
from pms.surfaces.dashboard.gate import MAINTENANCE, dashboard, reading
from pms.surfaces.fields import (
    DayField,
    Optional,
    PhoneField,
    PickField,
    Required,
    TextField,
    YenField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.request_scope import today
from pms.surfaces.signed_in import auth_context
from pms.upkeep import project_lists, share_links
from pms.upkeep.project_lists import ProjectRecord
from pms.upkeep.share_links import SharedLink


def share_links_of(project_id: str) -> Sequence[SharedLink]:
    """Return the links of a project, the live ones first."""
    return share_links.links_of_project(reading(), project_id, today())


class Exposure(NamedTuple):
    """The handbook pages that a link to a project shows, and how many of them have a code."""

    pages: int
    codes: int


def exposure_of(project: ProjectRecord) -> Exposure:
    """Return what the holder of a link to the project may read and reveal today."""
    reader = ContractorFacts(project.unit_id)
    pages = handbook.handbook_copy(reading(), building_id=project.building_id, reader=reader)
    return Exposure(len(pages), sum(page.code is CodeSight.BY_TAP for page in pages))


_USUAL_DAYS: Final = timedelta(days=30)


class Shared(TypedDict):
    """The facts of a valid form as the use case takes them."""

    contractor_name: str | None
    contractor_phone: str | None
    locale: str
    hourly_yen: int | None
    expires_on: date | None


class ShareForm(FlaskForm):
    """The contractor who works through the link, its last day, and the price of an hour."""

    contractorName = TextField(lazy_gettext("Contractor"), [Required()])
    contractorPhone = PhoneField(lazy_gettext("Phone of the contractor"), [Optional()])
    locale = PickField(lazy_gettext("Language of the page"), [Required()], default=Locale.JA.value)
    expiresOn = DayField(lazy_gettext("Valid until"), [Optional()])
    hourlyYen = YenField(lazy_gettext("Hourly rate (yen)"), [Optional()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.locale.choices = choices(Locale)

    @classmethod
    def empty(cls, today: date) -> Self:
        """Return the form of a first link, which expires by default."""
        return cls(
            formdata=None, data={"expiresOn": today + _USUAL_DAYS, "locale": Locale.JA.value}
        )

    @classmethod
    def again(cls, link: SharedLink, today: date) -> Self:
        """Return the form of a link that replaces another."""
        return cls(
            formdata=None,
            data={
                "contractorName": link.contractor_name,
                "contractorPhone": link.contractor_phone,
                "locale": link.locale,
                "hourlyYen": link.hourly_yen,
                "expiresOn": today + _USUAL_DAYS,
            },
        )

    @property
    def shared_facts(self) -> Shared:
        """The typed facts as the use case takes them."""
        return Shared(
            contractor_name=self.contractorName.data,
            contractor_phone=self.contractorPhone.data,
            locale=self.locale.data or Locale.JA.value,
            hourly_yen=self.hourlyYen.data,
            expires_on=self.expiresOn.data,
        )


_CREATED: Final = 201


@dashboard.get("/projects/<project_id>/share-links/new", roles=MAINTENANCE, is_secret=True)
def new_share_link(project_id: str) -> Response:
    """Show the form, filled in if the link replaces another."""
    former = request.args.get("of", "")
    if former:
        link = share_links.share_link_record(reading(), former, today())
        return _render_new_link(project_id, ShareForm.again(link, today()))
    return _render_new_link(project_id, ShareForm.empty(today()))


@dashboard.post("/projects/<project_id>/share-links/new", roles=MAINTENANCE)
def share_project(project_id: str) -> Response:
    """Make the link."""
    form = ShareForm()
    return submitted(
        form,
        act=lambda work: share_links.share_project(
            work, project_id=project_id, signer=auth_context().signer, **form.shared_facts
        ),
        then=lambda token: _render_created_link(project_id, token),
        again=lambda: _render_new_link(project_id, form),
    )


def _render_new_link(project_id: str, form: ShareForm) -> Response:
    project = project_lists.project_record(reading(), project_id)
    return page(
        "dashboard/share_links/new.html",
        form=form,
        project=project,
        exposure=exposure_of(project),
        today=today(),
    )


def _render_created_link(project_id: str, token: str) -> Response:
    named = share_links.named_link(lambda: nullcontext(reading()), auth_context().signer, token)
    link = share_links.share_link_record(reading(), named.link_id if named else "", today())
    response = page(
        "dashboard/share_links/once.html",
        link=link,
        project=project_lists.project_record(reading(), project_id),
        address=current_app.config["BASE_URL"] + url_for("contractor_links.project", token=token),
    )
    response.status_code = _CREATED
    return response


@dashboard.get("/share-links/<share_link_id>", roles=MAINTENANCE, is_secret=True)
def share_link(share_link_id: str) -> Response:
    """Show the link; its secret address cannot be shown again."""
    return _render_share_link("dashboard/share_links/link.html", share_link_id, FlaskForm())


@dashboard.get("/share-links/<share_link_id>/revocation", roles=MAINTENANCE)
def share_link_revocation(share_link_id: str) -> Response:
    """Show what revoking the link means before it is done."""
    return _render_share_link("dashboard/share_links/revocation.html", share_link_id, FlaskForm())


@dashboard.post("/share-links/<share_link_id>/revocation", roles=MAINTENANCE)
def revoke_share_link(share_link_id: str) -> Response:
    """Revoke the link; its next request is refused."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: share_links.revoke_share_link(work, share_link_id=share_link_id),
        then=lambda _project_id: go(
            url_for("dashboard.share_link", share_link_id=share_link_id),
            message=_("Link revoked."),
        ),
        again=lambda: _render_share_link(
            "dashboard/share_links/revocation.html", share_link_id, form
        ),
    )


def _render_share_link(template: str, share_link_id: str, form: Form) -> Response:
    link = share_links.share_link_record(reading(), share_link_id, today())
    project = project_lists.project_record(reading(), link.project_id)
    return page(template, form=form, link=link, project=project, exposure=exposure_of(project))


def install(app: Flask) -> None:
    """Register `share_links_of(project_id)` for templates."""
    app.jinja_env.globals["share_links_of"] = share_links_of
