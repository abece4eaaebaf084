"""Asks a payment provider for the page of a visit, and how the visit stands."""

from typing import Final

from pms.checkouts.note_checkout_event import note_checkout_event
from pms.checkouts.note_page import note_no_page, note_page
from pms.checkouts.open_checkout import OPENING
from pms.checkouts.payment_lookups import (
    FIRST_WAIT,
    Told,
    is_looked_for,
    payment_lookup_request,
    told_in,
    wait_after,
)
from pms.checkouts.payment_page import (
    Payer,
    PaymentPage,
    page_in,
    page_terms,
    payment_page_request,
)
from pms.checkouts.queries import LOOKING, CheckoutRecord, checkout_record, is_wanted
from pms.foundation.clock import Clock
from pms.foundation.provider_calls import (
    ProviderCall,
    call_in_hand,
    mark_done,
    put_call,
    put_off_call,
)
from pms.foundation.provider_http import ProviderRequest, Reach, ask_provider
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Sealer
from pms.jobs.tools import Tools
from pms.ledger.queries import entry_record
from pms.rules.enumerations import CheckoutState, IntegrationKind
from pms.statements.parties import home_of
from pms.workspaces.integrations import Access, access_to

ACTOR: Final = "worker"


def open_payment_page(tools: Tools, call: ProviderCall, reach: Reach) -> None:
    """Have the page opened and keep its address; nothing is locked while the provider works.

    A visit whose bill changed since, or was set out for anew, ends without a page.
    """
    with tools.database.reading(call.workspace_id) as session:
        visit = checkout_record(session, call.subject_id)
        is_asked = is_wanted(session, visit, tools.clock.today())
        asked = _page_request(tools, session, call, visit) if is_asked else None
    page = None
    if asked is not None:
        page = page_in(ask_provider(asked, reach), allow_http=reach.allow_http)

    def keep(session: WorkspaceSession) -> None:
        ours = call_in_hand(session, call)
        if ours is not None:
            _keep_page(tools, session, visit, page)
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def look_up_payment(tools: Tools, call: ProviderCall, reach: Reach) -> None:
    """Ask how a visit stands; while it is open it is asked again, ever more rarely."""
    with tools.database.reading(call.workspace_id) as session:
        visit = checkout_record(session, call.subject_id)
        is_asked = is_looked_for(visit, tools.clock.now())
        access = _access(tools, session) if is_asked else None
    told = None
    if access is not None:
        told = told_in(ask_provider(payment_lookup_request(access, visit), reach), visit)

    def keep(session: WorkspaceSession) -> None:
        ours = call_in_hand(session, call)
        if ours is None:
            return
        if told is None or told.outcome is not None:
            _note(tools, session, visit, told)
            mark_done(ours, tools.clock)
        else:
            facts = {**ours.facts, "looks": ours.facts.get("looks", 0) + 1}
            put_off_call(ours, tools.clock, wait_after(facts), facts)

    tools.database.write(call.workspace_id, keep)


def give_up_page(session: WorkspaceSession, clock: Clock, call: ProviderCall, failure: str) -> None:
    """End the visit, so that whoever waits is told to pay another way."""
    note_no_page(session, clock, call.subject_id, failure)


def _access(tools: Tools, session: WorkspaceSession) -> Access:
    return access_to(session, Sealer(tools.settings.secret_key), IntegrationKind.PAYMENTS)


def _page_request(
    tools: Tools, session: WorkspaceSession, call: ProviderCall, visit: CheckoutRecord
) -> ProviderRequest:
    access, home = _access(tools, session), home_of(session, visit.reservation_id)
    label = entry_record(session, visit.entry_id).label.said(home.locale) or ""
    payer = Payer(label, home.locale, home.email)
    terms = page_terms(call.id, call.written_at, tools.clock.now())
    return payment_page_request(access, terms, visit, payer, tools.settings.base_url)


def _keep_page(
    tools: Tools, session: WorkspaceSession, visit: CheckoutRecord, page: PaymentPage | None
) -> None:
    if page is None:
        _note(tools, session, visit, Told(CheckoutState.EXPIRED))
        return
    note_page(session, tools.clock, visit.id, page)
    put_call(session, tools.clock, kind=LOOKING, subject_id=visit.id, wait=FIRST_WAIT)


def _note(
    tools: Tools, session: WorkspaceSession, visit: CheckoutRecord, told: Told | None
) -> None:
    if told is not None and told.outcome is not None:
        note_checkout_event(
            session,
            tools.clock,
            ACTOR,
            checkout_id=visit.id,
            outcome=told.outcome,
            payment_reference=told.payment_reference,
            amount_yen=told.amount_yen,
        )


CALLS: Final = {OPENING: open_payment_page, LOOKING: look_up_payment}
GIVEN_UP: Final = {OPENING: give_up_page}
