"""The owner's home, one of their buildings, and their profile."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, lazy_pgettext
from flask_wtf import FlaskForm

from pms.availability import occupancy
from pms.availability.occupancy import OccupancyMonth, occupancy_of_buildings
from pms.availability.units import unit_labels
from pms.catalogue import owners
from pms.catalogue.owners import OwnedBuilding, choose_owner_language, language_of_owners
from pms.rules.days import add_months, month_first
from pms.rules.enumerations import Locale
from pms.statements import owner_statements
from pms.statements.owner_statements import OwnersStatement
from pms.surfaces.fields import ChoiceField, Required
from pms.surfaces.forms import asked_paging, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.portals.auth import own_sign_ins, sign_out_elsewhere
from pms.surfaces.portals.gate import MenuEntry, MenuItem, menu_items
from pms.surfaces.portals.owner import own
from pms.surfaces.portals.owner.own import blueprint
from pms.surfaces.portals.portal import reading
from pms.surfaces.request_scope import today
from pms.upkeep import boards

_PROJECTS_A_PAGE: Final = 8


@blueprint.get("/buildings/<building_id>", endpoint="building")
def show_building(building_id: str) -> Response:
    """Show one of the owner's buildings."""
    building = own.building(building_id)
    units = owners.owned_units(reading(), building.id)
    labels = unit_labels(reading(), [unit.id for unit in units], today())
    paging = asked_paging(_PROJECTS_A_PAGE)
    projects, total = boards.projects_with_cost(reading(), building.id, paging)
    return page(
        "portals/owner/building.html",
        building=building,
        units=[(unit, labels[unit.id]) for unit in units],
        occupancy=occupancy.occupancy_of_buildings(reading(), [building.id], today())[building.id],
        projects=projects,
        paging=paging,
        total=total,
    )


# An entry is named by its endpoint, and shown only if the portal has that endpoint.
MENU_ENTRIES: Final = (
    MenuEntry("home", lazy_pgettext("portal", "Home"), "owner"),
    MenuEntry("statements", lazy_pgettext("portal", "Statements"), "statement"),
    MenuEntry("profile", lazy_pgettext("portal", "My page"), "person"),
)


def menu() -> tuple[MenuItem, ...]:
    """Return the entries of the navigation bar."""
    return menu_items(MENU_ENTRIES)


_MONTHS: Final = 12
_NEWEST_WITHIN: Final = 36


class BuildingCard(NamedTuple):
    """The summary of one building."""

    building: OwnedBuilding
    newest: OwnersStatement | None
    occupancy: Sequence[OccupancyMonth]
    open_projects: int


@blueprint.get("/", endpoint="home")
def show_home() -> Response:
    """Show a summary of the owner's buildings."""
    ids = [building.id for building in own.buildings()]
    through_on = month_first(today())
    from_on = add_months(through_on, -_NEWEST_WITHIN)
    newest = owner_statements.latest_statements(reading(), own.buildings(), from_on, through_on)
    occupancy = occupancy_of_buildings(reading(), ids, today(), _MONTHS)
    work = boards.open_work_of_buildings(reading(), ids)
    cards = [
        BuildingCard(
            building, newest.get(building.id), occupancy[building.id], work.get(building.id, 0)
        )
        for building in own.buildings()
    ]
    return page("portals/owner/home.html", cards=cards, today=today())


class LanguageForm(FlaskForm):
    """The language for mails and documents to the owner."""

    locale = ChoiceField(lazy_gettext("Language of emails and documents"), [Required()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.locale.choices = choices(Locale)


@blueprint.get("/profile", endpoint="profile")
def show() -> Response:
    """Show the page."""
    return _render_profile(
        LanguageForm(formdata=None, data={"locale": language_of_owners(reading(), own.owner_ids())})
    )


@blueprint.post("/profile", endpoint="change_profile")
def change() -> Response:
    """Save the language."""
    form = LanguageForm()
    return submitted(
        form,
        act=lambda work: choose_owner_language(
            work, owner_ids=own.owner_ids(), locale=Locale(form.locale.data)
        ),
        # The chosen language is also used for reading on in this browser.
        then=lambda _none: go(url_for(".profile", lang=form.locale.data), message=_("Saved.")),
        again=lambda: _render_profile(form),
    )


@blueprint.post("/profile/sessions", endpoint="end_other_sessions")
def end_others() -> Response:
    """End every other session of this address."""
    return go(url_for(".profile"), message=sign_out_elsewhere())


def _render_profile(form: LanguageForm) -> Response:
    return page("portals/owner/profile.html", form=form, **own_sign_ins())
