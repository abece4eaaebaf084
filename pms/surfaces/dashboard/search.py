"""The command palette and the search page: pages, actions and records by a few words."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import LazyString, force_locale, lazy_gettext

from pms.contracts.queries import contracts_of_people
from pms.enquiries import enquiry_lists
from pms.rules.name_sounds import reading_typed_so_far, without_long_vowels
from pms.rules.search_text import fold, terms
from pms.rules.yen import read_sought_yen
from pms.statements import bill_lists, workspace_search
from pms.statements.workspace_search import FoundPerson, SearchResults
from pms.surfaces.dashboard.gate import EVERYBODY, current_member, dashboard, may, reading
from pms.surfaces.dashboard.menu_areas import AREAS, MenuPage
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today

_LANGUAGES: Final = ("ja", "en")
_MOST: Final = 6


class PaletteLine(NamedTuple):
    """One line of the palette: its text, its address, and where it belongs."""

    text: str
    href: str
    note: str = ""


ACTS: Final = (
    MenuPage(
        "new_reservation", lazy_gettext("New reservation"), lazy_gettext("add reservation, book")
    ),
    MenuPage("new_enquiry", lazy_gettext("Add enquiry"), lazy_gettext("record an enquiry")),
    MenuPage("new_viewing", lazy_gettext("Book a viewing"), lazy_gettext("add viewing, showing")),
    MenuPage(
        "new_reservation_link", lazy_gettext("Make an offer"), lazy_gettext("offer link, send")
    ),
    MenuPage("new_task", lazy_gettext("Add task"), lazy_gettext("new work, cleaning")),
    MenuPage(
        "report_problem", lazy_gettext("Report a problem"), lazy_gettext("new report, defect")
    ),
    MenuPage("new_project", lazy_gettext("Create project"), lazy_gettext("new repair")),
    MenuPage("new_visit", lazy_gettext("Plan a visit"), lazy_gettext("new trip")),
    MenuPage("billing", lazy_gettext("Bill a month"), lazy_gettext("start billing run, issue")),
    MenuPage(
        "bank_day", lazy_gettext("Read bank statement"), lazy_gettext("place transfers, upload")
    ),
    MenuPage("arrears", lazy_gettext("Send reminders"), lazy_gettext("send reminders, dun")),
    MenuPage(
        "charges",
        lazy_gettext("Bulk charge"),
        lazy_gettext("one charge for many, charge all residents"),
    ),
    MenuPage(
        "new_check_in_link", lazy_gettext("New check-in link"), lazy_gettext("guest, short stay")
    ),
    MenuPage("new_building", lazy_gettext("Add building"), lazy_gettext("new house")),
    MenuPage("new_owner", lazy_gettext("Add owner"), lazy_gettext("new landlord")),
    MenuPage("new_member", lazy_gettext("Invite a person"), lazy_gettext("add staff, colleague")),
    MenuPage("new_key", lazy_gettext("New API key"), lazy_gettext("add key")),
)
"""The actions that can start anywhere: the page, its name, and further words for it."""
PAGES_APART: Final = (
    MenuPage("bank_account_list", lazy_gettext("Bank accounts"), lazy_gettext("accounts, bank")),
    MenuPage("debit_list", lazy_gettext("Collections"), lazy_gettext("direct debit, bank files")),
    MenuPage("new_debits", lazy_gettext("Preview a file"), lazy_gettext("direct debit, new file")),
    MenuPage(
        "mandate_list", lazy_gettext("Mandates"), lazy_gettext("direct debit, accounts of payers")
    ),
    MenuPage(
        "collection_list", lazy_gettext("Cards and stores"), lazy_gettext("credit card, konbini")
    ),
    MenuPage(
        "payment_choice_list",
        lazy_gettext("Residents paying by card or store"),
        lazy_gettext("credit card, konbini, consent"),
    ),
    MenuPage(
        "show_collection_terms",
        lazy_gettext("Payment methods offered"),
        lazy_gettext("credit card, konbini, terms"),
    ),
    MenuPage(
        "payout_list", lazy_gettext("Payouts"), lazy_gettext("owners, refunds, transfers out")
    ),
    MenuPage("many_charges", lazy_gettext("Bulk charge"), lazy_gettext("one charge for many")),
    MenuPage(
        "accounts", lazy_gettext("Accounts"), lazy_gettext("accountant, chart of accounts, tax")
    ),
    MenuPage("mailbox", lazy_gettext("Mailbox"), lazy_gettext("IMAP, replies by email")),
    MenuPage(
        "differing_invoices",
        lazy_gettext("Invoices that would differ"),
        lazy_gettext("consumption tax, classes, issued invoices"),
    ),
    MenuPage("new_fee", lazy_gettext("Add fee"), lazy_gettext("fee catalogue, charges")),
    MenuPage(
        "fee_preset", lazy_gettext("Fee presets"), lazy_gettext("usual, common, fee catalogue")
    ),
    MenuPage(
        "new_contract_template",
        lazy_gettext("New template"),
        lazy_gettext("contract forms, clauses"),
    ),
    MenuPage(
        "new_reply_template", lazy_gettext("New reply template"), lazy_gettext("answers, texts")
    ),
    MenuPage("task_list", lazy_gettext("Task list"), lazy_gettext("tasks, work")),
    MenuPage("guest_register", lazy_gettext("Guest register"), lazy_gettext("guests, short stays")),
    MenuPage(
        "website", lazy_gettext("Website texts"), lazy_gettext("content, texts of the website")
    ),
    MenuPage(
        "assistant_settings", lazy_gettext("Assistant settings"), lazy_gettext("chat, AI, answers")
    ),
    MenuPage("me", lazy_gettext("My account"), lazy_gettext("me, language, where I am signed in")),
    MenuPage("password", lazy_gettext("Change the password"), lazy_gettext("me, sign-in")),
    MenuPage("own_factor", lazy_gettext("Two-step sign-in"), lazy_gettext("second factor, app")),
)
"""Pages that hang on a page of the menu, and have no place in it."""
PERSONAL_ACTS: Final = (
    MenuPage("new_payment", lazy_gettext("Record payment"), lazy_gettext("paid, received money")),
    MenuPage("reservation_departure", lazy_gettext("File notice"), lazy_gettext("move-out, leave")),
    MenuPage("new_charge", lazy_gettext("Add charge"), lazy_gettext("extra cost, bill")),
    MenuPage(
        "reservation_contracts", lazy_gettext("Send contract"), lazy_gettext("paper, signature")
    ),
    MenuPage("reservation_amendment", lazy_gettext("Change room"), lazy_gettext("move, amendment")),
    MenuPage(
        "reservation_deposit", lazy_gettext("Settle deposit"), lazy_gettext("refund, deductions")
    ),
)
"""The actions on a person, who is named after them, as in "payment sato"."""


def found_pages(text: str) -> Sequence[PaletteLine]:
    """Return the pages that the words name, in either language, in kana or in romaji."""
    words = terms(text)
    if not words:
        return ()
    found = [
        (entry, str(area.text))
        for area in AREAS
        for entry in area.entries
        if may(entry.endpoint) and all(_has_word(entry, word) for word in words)
    ]
    found += [(entry, "") for entry in PAGES_APART if _is_named(entry, words)]
    return [_build_choice(entry, area) for entry, area in _nearest_first(found, words)][:_MOST]


def found_acts(text: str) -> Sequence[PaletteLine]:
    """Return the actions that the words name; an action on a person asks for a name."""
    words = terms(text)
    if not words:
        return ()
    found = [(entry, "") for entry in ACTS if _is_named(entry, words)]
    personal = [entry for entry in PERSONAL_ACTS if _is_named(entry, words)]
    return [
        *(_build_choice(entry, note) for entry, note in _nearest_first(found, words)),
        *(_build_asking_choice(entry) for entry in personal),
    ][:_MOST]


def split_off_actions(text: str) -> tuple[Sequence[MenuPage], str]:
    """Return the actions on a person that the first words name, and the words after them."""
    words = terms(text)
    for count in range(len(words) - 1, 0, -1):
        acts = [entry for entry in PERSONAL_ACTS if _is_named(entry, words[:count])]
        if acts:
            return acts, " ".join(words[count:])
    return (), ""


def acts_for(
    acts: Iterable[MenuPage], people: Iterable[FoundPerson], language: str
) -> list[PaletteLine]:
    """Return each action for each of the people."""
    everybody = list(people)
    return [
        PaletteLine(
            f"{act.text}: {resident.name}",
            _build_address(act, reservation_id=resident.reservation_id),
            f"{resident.building.in_language(language)} {resident.unit}",
        )
        for act in acts
        for resident in everybody
    ][: 2 * _MOST]


def first_choices() -> Sequence[PaletteLine]:
    """Return the actions that are offered before anything is typed."""
    return [_build_choice(entry, "") for entry in ACTS if may(entry.endpoint)][:_MOST]


def _is_named(entry: MenuPage, words: Sequence[str]) -> bool:
    return may(entry.endpoint) and all(_has_word(entry, word) for word in words)


def _has_word(entry: MenuPage, word: str) -> bool:
    texts = _entry_texts(entry)
    reading = reading_typed_so_far(word)
    # One or two letters make a single kana, which occurs in nearly every text.
    if word in texts or reading is None or len(reading) < 2:
        return word in texts
    return reading in without_long_vowels(texts)


@cache
def _entry_texts(entry: MenuPage) -> str:
    """Return all names of an entry in both languages, folded for comparison."""
    texts = []
    for language in _LANGUAGES:
        with force_locale(language):
            texts += [str(entry.text), str(entry.words)]
    return fold("\n".join(texts))


def _nearest_first(
    found: Iterable[tuple[MenuPage, str]], words: Sequence[str]
) -> Sequence[tuple[MenuPage, str]]:
    """Return the entries with the first word in their name before the others."""
    return sorted(found, key=lambda hit: words[0] not in fold(str(hit[0].text)))


def _build_choice(entry: MenuPage, note: str) -> PaletteLine:
    return PaletteLine(str(entry.text), _build_address(entry), note)


def _build_asking_choice(entry: MenuPage) -> PaletteLine:
    text = str(entry.text)
    note = str(_TYPE_A_NAME)
    return PaletteLine(f"{text}…", url_for("dashboard.search", q=f"{text} "), note)


_TYPE_A_NAME: Final[LazyString] = lazy_gettext("add a name to search")


def _build_address(entry: MenuPage, **values: str) -> str:
    return url_for(f"dashboard.{entry.endpoint}", **values)  # type: ignore[arg-type]


_MOST_CHARACTERS = 100
_MOST_ENQUIRIES = 8
_MOST_OF_AN_AMOUNT = 6


@dashboard.get("/search", roles=EVERYBODY)
def search() -> Response:
    """Show the first results of each kind; `palette` also requests the field, for the drawer."""
    text = request.args.get("q", "")[:_MOST_CHARACTERS]
    is_office = current_member().is_office
    asked = enquiry_lists.find_enquiries(reading(), text, _MOST_ENQUIRIES) if is_office else ()
    yen = read_sought_yen(text) if is_office else None
    acts, name = split_off_actions(text)
    found = _search_workspace(text)
    ids = [person.reservation_id for person in found.people]
    return page_or_block(
        "dashboard/search/page.html",
        "palette" if "palette" in request.args else "results",
        text=text,
        found=found,
        contracts=contracts_of_people(reading(), ids, _MOST_ENQUIRIES) if ids else (),
        enquiries=asked,
        yen=yen,
        bills=bill_lists.bills_of_amount(reading(), yen, today(), _MOST_OF_AN_AMOUNT)
        if yen
        else (),
        payments=bill_lists.payments_of_amount(reading(), yen, _MOST_OF_AN_AMOUNT) if yen else (),
        pages=found_pages(text),
        acts=[
            *acts_for(acts, _search_workspace(name).people, chosen_language()),
            *(found_acts(text) if text.strip() else first_choices()),
        ],
    )


def _search_workspace(text: str) -> SearchResults:
    return workspace_search.search_workspace(
        reading(), text, with_people=current_member().is_office, with_projects=may("project")
    )
