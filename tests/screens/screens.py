"""The screens and their states: one line each; a test fails when an address has no line.

A line says: the endpoint; what is typed into its own form to be refused (`error`), or a question
(`?…`) that is; which record it is about where not any will do (`of`). A page without a record is
also opened in a workspace without anything and in a large one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pms.rules.enumerations import StaffRole

NOTHING: Final[Mapping[str, str]] = {}


@dataclass(frozen=True)
class Budget:
    """What a page may weigh, packed, in bytes, and how much it may hold."""

    html: int = 20 * 1024
    js: int = 20 * 1024
    elements: int = 1_500


DESK: Final = Budget()
CHART: Final = Budget(html=30 * 1024, elements=2_500)
WORK: Final = Budget(html=14 * 1024)
AUTH_BUDGET: Final = Budget(html=8 * 1024, js=16 * 1024)
PORTAL: Final = Budget(html=12 * 1024, js=18 * 1024)
CONTRACT: Final = Budget(html=14 * 1024, js=18 * 1024)
CSS_BUDGET: Final = 12 * 1024
MOST_REQUESTS: Final = 6


@dataclass(frozen=True)
class Screen:
    """One page: how it is reached, and in which states it is looked at."""

    endpoint: str
    error: Mapping[str, str] | str | None = None
    of: Mapping[str, str] = field(default_factory=dict)
    query: str = ""
    role: StaffRole | None = StaffRole.OPERATOR
    budget: Budget = DESK
    button: str | None = None
    """The name of the button that sends the form which is refused, where it has several."""
    is_told_at_once: bool = False
    """Whether the refusal shows beside the form while one types, before anything is sent."""
    is_empty_apart: bool = True
    """Whether the page differs in a workspace without anything."""
    is_for_phones: bool = False
    """Whether thumbs use it, also on the smallest phone there is."""
    is_behind_portal: bool = False
    """Whether a resident or an owner has signed in to the blueprint's own portal."""
    variant: str = ""
    """What sets two lines of one page apart."""

    @property
    def name(self) -> str:
        """A name that no other screen has."""
        role = "" if self.role in (None, StaffRole.OPERATOR) else f"-{self.role}"
        begun = "-begun" if "{" in self.query else ""
        return f"{self.endpoint}{role}{begun}{self.variant and f'-{self.variant}'}"


def _auth_screen(
    name: str, error: Mapping[str, str] | None = None, role: StaffRole | None = None
) -> Screen:
    return Screen(f"auth.{name}", error, role=role, budget=AUTH_BUDGET, is_empty_apart=False)


AUTH_SCREENS: Final = (
    _auth_screen("sign_in", error={"email": "nobody"}),
    _auth_screen("pin", error={"pin": "12"}),
    _auth_screen("sign_in_link"),
    _auth_screen("workspaces", role=StaffRole.OPERATOR),
    _auth_screen("invitation", error={"name": ""}),
    _auth_screen("opening", error={"name": ""}),
)


def _link(name: str, error: Mapping[str, str] | None = None) -> Screen:
    return Screen(
        f"contractor_links.{name}",
        error,
        role=None,
        budget=AUTH_BUDGET,
        is_empty_apart=False,
        is_for_phones=True,
    )


LINKS: Final = (
    _link("project"),
    _link("hours", error={"minutes": "soon"}),
    _link("purchase", error={"amountYen": "3,20"}),
    _link("report", error={"what": ""}),
    _link("task"),
    _link("handbook"),
)


def _guest(name: str, error: Mapping[str, str] | None = None) -> Screen:
    return replace(_link(name, error), endpoint=f"guest_checkin.{name}")


GUESTS: Final = (
    _guest("stay"),
    _guest("person", error={"address": ""}),
    _guest("arrival"),
    _guest("ready"),
)


def _offer(name: str, error: Mapping[str, str] | None = None, **further: Any) -> Screen:
    usual: dict[str, Any] = {"endpoint": f"reservation_links.{name}", "of": {"state": "live"}}
    return replace(_link(name, error), **(usual | further))


