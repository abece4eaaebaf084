"""The settings by subject: a page of all of them, and a second row for each group."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import LazyString, lazy_gettext

from pms.surfaces.dashboard import menu
from pms.surfaces.dashboard.gate import OFFICE, dashboard, may
from pms.surfaces.dashboard.menu import Item
from pms.surfaces.dashboard.menu_areas import AREAS
from pms.surfaces.hypermedia import page


class Group(NamedTuple):
    """The pages of the settings on one subject, by their endpoints."""

    text: LazyString
    endpoints: tuple[str, ...]


_INDEX: Final = "all_settings"
GROUPS: Final = (
    Group(
        lazy_gettext("Workspace and charges"),
        ("settings", "policy", "stay_terms", "fees", "set_up"),
    ),
    Group(
        lazy_gettext("Templates"),
        ("contract_templates", "reply_templates", "checklists"),
    ),
    Group(
        lazy_gettext("Team and sign-in"),
        ("people", "sign_in_rules", "people_sign_ins", "audit"),
    ),
    Group(
        lazy_gettext("Data and integrations"),
        ("takeover", "import", "integrations", "keys", "runs"),
    ),
)


@dashboard.get("/settings/all", roles=OFFICE, endpoint=_INDEX)
def show_all_settings() -> Response:
    """Show the pages of every group that this person may open."""
    groups = [(str(group.text), _items(group.endpoints)) for group in GROUPS]
    return page("dashboard/settings/all.html", groups=[group for group in groups if group[1]])


def second_row() -> Sequence[Item]:
    """Return the pages of the same group; all settings would be too many for one row."""
    endpoint = menu.whole_of((request.endpoint or "").rpartition(".")[2])
    group = next((known for known in GROUPS if endpoint in known.endpoints), None)
    if endpoint == _INDEX:
        return ()
    return menu.second_row() if group is None else _items((_INDEX, *group.endpoints), endpoint)


def _items(endpoints: Sequence[str], current: str = "") -> Sequence[Item]:
    texts = {entry.endpoint: entry.text for area in AREAS for entry in area.entries}
    return [
        Item(url_for(f"dashboard.{listed}"), str(texts[listed]), listed == current)
        for listed in endpoints
        if may(listed)
    ]
