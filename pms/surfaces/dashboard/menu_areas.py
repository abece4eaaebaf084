"""The areas of the dashboard's menu: eight and the inbox, each with its pages as a second row.

To add a page, add an entry to its area:

    Entry("payers", lazy_gettext("Payers"), lazy_gettext("payer names, aliases")),

The first text is shown in the second row. The second one has further words by which the command
palette finds the page; its translation has the Japanese words and their reading in kana. The roles
of the route decide who sees the entry. A page without an entry belongs to the area whose `below`
has the first part of its address.
"""

from typing import Final, NamedTuple

from flask_babel import LazyString, lazy_gettext, lazy_pgettext


class MenuPage(NamedTuple):
    """One page of the menu; `endpoint` is without its blueprint."""

    endpoint: str
    text: LazyString
    words: LazyString | str = ""
    parts: tuple[str, ...] = ()
    """Endpoints of pages that show the same second row, with this entry as the current one."""


class Area(NamedTuple):
    """An area of the menu: its pages, the worklist first, and the addresses of others below it."""

    name: str
    text: LazyString
    icon: str
    entries: tuple[MenuPage, ...]
    below: frozenset[str] = frozenset()


def _split_endpoints(parts: str) -> frozenset[str]:
    return frozenset(parts.split())


INBOX: Final = "inbox"
AREAS: Final = (
    Area(
        "today",
        lazy_gettext("Today"),
        "today",
        (MenuPage("today", lazy_gettext("Today"), lazy_gettext("start, worklist, what is due")),),
    ),
    Area(
        INBOX,
        lazy_gettext("Inbox"),
        "mail",
        (
            MenuPage("inbox", lazy_gettext("Inbox"), lazy_gettext("what came in, to answer")),
            MenuPage(
                "conversations",
                lazy_gettext("All messages"),
                lazy_gettext("conversations by person, LINE, WhatsApp, mail"),
            ),
            MenuPage(
                "tickets", lazy_gettext("Tickets"), lazy_gettext("residents' questions, portal")
            ),
        ),
        _split_endpoints("messages"),
    ),
    Area(
        "calendar",
        lazy_gettext("Calendar"),
        "calendar",
        (
            MenuPage("chart", lazy_gettext("Calendar"), lazy_gettext("chart, occupancy, timeline")),
            MenuPage(
                "availability", lazy_gettext("Availability"), lazy_gettext("vacant, free rooms")
            ),
            MenuPage(
                "calendar_conflicts",
                lazy_gettext("Overlapping dates"),
                lazy_gettext("calendar conflicts, double bookings"),
            ),
        ),
    ),
    Area(
        "residents",
        lazy_gettext("Residents & contracts"),
        "reservation",
        (
            MenuPage(
                "reservations",
                lazy_gettext("Residents"),
                lazy_gettext("reservations, tenancies, tenants, bookings"),
            ),
            MenuPage(
                "check_in_links",
                lazy_pgettext("stay", "Guests"),
                lazy_gettext("check-in links, guest register, short stays"),
            ),
            MenuPage(
                "ending_terms",
                lazy_gettext("Terms that end"),
                lazy_gettext("contract end, re-contract, renewal, notice of the end, fixed term"),
            ),
            MenuPage(
                "expiring_people",
                lazy_gettext("Expiring papers"),
                lazy_gettext("residence cards, identity papers, guarantee company, renewal fee"),
            ),
            MenuPage(
                "rent_proposals",
                lazy_gettext("Rent proposals"),
                lazy_gettext("rent increase, new rent, revise rents, building maintenance"),
            ),
            MenuPage(
                "condition_reports",
                lazy_gettext("Move-in checks"),
                lazy_gettext("condition reports, state of the room"),
            ),
        ),
        _split_endpoints(
            "contracts end-notices identity-papers key-handovers later-terms move-outs"
        ),
    ),
    Area(
        "leasing",
        lazy_gettext("Leasing"),
        "key",
        (
            MenuPage("enquiries", lazy_gettext("Enquiries"), lazy_gettext("prospects, questions")),
            MenuPage(
                "rooms",
                lazy_gettext("Find a room"),
                lazy_gettext("vacancy, free room, search, move to another room"),
            ),
            MenuPage("viewings", lazy_gettext("Viewings"), lazy_gettext("showings, appointments")),
            MenuPage(
                "reservation_links",
                lazy_gettext("Offers"),
                lazy_gettext("offer links, applications for a room"),
            ),
            MenuPage(
                "screenings",
                lazy_gettext("Screening"),
                lazy_gettext("applicants to approve or decline, tenant screening"),
            ),
            MenuPage("waitlist", lazy_gettext("Waitlist"), lazy_gettext("waiting for a room")),
            MenuPage(
                "content",
                lazy_gettext("Website"),
                lazy_gettext("content, posts, campaigns, texts of the website"),
                parts=("campaigns", "positions", "services", "website"),
            ),
            MenuPage(
                "leads", lazy_gettext("Job applications"), lazy_gettext("leads, applicants, jobs")
            ),
            MenuPage(
                "telemetry",
                lazy_gettext("Website visits"),
                lazy_gettext("telemetry, visits to the website"),
            ),
            MenuPage("assistant", lazy_gettext("Assistant"), lazy_gettext("chat, AI, answers")),
        ),
    ),
    Area(
        "money",
        lazy_gettext("Money"),
        "billing",
        (
            MenuPage(
                "billing", lazy_gettext("Billing"), lazy_gettext("billing run, invoices, rent")
            ),
            MenuPage(
                "bills", lazy_gettext("Invoices"), lazy_gettext("bills, invoice numbers, unpaid")
            ),
            MenuPage(
                "payments", lazy_gettext("Payments"), lazy_gettext("money received, receipts")
            ),
            MenuPage(
                "bank_day",
                lazy_gettext("Bank matching"),
                lazy_gettext("transfers, bank statement, incoming payments"),
                parts=("debit_list", "mandate_list", "collection_list", "payout_list"),
            ),
            MenuPage(
                "arrears", lazy_gettext("Arrears"), lazy_gettext("overdue, unpaid, reminders")
            ),
            MenuPage(
                "remembered_payers", lazy_gettext("Payers"), lazy_gettext("payer names, aliases")
            ),
            MenuPage("deposit_report", lazy_gettext("Deposits"), lazy_gettext("deposit report")),
            MenuPage(
                "profit_and_loss",
                lazy_pgettext("report", "Income"),
                lazy_gettext("profit and loss, sales, report"),
            ),
            MenuPage(
                "journals",
                lazy_gettext("Journals"),
                lazy_gettext("accountant, accounts, freee, Money Forward, Yayoi, close a month"),
            ),
            MenuPage(
                "occupancy", lazy_gettext("Occupancy"), lazy_gettext("occupancy rate, report")
            ),
        ),
        _split_endpoints("payments receipts receipt-corrections ledger-entries invoices"),
    ),
    Area(
        "upkeep",
        lazy_gettext("Upkeep"),
        "task",
        (
            MenuPage(
                "work",
                lazy_pgettext("work", "Work"),
                lazy_gettext("board, tasks, cleaning, jobs"),
                parts=("task_list",),
            ),
            MenuPage(
                "requests",
                lazy_gettext("Problem reports"),
                lazy_gettext("reports, defects, repairs wanted"),
            ),
            MenuPage(
                "report_problem",
                lazy_gettext("Report a problem"),
                lazy_gettext("new report, defect, damage"),
            ),
            MenuPage("projects", lazy_gettext("Projects"), lazy_gettext("repairs, PRJ")),
            MenuPage("visits", lazy_gettext("Visits"), lazy_gettext("trips, route, plan a visit")),
            MenuPage(
                "supplier_orders", lazy_gettext("Supplier orders"), lazy_gettext("purchases, parts")
            ),
            MenuPage(
                "inspections", lazy_gettext("To inspect"), lazy_gettext("inspection of cleanings")
            ),
        ),
        _split_endpoints("tasks task-list share-links upkeep-photos"),
    ),
    Area(
        "owners",
        lazy_gettext("Owners & property"),
        "building",
        (
            MenuPage(
                "buildings", lazy_gettext("Buildings"), lazy_gettext("houses, address, owner")
            ),
            MenuPage("units", lazy_gettext("Units"), lazy_gettext("rooms, apartments, rent")),
            MenuPage("owners", lazy_gettext("Owners"), lazy_gettext("landlords")),
            MenuPage(
                "owner_statements",
                lazy_gettext("Owner statements"),
                lazy_gettext("payouts, monthly statements"),
            ),
        ),
        _split_endpoints("blocks handbook photos published-statements calendar-feeds fee-invoices"),
    ),
    Area(
        "settings",
        lazy_gettext("Settings"),
        "settings",
        (
            MenuPage(
                "all_settings", lazy_gettext("All settings"), lazy_gettext("settings, overview")
            ),
            MenuPage(
                "settings",
                lazy_gettext("Company details"),
                lazy_gettext("workspace settings, name, address"),
            ),
            MenuPage("settings_logo", lazy_gettext("Logo"), lazy_gettext("picture, brand")),
            MenuPage(
                "office_bank_settings",
                lazy_gettext("Bank account"),
                lazy_gettext("where rent is paid, payee"),
            ),
            MenuPage(
                "policy",
                lazy_gettext("Rent and notice rules"),
                lazy_gettext("policy, figures, penalties, notice"),
            ),
            MenuPage(
                "restoration_prices",
                lazy_gettext("Restoration prices"),
                lazy_gettext("move-out repairs, useful life, wear, price list, deductions"),
            ),
            MenuPage(
                "stay_terms", lazy_gettext("Short stays"), lazy_gettext("stay terms, check-in")
            ),
            MenuPage("fees", lazy_gettext("Fees"), lazy_gettext("fee catalogue, charges")),
            MenuPage(
                "tax_classes",
                lazy_gettext("Consumption tax"),
                lazy_gettext("tax classes, taxable, exempt, invoices"),
            ),
            MenuPage(
                "contract_templates",
                lazy_gettext("Contract templates"),
                lazy_gettext("contract forms, clauses"),
            ),
            MenuPage(
                "reply_templates", lazy_gettext("Reply templates"), lazy_gettext("answers, texts")
            ),
            MenuPage(
                "checklists", lazy_gettext("Checklists"), lazy_gettext("points of a cleaning")
            ),
            MenuPage("people", lazy_gettext("Team"), lazy_gettext("people, staff, invite, roles")),
            MenuPage(
                "sign_in_rules",
                lazy_gettext("Sign-in settings"),
                lazy_gettext("second factor, passwords"),
            ),
            MenuPage(
                "people_sign_ins",
                lazy_gettext("Sign-in history"),
                lazy_gettext("who signed in, devices"),
            ),
            MenuPage("keys", lazy_gettext("API keys"), lazy_gettext("developers, website key")),
            MenuPage(
                "integrations",
                lazy_gettext("Integrations"),
                lazy_gettext("providers, LINE, Stripe, webhooks"),
            ),
            MenuPage(
                "takeover",
                lazy_gettext("Import tenancies"),
                lazy_gettext("rent roll, Excel, moving in, go live"),
            ),
            MenuPage("import", lazy_gettext("Import"), lazy_gettext("sheets, Excel, CSV")),
            MenuPage(
                "export", lazy_gettext("Export all data"), lazy_gettext("download, backup, CSV")
            ),
            MenuPage(
                "one_person",
                lazy_gettext("One person's data"),
                lazy_gettext("privacy, disclosure, download, delete a person"),
            ),
            MenuPage(
                "personal_data_terms",
                lazy_gettext("Personal data"),
                lazy_gettext("privacy, purpose of use, retention, years, deletion"),
            ),
            MenuPage("set_up", lazy_gettext("Set-up list"), lazy_gettext("first steps, go live")),
            MenuPage("runs", lazy_gettext("Activity"), lazy_gettext("runs, jobs, long work")),
            MenuPage("audit", lazy_gettext("Audit log"), lazy_gettext("history, who did what")),
        ),
        _split_endpoints("checklist logo sample audit.csv inbound-events mailbox webhook-secrets"),
    ),
)
WITHOUT_AREA: Final = _split_endpoints("me notices search gallery sync postcode")
"""First parts of the addresses of pages that belong to the person or to every area."""