APPLICANTS: Final = (
    _offer("offer"),
    _offer("offer", of={"state": "accepted"}, variant="accepted"),
    _offer("details", error={"email": "nobody"}),
    _offer("people"),
    _offer("party", error={"name": ""}),
    _offer("identity_paper"),
    _offer("explanation", variant="asked"),
    _offer("explanation", of={"state": "live", "explanation": "agreed"}, variant="shown"),
    _offer("explanation", of={"state": "live", "explanation": "waits"}, variant="waits"),
    _offer("screening"),
    _offer("contract", error={"signature": ""}, of={"state": "live", "explanation": "confirmed"}),
)


def _portal(name: str, error: Mapping[str, str] | str | None = None, **further: Any) -> Screen:
    """Return a page of a portal, "resident.home"; `of` says whose reservation it is."""
    usual: dict[str, Any] = {
        "role": None,
        "budget": PORTAL,
        "is_empty_apart": False,
        "is_for_phones": True,
        "is_behind_portal": not name.endswith((".sign_in", ".code", ".sign_in_link")),
    }
    return Screen(name, error, **(usual | further))


_APPLICANT: Final = {"reservation_id": "email=applicant@midori.example"}
_LIVING: Final = {"reservation_id": "lifecycle=living&kind=resident"}
_BOOKED: Final = {"reservation_id": "lifecycle=booked&kind=resident"}
_LEAVING: Final = {"reservation_id": "lifecycle=notice_filed"}
_MOVED_OUT: Final = {"reservation_id": "lifecycle=moved_out&kind=resident"}
_JUST_ARRIVED: Final = {"reservation_id": "lifecycle=living&arrival_date=2026-11-19"}
_HOUSEKEEPING: Final = {"role": StaffRole.HOUSEKEEPING}
_MAINTENANCE: Final = {"role": StaffRole.MAINTENANCE}
_ALONE: Final = {"is_empty_apart": False}
_BOARD: Final = {"budget": WORK, "is_for_phones": True}
_AT_ONCE: Final = {"of": _LIVING, "is_told_at_once": True}

