"""Calls to payment and signature providers, tests of a provider, and the job of all waiting calls."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from threading import Lock
from typing import Final

import structlog

from pms.checkouts import checkout_records, lookups, payment_pages
from pms.checkouts.checkout_records import CheckoutRecord
from pms.checkouts.lookups import FIRST_WAIT
from pms.checkouts.open_bills import LOOKING
from pms.checkouts.payment_pages import OPENING
from pms.contracts import contract_papers, envelope_events, envelopes, issuing
from pms.contracts.envelope_events import EnvelopeStatus
from pms.contracts.envelopes import EVERY
from pms.contracts.queries import (
    ENVELOPE,
    ENVELOPE_LOOKUP,
    ENVELOPE_VOID,
    SIGNING_PAGE,
    ContractRecord,
    ContractState,
    contract_record,
)
from pms.contracts.signing import SIGNED_COPY
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Problem
from pms.foundation.files import Files
from pms.foundation.outbox import (
    ProviderCall,
    lease_calls,
    mark_call_failed,
    mark_done,
    put_call,
    put_off_call,
)
from pms.foundation.provider_http import (
    PUBLIC,
    CallLimits,
    ProviderError,
    ask_provider,
    check_page,
    plain_reason,
)
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Signer
from pms.foundation.translations import translate
from pms.foundation.work import Work, lock_leased
from pms.jobs import collection_calls, message_calls
from pms.jobs.runs import Tools
from pms.ledger import queries
from pms.providers import esign, payments
from pms.providers.authentication import Access
from pms.providers.payments import CheckoutPayer, CheckoutStatus, PaymentPage
from pms.providers.probes import PROBES
from pms.rules.enumerations import CheckoutState, IntegrationKind
from pms.statements import invoices
from pms.workspaces import integrations
from pms.workspaces.integration_records import TESTING
from pms.workspaces.integrations import access_to


def probe_provider(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Send one request: a failure is the result, and it is not tried again automatically."""
    failure = _test_failure(tools, call, limits)

    def keep(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is not None:
            ours.facts = {**ours.facts, "failure": failure}
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def _test_failure(tools: Tools, call: ProviderCall, limits: CallLimits) -> str | None:
    kind = IntegrationKind(call.facts["kind"])
    try:
        with tools.database.reading(call.workspace_id) as session:
            access = access_to(session, Signer(tools.settings.secret_key), kind)
        ask_provider(PROBES[kind](access), limits)
    except ProviderError as problem:
        return plain_reason(str(problem))
    return None


TEST_CALLS: Final[Mapping[str, Callable[[Tools, ProviderCall, CallLimits], None]]] = {
    TESTING: probe_provider
}


ACTOR: Final = "worker"
_LONGEST_LABEL: Final = 250


def open_payment_page(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Open the provider's payment page and store its address; nothing is locked during the call.

    A checkout whose bill has changed since, or for which a newer one was opened, ends without a
    page.
    """
    with tools.database.reading(call.workspace_id) as session:
        visit = checkout_records.checkout_record(session, call.subject_id)
        is_asked = checkout_records.is_wanted(session, visit, tools.clock.today())
        if is_asked:
            access = _payment_access(tools, session)
            home = invoices.home_of(session, visit.reservation_id)
            entry_ids = visit.entry_id, *visit.other_entry_ids
            labels = [
                queries.entry_record(session, id_).label.in_language(home.locale)
                for id_ in entry_ids
            ]
            label = translate(", ", home.locale).join(filter(None, labels))
            payer = CheckoutPayer(label[:_LONGEST_LABEL], home.locale, home.email)
            terms = payment_pages.page_terms(call.id, call.written_at, tools.clock.now())
            asked = payments.payment_page_request(
                access, terms, visit, payer, tools.settings.base_url
            )
        else:
            asked = None
    page = None
    if asked is not None:
        page = payments.page_in(ask_provider(asked, limits), allow_http=limits.allow_http)

    def keep(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is not None:
            _keep_page(tools, session, visit, page)
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def look_up_payment(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Query the state of a checkout; while it is open, query again at growing intervals."""
    with tools.database.reading(call.workspace_id) as session:
        visit = checkout_records.checkout_record(session, call.subject_id)
        is_asked = lookups.is_looked_for(visit, tools.clock.now())
        access = _payment_access(tools, session) if is_asked else None
    status = None
    if access is not None:
        status = payments.read_checkout(
            ask_provider(payments.payment_lookup_request(access, visit), limits), visit
        )

    def keep(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is None:
            return
        if status is None or status.outcome is not None:
            _note_payment(tools, session, visit, status)
            mark_done(ours, tools.clock)
        else:
            facts = {**ours.facts, "looks": ours.facts.get("looks", 0) + 1}
            put_off_call(ours, tools.clock, lookups.wait_after(facts), facts)

    tools.database.write(call.workspace_id, keep)


def give_up_page(session: WorkspaceSession, clock: Clock, call: ProviderCall, failure: str) -> None:
    """End the checkout, so that the resident is told to pay another way."""
    payment_pages.note_no_page(session, clock, call.subject_id, failure)


def _payment_access(tools: Tools, session: WorkspaceSession) -> Access:
    return integrations.access_to(
        session, Signer(tools.settings.secret_key), IntegrationKind.PAYMENTS
    )


def _keep_page(
    tools: Tools, session: WorkspaceSession, visit: CheckoutRecord, page: PaymentPage | None
) -> None:
    if page is None:
        _note_payment(tools, session, visit, CheckoutStatus(CheckoutState.EXPIRED))
        return
    payment_pages.note_page(session, tools.clock, visit.id, page)
    put_call(session, tools.clock, kind=LOOKING, subject_id=visit.id, wait=FIRST_WAIT)


def _note_payment(
    tools: Tools, session: WorkspaceSession, visit: CheckoutRecord, typed: CheckoutStatus | None
) -> None:
    if typed is not None and typed.outcome is not None:
        lookups.note_checkout_event(
            Work(session, tools.clock, ACTOR),
            checkout_id=visit.id,
            outcome=typed.outcome,
            payment_reference=typed.payment_reference,
            amount_yen=typed.amount_yen,
        )


PAYMENT_CALLS: Final = {OPENING: open_payment_page, LOOKING: look_up_payment}
PAYMENT_GIVEN_UP: Final = {OPENING: give_up_page}


def hand_document_over(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Send a document to the provider to be signed; one that no longer waits is not sent."""
    with tools.database.reading(call.workspace_id) as session:
        record = contract_record(session, call.subject_id)
        if record.state is not ContractState.SENT:
            raise ProviderError("the document no longer waits for a signature", for_good=True)
        access = _signature_access(tools, session)
        home = invoices.home_of(session, record.reservation_id)
        paper = contract_papers.contract_pdf(session, record.id)
    envelope = None
    if call.failure is not None or call.attempts > 1:
        # An earlier try may have arrived although its answer was lost: never send a document twice.
        envelope = esign.known_envelope_in(
            ask_provider(esign.known_envelope_request(access, call.id), limits)
        )
    if envelope is None:
        signer = (home.resident, home.email or "")
        asked = esign.envelope_request(access, call.id, record, paper, signer)
        envelope = esign.envelope_in(ask_provider(asked, limits))

    def keep(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is not None:
            contract = envelopes.note_handing(session, contract_id=record.id, envelope=envelope)
            if not contract_record(session, record.id).may_be_signed:
                issuing.take_back(session, tools.clock, contract)
            mark_done(ours, tools.clock)
            put_call(session, tools.clock, kind=ENVELOPE_LOOKUP, subject_id=record.id, wait=EVERY)

    tools.database.write(call.workspace_id, keep)


def look_up_document(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Query the state of a document; while it waits, query again."""
    with tools.database.reading(call.workspace_id) as session:
        record = contract_record(session, call.subject_id)
        is_asked = envelopes.is_looked_for(record, call.written_at, tools.clock.now())
        access = _signature_access(tools, session) if is_asked else None
    status = None
    if access is not None and record.envelope is not None:
        answer = ask_provider(esign.envelope_lookup_request(access, record.envelope), limits)
        status = envelope_events.envelope_in(answer, record.envelope)

    def keep(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is None:
            return
        if status is not None and status.event is None:
            put_off_call(ours, tools.clock, EVERY, ours.facts)
            return
        if status is not None and status.event is not None:
            _note_envelope(tools, session, record, status)
        mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def take_document_back(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Void a document at the provider that was replaced or became outdated here."""
    with tools.database.reading(call.workspace_id) as session:
        record = contract_record(session, call.subject_id)
        access = _signature_access(tools, session)
    if record.envelope is not None and record.signed is None:
        ask_provider(esign.envelope_void_request(access, record.envelope), limits)

    def keep(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is not None:
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def ask_for_page(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Request the page on which a document is signed, which is valid for a few minutes."""
    with tools.database.reading(call.workspace_id) as session:
        record = contract_record(session, call.subject_id)
        if record.state is not ContractState.SENT or record.envelope is None:
            raise ProviderError("the document no longer waits for a signature", for_good=True)
        access = _signature_access(tools, session)
        home = invoices.home_of(session, record.reservation_id)
    back = f"{tools.settings.base_url}{call.facts['return_path']}"
    signer = (home.resident, home.email or "")
    asked = esign.signing_page_request(access, record.envelope, record, signer, back)
    url = check_page(ask_provider(asked, limits).get("url"), allow_http=limits.allow_http)

    def keep(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is not None:
            envelopes.note_handing(session, contract_id=record.id, signing_url=url)
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def send_signed_copy(tools: Tools, call: ProviderCall, _: CallLimits) -> None:
    """Typeset the signed document and mail it, here because it takes a moment."""

    def finish(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is not None:
            contract_papers.mail_signed_copy(
                session, tools.clock, Files(tools.settings), call.subject_id
            )
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, finish)


def _signature_access(tools: Tools, session: WorkspaceSession) -> Access:
    return integrations.access_to(session, Signer(tools.settings.secret_key), IntegrationKind.ESIGN)


def _note_envelope(
    tools: Tools, session: WorkspaceSession, record: ContractRecord, envelope: EnvelopeStatus
) -> None:
    if envelope.event is not None and record.envelope is not None:
        envelope_events.note_envelope_event(
            Work(session, tools.clock, ACTOR),
            envelope=record.envelope,
            event=envelope.event,
            reason=envelope.reason,
        )


SIGNATURE_CALLS: Final = {
    ENVELOPE: hand_document_over,
    ENVELOPE_LOOKUP: look_up_document,
    ENVELOPE_VOID: take_document_back,
    SIGNING_PAGE: ask_for_page,
    SIGNED_COPY: send_signed_copy,
}


LONGEST_TURN: Final = timedelta(minutes=5)
_log = structlog.get_logger("pms.jobs.provider_calls")
_at_work = Lock()

ALL_CALLS: Final[Mapping[str, Callable[[Tools, ProviderCall, CallLimits], None]]] = {
    **PAYMENT_CALLS,
    **collection_calls.CALLS,
    **SIGNATURE_CALLS,
    **message_calls.CALLS,
    **TEST_CALLS,
}
"""The handler by kind of call; it marks the call done in the transaction with the answer."""
ALL_GIVEN_UP: Final[Mapping[str, Callable[[WorkspaceSession, Clock, ProviderCall, str], None]]] = {
    **PAYMENT_GIVEN_UP,
    **collection_calls.GIVEN_UP,
    **message_calls.GIVEN_UP,
}
"""The handler by kind of a call that is given up, run in the same transaction."""


def make_provider_calls(tools: Tools, limits: CallLimits = PUBLIC) -> None:
    """Make the calls to providers that are due, and record the result of each.

    The call returns at once while this process is still making calls. Other `limits` are for tests
    only: by default an address that a person typed cannot lead into the internal network.
    """
    if not _at_work.acquire(blocking=False):
        return
    try:
        until = tools.clock.now() + LONGEST_TURN
        while tools.clock.now() < until and (calls := _lease_calls(tools)):
            for call in calls:
                _make_call(tools, call, limits)
    finally:
        _at_work.release()


def _lease_calls(tools: Tools) -> list[ProviderCall]:
    return tools.database.write_across_workspaces(lambda session: lease_calls(session, tools.clock))


def _make_call(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    try:
        ALL_CALLS[call.kind](tools, call, limits)
    except (ProviderError, Problem) as failure:
        _note_failure(tools, call, failure)
    except Exception as failure:
        # An unexpected error must not stop the other calls; the call is tried again and logged.
        _log.exception("provider call broke", call=call.id, kind=call.kind)
        _note_failure(tools, call, failure)
    else:
        _log.info("provider call made", call=call.id, kind=call.kind, workspace=call.workspace_id)


def _note_failure(tools: Tools, call: ProviderCall, failure: Exception) -> None:
    is_known = isinstance(failure, ProviderError | Problem)
    reason = plain_reason(str(failure)) if is_known else type(failure).__name__
    for_good = isinstance(failure, Problem) or getattr(failure, "for_good", False)
    _log.warning("provider call failed", call=call.id, kind=call.kind, failure=reason)

    def note(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is not None:
            mark_call_failed(ours, tools.clock, reason, for_good=for_good)
            if ours.given_up_at is not None and call.kind in ALL_GIVEN_UP:
                # The call's subject may be deleted; the call is given up all the same.
                with suppress(NotFound):
                    ALL_GIVEN_UP[call.kind](session, tools.clock, call, reason)

    tools.database.write(call.workspace_id, note)
