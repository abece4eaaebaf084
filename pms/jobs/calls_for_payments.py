"""Asks a payment provider for the page of a visit."""

from typing import Final

from pms.checkouts.note_page import note_no_page, note_page
from pms.checkouts.open_checkout import OPENING
from pms.checkouts.payment_page import Payer, page_in, payment_page_request
from pms.checkouts.queries import checkout_record
from pms.foundation.provider_calls import ProviderCall, call_in_hand, mark_done
from pms.foundation.provider_http import Reach, ask_provider
from pms.foundation.tokens import Sealer
from pms.jobs.tools import Tools
from pms.ledger.queries import entry_record
from pms.rules.enumerations import IntegrationKind
from pms.statements.parties import home_of
from pms.workspaces.integrations import access_to


def open_payment_page(tools: Tools, call: ProviderCall, reach: Reach) -> None:
    """Have the page opened and keep its address; nothing is locked while the provider works."""
    with tools.database.reading(call.workspace_id) as session:
        access = access_to(session, Sealer(tools.settings.secret_key), IntegrationKind.PAYMENTS)
        visit = checkout_record(session, call.subject_id)
        home = home_of(session, visit.reservation_id)
        label = entry_record(session, visit.entry_id).label.said(home.locale) or ""
    payer = Payer(label, home.locale, home.email)
    asked = payment_page_request(access, call.id, visit, payer, tools.settings.base_url)
    page = page_in(ask_provider(asked, reach), allow_http=reach.allow_http)
    with tools.database.writing(call.workspace_id) as session:
        ours = call_in_hand(session, call)
        if ours is not None:
            note_page(session, tools.clock, visit.id, page)
            mark_done(ours, tools.clock)


def give_up_page(tools: Tools, call: ProviderCall, failure: str) -> None:
    """End the visit, so that whoever waits is told to pay another way."""
    with tools.database.writing(call.workspace_id) as session:
        note_no_page(session, tools.clock, call.subject_id, failure)


CALLS: Final = {OPENING: open_payment_page}
GIVEN_UP: Final = {OPENING: give_up_page}