_LINES: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("today", {}),
    ("today", _HOUSEKEEPING),
    ("today", _MAINTENANCE),
    ("gallery", _ALONE),
    ("gallery_charts", _ALONE),
    ("search", {"query": "?q=佐藤"}),
    ("search", _ALONE | {"query": "?q=63,000", "variant": "amount"}),
    # What is free and who lives where.
    ("chart", {"budget": CHART, "error": "?startDate=soon"}),
    ("chart", _HOUSEKEEPING | {"budget": CHART}),
    ("availability", {"error": "?startDate=soon"}),
    ("availability", _HOUSEKEEPING),
    ("reservation_card", {"of": _LIVING}),
    ("rooms", {"error": "?moveInDate=soon"}),
    # Reservations.
    ("reservations", {"error": "?paymentStatus=paidd"}),
    ("new_reservation", _ALONE | {"query": "?unitId={unit}", "error": {"name": ""}}),
    ("reservation", {"of": _LIVING}),
    ("reservation_dates", _AT_ONCE | {"error": {"arrivalDate": "soon"}}),
    ("reservation_price", _AT_ONCE | {"error": {"fromOn": ""}}),
    ("reservation_departure", _AT_ONCE | {"error": {"moveOutDate": ""}}),
    ("reservation_opening", {"of": _LIVING}),
    ("reservation_withdrawal", {"of": _LEAVING}),
    ("reservation_amendment", {"of": _LIVING, "query": "?unitId={unit}"}),
    ("reservation_people", {"of": _LIVING, "error": {"name": ""}}),
    ("reservation_documents", {"of": _LIVING}),
    ("move_in_papers", {"of": _BOOKED}),
    ("reservation_messages", {"of": _LIVING}),
    ("reservation_history", {"of": _LIVING}),
    ("reservation_cancellation", {"of": _BOOKED}),
    ("reservation_no_show", {"of": _BOOKED}),
    ("reservation_keys", {"of": _LIVING, "error": {"handedOn": ""}}),
    ("key_handover_withdrawal", {"error": {"reason": ""}}),
    ("reservation_move_out", {"of": _LEAVING}),
    ("move_out_inspection", {"of": _LEAVING}),
    ("move_out_inspection", _HOUSEKEEPING | {"of": _LEAVING}),
    # Who asks, who is shown what, who waits.
    ("enquiries", {"error": "?source=radio"}),
    ("new_enquiry", _ALONE | {"error": {"name": ""}}),
    ("enquiry", {"of": {"enquiry_id": "state=offered"}}),
    ("enquiry_facts", {"error": {"name": ""}}),
    ("leads", {"error": "?state=lost"}),
    ("lead", {"of": {"lead_id": "resume_type=application/pdf"}}),
    ("check_forgetting", {"of": {"lead_id": "resume_type=application/pdf"}}),
    ("supplier_orders", {"error": "?state=lost"}),
    ("supplier_order", {"of": {"order_id": "state=new"}}),
    ("viewings", {"error": "?fromOn=soon"}),
    ("new_viewing", _ALONE | {"query": "?unitId={unit}", "error": {"name": ""}}),
    ("viewing", {}),
    ("viewing_time", {"of": {"viewing_id": "status=scheduled"}, "error": {"atTime": "late"}}),
    ("waitlist", {}),
    ("new_waitlist_place", _ALONE | {"error": {"name": ""}}),
    # Money.
    ("reservation_ledger", {"of": _LIVING, "error": "?on=soon"}),
    (
        "reservation_deposit",
        {"of": _MOVED_OUT, "error": {"deductions-0-amountYen": "1.5"}, "button": "check"},
    ),
    ("new_payment", {"of": _LIVING, "error": {"amountYen": "86,00"}}),
    ("new_charge", {"of": _LIVING, "error": {"amountYen": "86,00"}}),
    ("new_credit", {"of": _LIVING, "error": {"amountYen": "86,00"}}),
    ("payment", {}),
    ("ledger_entry", {}),
    ("new_arrears_charge", {"error": {"amountYen": "1.5"}}),
    ("check_voiding", {}),
    ("check_sending", {}),
    ("billing", {}),
    ("bank_day", {}),
    ("bank_account_list", {"error": {"name": ""}}),
    ("bank_account", {"error": {"name": ""}}),
    ("transfer", {}),
    ("remembered_payers", {}),
    ("debit_list", {}),
    ("mandate_list", {}),
    ("collection_list", {}),
    ("payment_choice_list", {}),
    ("show_collection_terms", {"error": {"attempts": "9"}}),
    ("new_debits", {"query": "?collectOn=2026-12-27", "is_empty_apart": False}),
    ("debit_file", {}),
    ("payout_list", {}),
    ("payout_file", {}),
    ("office_bank_settings", {"error": {"bankCode": ""}}),
    ("reservation_account", {"of": _LIVING}),
    ("owner_account", {"error": {"bankCode": "1"}}),
    ("many_charges", _ALONE),
    ("check_charges", {"query": "?feeCode=cleaning&dueOn=2026-12-01", "is_empty_apart": False}),
    ("runs", {}),
    ("run", {}),
    ("arrears", {"error": "?age=old"}),
    ("ending_terms", {"error": "?building=none"}),
    ("check_term_questions", _ALONE),
    ("check_end_notices", _ALONE),
    ("check_new_terms", _ALONE),
    ("rent_proposals", {"error": "?building=none"}),
    ("check_rent_proposals", _ALONE),
    ("reservation_terms", {"of": _LIVING}),
    ("leaving_reason", {"of": _LIVING}),
    ("task_list", {"error": "?kind=none"}),
    ("bills", {"error": "?state=sold"}),
    ("payments", {"error": "?fromOn=soon"}),
    ("check_reminders", {"query": "?all=1", "budget": CHART}),
    ("deposit_report", {"error": "?on=soon"}),
    ("profit_and_loss", {"error": "?month=never"}),
    ("journals", {}),
    ("accounts", {"error": {"account.income.rent": ""}, "is_empty_apart": False}),
    ("occupancy", {}),
    ("telemetry", {"error": "?fromOn=soon"}),
    ("owner_statements", {}),
    ("owner_statement", {"error": {"amountYen": "1.5"}}),
    ("check_publishing", {}),
    ("check_publishing_all", {}),
    # Property.
    ("units", {"error": "?priceMin=cheap"}),
    ("unit", {}),
    ("unit", _HOUSEKEEPING),
    ("unit", _MAINTENANCE),
    ("unit_facts", {"error": {"name": ""}}),
    ("unit_fees", {}),
    ("unit_photos", {}),
    ("unit_reservations", {}),
    ("unit_blocks", {"error": {"firstOn": ""}}),
    ("block_end", {"error": {"lastOn": ""}}),
    ("unit_calendars", {"error": {"url": "calendar"}}),
    ("unit_calendar_renewal", _ALONE),
    ("unit_calendar_end", _ALONE),
    ("calendar_feed_removal", {}),
    ("calendar_conflicts", {}),
    ("new_unit", _ALONE | {"error": {"name": ""}}),
    ("new_units", _ALONE | {"error": "?rooms=110-101"}),
    ("new_units", _ALONE | {"query": "?rooms=101-104,201&rentYen=68000", "variant": "grid"}),
    ("new_photos", _ALONE),
    ("photo_words", {}),
    ("buildings", {}),
    ("building_copy", {}),
    ("building", {}),
    ("building", _HOUSEKEEPING),
    ("building_facts", {"error": {"name": ""}}),
    ("building_address", {"error": {"slug": "??"}}),
    ("unit_address", {"error": {"slug": "??"}}),
    ("building_owner", {}),
    ("building_shares", {"error": {"share1": "1/7"}}),
    ("building_form", {"error": {"fromOn": ""}}),
    ("building_lease", {"error": {"stepRent1": "0"}}),
    ("building_terms", {"error": {"managementPercent": "101"}}),
    ("building_photos", {}),
    ("new_building", _ALONE | {"error": {"name": ""}}),
    ("new_handbook_page", {"error": {"titleJa": ""}}),
    ("new_unit_page", {"error": {"titleJa": ""}}),
    ("handbook_page", {}),
    ("handbook_page_removal", {}),
    ("owners", {}),
    ("owner", {}),
    ("owner_year", {}),
    ("owner_facts", {"error": {"name": ""}}),
    ("new_owner", _ALONE | {"error": {"name": ""}}),
    # Work.
    ("work", _BOARD | {"error": "?day=soon"}),
    ("work", _BOARD | _HOUSEKEEPING),
    ("work", _BOARD | _MAINTENANCE | {"query": "?view=board"}),
    # Guests and their links.
    ("check_in_links", {}),
    ("new_check_in_link", _ALONE | {"error": "?building=&checkIn=soon"}),
    ("check_in_link", {"error": {"email": "nobody"}}),
    ("check_in_link_renewal", {}),
    ("check_in_link_revocation", {}),
    ("guest_register", _ALONE | {"error": {"since": "soon"}}),
    # Conversations with people on all channels.
    ("inbox", {}),
    ("inbox", _MAINTENANCE),
    ("conversations", {"error": "?channel=fax"}),
    ("conversations", _MAINTENANCE),
    ("conversation", {}),  # its answer is part of the page, as a ticket's is
    ("stay_of_conversation", {}),
    ("same_person", {}),
    ("reply_templates", {}),
    ("new_reply_template", _ALONE | {"error": {"name": ""}}),
    ("reply_template", {"error": {"name": ""}}),
    # Conversations with residents, and trips.
    ("tickets", {"error": "?state=gone"}),
    ("tickets", _MAINTENANCE),
    ("ticket", {}),
    ("new_ticket", _ALONE | {"query": "?reservationId={reservation}", "error": {"text": ""}}),
    ("visits", {"error": "?fromOn=soon"}),
    ("visits", _HOUSEKEEPING),
    ("visit", {}),
    ("new_visit", _ALONE | {"query": "?buildingId={building}", "error": {"onDay": ""}}),
    # Reports and projects.
    ("report_problem", _ALONE | {"query": "?buildingId={building}", "error": {"what": ""}}),
    ("report_problem", _ALONE | _HOUSEKEEPING | {"query": "?buildingId={building}"}),
    ("requests", {"error": "?state=lost"}),
    ("requests", _MAINTENANCE),
    ("request", {}),
    ("request", _MAINTENANCE),
    ("check_folding", _ALONE | {"query": "?requestIds={maintenance_request}"}),
    ("check_closing", {"error": {"because": ""}}),
    ("projects", {"error": "?state=lost"}),
    ("projects", _MAINTENANCE),
    ("new_project", _ALONE | {"error": {"title": ""}}),
    ("project", {}),
    ("project", _MAINTENANCE),
    ("edit_project", {"error": {"title": ""}}),
    ("new_hours", {"error": {"minutes": "soon"}}),
    ("new_purchase", {"error": {"amountYen": "1.5"}}),
    ("check_ending", {}),
    ("check_reopening", {}),
    ("check_charging", {}),
    ("condition_reports", {}),
    ("condition_reports", _MAINTENANCE),
    ("condition_report", {}),
    # Tasks.
    ("task", {}),
    ("task", _HOUSEKEEPING),
    ("edit_task", {"of": {"task_id": "kind=repair"}, "error": {"title": ""}}),
    ("check_task_cancellation", {"of": {"task_id": "kind=repair"}, "error": {"reason": ""}}),
    ("new_task", _ALONE | {"query": "?buildingId={building}", "error": {"title": ""}}),
    # Checklists, and the look at finished cleanings.
    ("checklists", _ALONE),
    ("checklist", _ALONE),
    ("inspections", {}),
    ("inspections", _HOUSEKEEPING),
    # Contractors' links.
    ("new_share_link", {"error": {"contractorName": ""}}),
    ("share_link", {}),
    ("share_link_revocation", {}),
    # Offers by a link.
    ("reservation_links", {}),
    ("new_reservation_link", _ALONE | {"query": "?unitId={unit}", "error": {"moveInDate": ""}}),
    ("reservation_link", {}),
    ("offer_explanation", {}),
    ("screenings", {}),
    ("screening", {}),
    ("contract_party", {"error": {"name": ""}}),
    ("new_identity_paper", _ALONE | {"error": {"expiresOn": "soon"}}),
    ("identity_paper", {}),
    ("expiring_people", {}),
    ("building_asks", {}),
    ("reservation_link_sending", {}),
    ("reservation_link_revocation", {}),
    # Contracts and providers.
    ("reservation_contracts", {"of": _APPLICANT}),
    ("contract", {}),
    ("contract_templates", {}),
    ("contract_template", {"error": {"name": ""}}),
    ("new_contract_template", _ALONE | {"error": {"name": ""}}),
    ("integrations", _ALONE),
    ("mailbox", _ALONE),
    ("integration", _ALONE | {"error": {"address": "http://x"}}),
    ("webhook", _ALONE | {"error": {"secret": ""}}),
    ("confirm_webhook_secret_retirement", _ALONE),
    ("inbound_event", _ALONE | {"of": {"event_id": "state=unmatched"}}),
    # The assistant of the website.
    ("assistant", {"error": "?keyId=nobody"}),
    ("assistant_chat", {"of": {"chat_id": "turns=2"}}),
    ("try_assistant", _ALONE | {"error": {"message": ""}}),
    ("assistant_settings", _ALONE | {"error": {"mostMessages": "0"}}),
    # The website.
    ("content", {}),
    ("new_post", _ALONE | {"error": {"titleJa": ""}}),
    ("post", {"of": {"post_id": "slug=quiet-hours"}, "error": {"slug": "No address"}}),
    (
        "check_post_publication",
        {"of": {"post_id": "slug=quiet-hours"}, "error": {"atTime": "late"}},
    ),
    ("check_post_removal", {}),
    ("campaigns", {}),
    ("new_campaign", _ALONE | {"error": {"startsOn": "soon"}}),
    ("campaign", {"error": {"endsOn": "soon"}}),
    ("check_campaign_publication", {}),
    ("check_campaign_removal", {}),
    ("positions", {}),
    ("new_position", _ALONE | {"error": {"titleJa": ""}}),
    ("position", {"error": {"slug": "No address"}}),
    ("check_position_publication", {}),
    ("check_position_removal", {}),
    ("services", {}),
    ("new_service", _ALONE | {"error": {"titleJa": ""}}),
    ("service", {"error": {"slug": "No address"}}),
    ("check_service_publication", {}),
    ("check_service_removal", {}),
    ("website", _ALONE | {"error": {"baseUrl": "http://x"}}),
    # The workspace.
    ("fees", _ALONE),
    ("tax_classes", _ALONE),
    ("differing_invoices", _ALONE),
    ("fee", {"of": {"fee_id": "code=utilities"}, "error": {"amountYen": "1,0"}}),
    ("fee_preset", _ALONE),
    ("new_fee", _ALONE | {"error": {"code": ""}}),
    ("keys", {}),
    ("key", {}),
    ("new_key", _ALONE | {"error": {"name": ""}}),
    ("confirm_key_replacement", {}),
    ("confirm_key_revocation", {}),
    ("people", _ALONE),
    ("people_sign_ins", _ALONE | {"error": "?fromOn=soon"}),
    ("new_member", _ALONE | {"error": {"email": "nobody"}}),
    ("member_role", {}),
    ("confirm_removal", {}),
    ("all_settings", _ALONE),
    ("settings", _ALONE | {"error": {"name": ""}}),
    ("settings_logo", _ALONE),
    ("set_up", _ALONE),
    ("stay_terms", _ALONE | {"error": {"registerKeptYears": "2"}}),
    ("one_person", _ALONE),
    ("personal_data_terms", _ALONE | {"error": {"ledgerYears": "6"}}),
    ("policy", _ALONE),
    ("restoration_prices", _ALONE),
    ("export", _ALONE),
    ("sign_in_rules", _ALONE | {"error": {"idleMinutes": "1"}}),
    ("import", _ALONE),
    ("sheet", {}),
    ("takeover", _ALONE | {"error": {"rows": "many"}}),
    ("takeover_files", _ALONE),
    ("takeover_rows", _ALONE),
    ("takeover_check", _ALONE),
    ("audit", {"error": "?fromOn=soon"}),
    ("me", _ALONE | {"error": {"name": ""}}),
    ("own_address", _ALONE | {"error": {"email": "nobody"}}),
    ("password", _ALONE | {"error": {"newPassword": "short"}}),
    ("own_factor", _ALONE),
    ("own_sign_ins", _ALONE),
    ("own_notices", {}),
    ("notice_choices", _ALONE),
    ("all_sent_notices", {"error": "?group=weather"}),
)
DESK_SCREENS: Final = tuple(Screen(f"dashboard.{name}", **further) for name, further in _LINES)
PORTALS: Final = (
    _portal("resident.sign_in", {"email": "nobody"}),
    _portal("resident.code", {"pin": "12"}),
    _portal("resident.sign_in_link"),
    _portal("owner.sign_in_link"),
    _portal("owner.sign_in", {"email": "nobody"}),
    _portal("owner.code", {"pin": "12"}),
    # The resident's own pages.
    _portal("resident.tenancy"),
    _portal("resident.term"),
    _portal("resident.rent"),
    _portal(
        "resident.leaving_reason", of={"reservation_id": "lifecycle=notice_filed&kind=resident"}
    ),
    _portal("resident.invoices"),
    _portal("resident.invoice"),
    _portal("resident.handbook"),
    _portal("resident.profile", {"nameKana": "Sato"}),
    _portal("resident.people", {"text": ""}),
    # What a resident does beside reading.
    _portal("resident.report_problem", {"what": ""}),
    _portal("resident.tickets"),
    _portal("resident.ticket", {"text": ""}),
    _portal("resident.move_out"),
    _portal(
        "resident.move_out",
        of={"reservation_id": "lifecycle=notice_filed&kind=resident"},
        variant="filed",
    ),
    _portal("resident.move_out_preview", query="?moveOutDate=2026-12-10"),
    _portal(
        "resident.move_out_withdrawal",
        of={"reservation_id": "lifecycle=notice_filed&kind=resident"},
    ),
    _portal(
        "resident.refund_account",
        {"bankCode": "12"},
        of={"reservation_id": "lifecycle=notice_filed&kind=resident"},
    ),
    _portal("resident.condition", of=_JUST_ARRIVED),
    _portal(
        "resident.condition",
        of={"reservation_id": "lifecycle=living&arrival_date=2026-11-17"},
        variant="closed",
    ),
    _portal("resident.condition_room", {"note": "?"}, of=_JUST_ARRIVED),
    _portal("resident.documents", of=_APPLICANT),
    _portal("resident.explanation", of=_APPLICANT),
    _portal("resident.contract", {"signature": ""}, of=_APPLICANT, budget=CONTRACT),
    _portal("resident.signing_page", of=_APPLICANT),
    _portal("resident.pay", of=_APPLICANT),
    _portal("resident.payment_way"),
    # The owner's own pages.
    _portal("owner.home"),
    _portal("owner.statements"),
    _portal("owner.statement"),
    _portal("owner.year"),
    _portal("owner.building"),
    _portal("owner.profile"),
)
SCREENS: Final = (*AUTH_SCREENS, *LINKS, *GUESTS, *APPLICANTS, *PORTALS, *DESK_SCREENS)

