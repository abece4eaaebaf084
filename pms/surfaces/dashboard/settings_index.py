"""The settings by subject: a page of all of them, and a second row for each group."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from flask import Response
from flask_babel import LazyString, lazy_gettext, lazy_pgettext

from pms.surfaces.dashboard import menu
from pms.surfaces.dashboard.gate import OFFICE, dashboard, may
from pms.surfaces.dashboard.menu import Item
from pms.surfaces.dashboard.menu_areas import AREAS
from pms.surfaces.hypermedia import page


class Setting(NamedTuple):
    """A page of the settings and what it holds; `text` names a page of another area."""

    endpoint: str
    holds: LazyString
    text: LazyString | None = None


class SettingsGroup(NamedTuple):
    """The pages of the settings on one subject."""

    text: LazyString
    settings: tuple[Setting, ...]


_INDEX: Final = "all_settings"
_AREA: Final = next(area for area in AREAS if area.name == "settings")
_TEXTS: Final = {entry.endpoint: entry.text for entry in _AREA.entries}
GROUPS: Final = (
    SettingsGroup(
        lazy_gettext("Company"),
        (
            Setting(
                "settings",
                lazy_gettext(
                    "Set the name, address, language, colour and T-number that your documents show."
                ),
            ),
            Setting(
                "settings_logo", lazy_gettext("Add the logo that pages, emails and documents show.")
            ),
            Setting(
                "office_bank_settings",
                lazy_gettext(
                    "Enter the account that residents pay into, and the codes for bank files."
                ),
            ),
            Setting("set_up", lazy_gettext("See which steps are still open before you go live.")),
        ),
    ),
    SettingsGroup(
        lazy_gettext("Money"),
        (
            Setting(
                "fees",
                lazy_gettext(
                    "Define the fees you charge, with their amount or percentage and tax."
                ),
            ),
            Setting(
                "tax_classes",
                lazy_gettext("See which class of consumption tax each item has, and why."),
            ),
            Setting(
                "show_collection_terms",
                lazy_gettext(
                    "Choose the payment methods residents can use, and when a failed payment is tried again."
                ),
                lazy_gettext("Payment methods offered"),
            ),
            Setting(
                "accounts",
                lazy_gettext("Match journals to the account names in your accounting software."),
                lazy_gettext("Accounts for journals"),
            ),
        ),
    ),
    SettingsGroup(
        lazy_gettext("Contracts and notices"),
        (
            Setting(
                "policy",
                lazy_gettext(
                    "Set the billing day, notice periods, early-departure cap and days between residents."
                ),
            ),
            Setting(
                "restoration_prices",
                lazy_gettext(
                    "Set the useful lives and unit prices that deposit settlements deduct by."
                ),
            ),
            Setting(
                "contract_templates",
                lazy_gettext("Write the contracts and explanations that you send for signature."),
            ),
            Setting(
                "stay_terms",
                lazy_gettext(
                    "Set check-in times, the guest register and house rules for short stays."
                ),
            ),
        ),
    ),
    SettingsGroup(
        lazy_gettext("Website and messages"),
        (
            Setting(
                "website",
                lazy_gettext("Edit the texts, contact details and address of your website."),
                lazy_gettext("Website texts"),
            ),
            Setting("reply_templates", lazy_gettext("Save answers that you send often.")),
            Setting(
                "assistant_settings",
                lazy_gettext("Set how the website's assistant answers, and its limits."),
                lazy_gettext("Assistant settings"),
            ),
            Setting(
                "integrations",
                lazy_gettext("Connect payment, signature, messaging and booking services."),
            ),
            Setting("keys", lazy_gettext("Give your website and programs access to the API.")),
        ),
    ),
    SettingsGroup(
        lazy_pgettext("work", "Work"),
        (Setting("checklists", lazy_gettext("List what to check off in each kind of work.")),),
    ),
    SettingsGroup(
        lazy_gettext("People and access"),
        (
            Setting("people", lazy_gettext("Invite people and choose what they can access.")),
            Setting(
                "sign_in_rules",
                lazy_gettext(
                    "Set two-step sign-in, automatic sign-out and how long the history is kept."
                ),
            ),
            Setting(
                "people_sign_ins", lazy_gettext("See who signed in, when and on which device.")
            ),
            Setting("audit", lazy_gettext("See who changed what and when.")),
        ),
    ),
    SettingsGroup(
        lazy_gettext("Data"),
        (
            Setting(
                "takeover",
                lazy_gettext("Import existing tenancies with their balances from a rent roll."),
            ),
            Setting("import", lazy_gettext("Import buildings, units and people from a sheet.")),
            Setting("export", lazy_gettext("Download all data as files.")),
            Setting(
                "one_person",
                lazy_gettext("Download or delete everything about one person."),
            ),
            Setting(
                "personal_data_terms",
                lazy_gettext("Set what personal data is used for, and how long it is kept."),
            ),
            Setting(
                "runs",
                lazy_gettext("Follow the progress and results of billing, imports and exports."),
            ),
        ),
    ),
)


class SettingsLine(NamedTuple):
    """A page of the settings as it is listed."""

    href: str
    text: str
    holds: str


@dashboard.get("/settings/all", roles=OFFICE, endpoint=_INDEX)
def show_all_settings() -> Response:
    """Show the pages of every group that this person may open, with what each holds."""
    groups = [
        (
            str(group.text),
            [
                SettingsLine(
                    menu.page_address(setting.endpoint),
                    str(setting.text or _TEXTS[setting.endpoint]),
                    str(setting.holds),
                )
                for setting in group.settings
                if may(setting.endpoint)
            ],
        )
        for group in GROUPS
    ]
    return page("dashboard/settings/all.html", groups=[group for group in groups if group[1]])


def second_row() -> Sequence[Item]:
    """Return the pages of the same group; all settings would be too many for one row."""
    endpoint = menu.page_endpoint()
    if endpoint not in _TEXTS:
        return menu.second_row()
    group = next((group for group in GROUPS if endpoint in _list_endpoints(group)), None)
    if group is None:
        return ()
    return [
        Item(menu.page_address(listed), str(_TEXTS[listed]), listed == endpoint)
        for listed in (_INDEX, *_list_endpoints(group))
        if listed in _TEXTS and may(listed)
    ]


def _list_endpoints(group: SettingsGroup) -> list[str]:
    return [setting.endpoint for setting in group.settings]