# What answers no page of its own, and why.
NO_SCREENS: Final[Mapping[str, str]] = {
    "auth.kept_text": "moves on unless a session ended while one typed; its own test walks it",
    "auth.sign_up": "there where a setting allows it; its own test walks it",
    "auth.second_factor": "opens between password and code alone; its own test walks it",
    "dashboard.address_code": "opens once a code went to a new address; its own test walks it",
    "contractor_links.photo": "a picture",
    "guest_checkin.people": "the page of the first guest who is missing",
    "guest_checkin.nothing": "tells that there is nothing; the tests of the gate walk it",
    "reservation_links.paper": "a paper",
    "reservation_links.explanation_paper": "a paper",
    "reservation_links.nothing": "tells that there is nothing; the tests of the gate walk it",
    "contractor_links.nothing": "tells that there is nothing; the tests of the gate walk it",
    "resident.invoice_paper": "a file",
    "resident.receipt_paper": "a file",
    "resident.receipt_correction_paper": "a file",
    "resident.home": "moves on to the only tenancy; the choice among several has its own test",
    "resident.ticket_photo": "a picture",
    "resident.condition_photo": "a picture",
    "dashboard.condition_photo": "a picture",
    "dashboard.compared_photo": "a picture",
    "dashboard.settlement_pdf": "a file",
    "resident.settlement": "opens once a settlement was sent; its own test walks it",
    "resident.settlement_paper": "a file",
    "resident.settlement_photo": "a picture",
    "resident.contract_paper": "a file",
    "resident.explanation_paper": "a file",
    "resident.payment": "opens on the way to a provider; its own test walks each state",
    "dashboard.contract_paper": "a file",
    "dashboard.end_notice_paper": "a file",
    "resident.end_notice": "a file",
    "dashboard.rent_proposal_paper": "a file",
    "resident.rent_letter": "a file",
    "dashboard.explanation_paper": "a file",
    "dashboard.explanation_state": "a part of the page of a contract",
    "dashboard.confirm_integration_removal": "opens once a provider is set; its own test walks it",
    "owner.chosen_statement": "leads on to the month that was chosen",
    "owner.statement_csv": "a file",
    "owner.statement_pdf": "a file",
    "owner.fee_invoice": "a file",
    "owner.year_csv": "a file",
    "owner.year_pdf": "a file",
    "dashboard.logo": "a picture",
    "dashboard.confirm_mailbox_removal": "opens once a mailbox is set; its own test walks it",
    "dashboard.message_file": "a picture or a file",
    "dashboard.message_original": "a file",
    "dashboard.upkeep_photo": "a picture",
    "dashboard.sync": "what waiting taps ask for; no page",
    "dashboard.audit_table": "a file",
    "dashboard.debit_file_bytes": "a file",
    "dashboard.payout_file_bytes": "a file",
    "dashboard.open_notice": "leads on to the page that the notice is about",
    "dashboard.takeover_guide": "leads on to its files until it is live; its own test reads it then",
    "dashboard.takeover_refused": "a file",
    "dashboard.takeover_refused_workbook": "a file",
    "dashboard.import_template": "a file",
    "dashboard.place_of_postcode": "a part of the form of a building",
    "dashboard.exported_file": "a file",
    "dashboard.fee_invoice_paper": "a file",
    "dashboard.owner_year_csv": "a file",
    "dashboard.owner_year_paper": "a file",
    "dashboard.statement_csv": "a file",
    "dashboard.statement_paper": "a file",
    "dashboard.profit_and_loss_csv": "a file",
    "dashboard.journal_file": "a file",
    "dashboard.journal_year": "a file",
    "dashboard.closed_journal_file": "a file",
    "dashboard.occupancy_csv": "a file",
    "dashboard.telemetry_csv": "a file",
    "dashboard.refused_rows": "a file",
    "dashboard.reservation_card": "part of the chart: what its drawer shows of a stay",
    "dashboard.run_problems": "a file",
    "dashboard.invoice_paper": "a file",
    "dashboard.receipt_paper": "a file",
    "dashboard.receipt_correction_paper": "a file",
}
