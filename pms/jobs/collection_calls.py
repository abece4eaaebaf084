"""Calls to the payment provider for kept cards, charges and numbers for stores."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from pms.collections import choices, collected_bills
from pms.collections.choices import (
    CANCELLING,
    CARD_LOOKUP,
    CARD_PAGE,
    CARD_REMOVAL,
)
from pms.collections.collected_bills import CHARGING, LOOKING
from pms.collections.collections_read import collection_record
from pms.foundation.clock import Clock
from pms.foundation.outbox import ProviderCall, mark_done, put_call, put_off_call
from pms.foundation.provider_http import CallLimits, ProviderError, ProviderRequest, ask_provider
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Signer
from pms.foundation.work import Work, lock_leased
from pms.jobs.runs import Tools
from pms.ledger.queries import entry_record
from pms.providers import collected_payments, payments
from pms.providers.authentication import Access
from pms.providers.collected_payments import CardToKeep, ChargeAnswer, CollectedPayer
from pms.rules.enumerations import ChoiceState, CollectionState, IntegrationKind, PaymentWay
from pms.statements import invoices
from pms.workspaces import integrations

ACTOR: Final = "worker"
_FIRST_LOOK: Final = timedelta(seconds=20)
_LOOKED_FOR: Final = timedelta(hours=2)
_NEXT_LOOK: Final = timedelta(hours=12)


def open_card_page(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Open the provider's page for entering a card, and store its address."""
    with tools.database.reading(call.workspace_id) as session:
        choice = choices.choice_record(session, call.subject_id)
        access, home = (
            _read_access(tools, session),
            invoices.home_of(session, choice.reservation_id),
        )
    card = CardToKeep(call.id, choice.id, choice.return_path or "/", home.locale, home.email)
    asked = collected_payments.card_page_request(access, card, tools.settings.base_url)
    page = payments.page_in(ask_provider(asked, limits), allow_http=limits.allow_http)

    def keep(session: WorkspaceSession) -> None:
        choices.note_card_page(session, tools.clock, choice.id, page)
        put_call(session, tools.clock, kind=CARD_LOOKUP, subject_id=choice.id, wait=_FIRST_LOOK)

    _finish_call(tools, call, keep)


def look_up_card(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Query which card was entered; while none was, query again, for two hours."""
    with tools.database.reading(call.workspace_id) as session:
        choice = choices.choice_record(session, call.subject_id)
        access = _read_access(tools, session)
    card = None
    is_over = tools.clock.now() - choice.consented_at > _LOOKED_FOR
    if choice.state is ChoiceState.ASKED and choice.reference is not None:
        asked = collected_payments.card_lookup_request(access, choice.reference)
        card = collected_payments.card_in(ask_provider(asked, limits), choice.reference)

    def keep(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is None:
            return
        if card is not None:
            choices.note_card(_build_work(tools, session), choice.id, card)
        elif choice.state is ChoiceState.ASKED and not is_over:
            looks = ours.facts.get("looks", 0) + 1
            wait = min(_FIRST_LOOK * 2 ** min(looks, 6), timedelta(minutes=10))
            put_off_call(ours, tools.clock, wait, {"looks": looks})
            return
        else:
            choices.note_no_card(session, tools.clock, choice.id, "no card was entered")
        mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def remove_card(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Delete a card at the provider after its choice has ended."""
    with tools.database.reading(call.workspace_id) as session:
        choice, access = (
            choices.choice_record(session, call.subject_id),
            _read_access(tools, session),
        )
    if choice.card is not None:
        method = choice.card.method
        ask_provider(collected_payments.card_removal_request(access, method, call.id), limits)
    _finish_call(tools, call, lambda _session: None)


def collect_bill(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Collect the money of one bill, once; a bill that was paid meanwhile is not collected.

    After a try whose answer was lost, the provider is first asked whether that try arrived.
    """
    with tools.database.reading(call.workspace_id) as session:
        record = collection_record(session, call.subject_id)
        choice = choices.choice_record(session, record.choice_id)
        is_wanted = collected_bills.is_wanted(session, record, tools.clock.today())
        home = invoices.home_of(session, record.reservation_id)
        label = entry_record(session, record.entry_id).label.in_language(home.locale) or ""
        access = _read_access(tools, session)
        payer = CollectedPayer(home.resident, home.email, label)
    answer = None
    if record.state is CollectionState.ASKED:
        if call.failure is not None or call.attempts > 1:
            asked = collected_payments.charge_search_request(access, record)
            answer = collected_payments.found_charge(ask_provider(asked, limits))
        if answer is None and is_wanted and choice.state is ChoiceState.ACTIVE:
            if record.way is PaymentWay.STORE:
                until = collected_bills.store_deadline(tools.clock, record.due_on)
                request = collected_payments.store_number_request(access, record, payer, until)
            else:
                if choice.card is None:
                    raise ProviderError("no card was entered", for_good=True)
                request = collected_payments.charge_request(access, record, choice.card, payer)
            answer = _request_charge(request, limits)

    def keep(session: WorkspaceSession) -> None:
        work = _build_work(tools, session)
        if answer is None:
            collected_bills.cancel_collection(work, record.id)
            return
        collected_bills.note_answer(work, record.id, answer)
        if answer.state is CollectionState.ASKED:
            put_call(session, tools.clock, kind=LOOKING, subject_id=record.id, wait=_FIRST_LOOK)

    _finish_call(tools, call, keep)


def _request_charge(asked: ProviderRequest, limits: CallLimits) -> ChargeAnswer:
    """Return the provider's answer, also for a declined card; any other failure is raised."""
    try:
        return collected_payments.charge_in(ask_provider(asked, limits))
    except ProviderError as failure:
        declined = collected_payments.declined_charge(failure)
        if declined is None:
            raise
        return declined


def look_up_collection(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Query the state of a collection that waits for money, until it has ended."""
    with tools.database.reading(call.workspace_id) as session:
        record = collection_record(session, call.subject_id)
        access = _read_access(tools, session)
    answer = None
    is_open = record.state in (CollectionState.ASKED, CollectionState.WAITING)
    if is_open and record.intent:
        asked = collected_payments.charge_lookup_request(access, record)
        answer = collected_payments.charge_in(ask_provider(asked, limits))

    def keep(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is None:
            return
        if answer is not None:
            collected_bills.note_answer(_build_work(tools, session), record.id, answer)
            if answer.state in (CollectionState.ASKED, CollectionState.WAITING):
                put_off_call(ours, tools.clock, _NEXT_LOOK, ours.facts)
                return
        mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def cancel_number(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Cancel a number for paying at stores; money that came before is recorded instead."""
    with tools.database.reading(call.workspace_id) as session:
        record = collection_record(session, call.subject_id)
        access = _read_access(tools, session)
    answer = None
    if record.intent and record.state is CollectionState.WAITING:
        asked = collected_payments.charge_lookup_request(access, record)
        answer = collected_payments.charge_in(ask_provider(asked, limits))
        if answer.state is CollectionState.WAITING:
            cancel = collected_payments.charge_cancel_request(access, record.intent, call.id)
            answer = collected_payments.charge_in(ask_provider(cancel, limits))

    def keep(session: WorkspaceSession) -> None:
        if answer is not None:
            collected_bills.note_answer(_build_work(tools, session), record.id, answer)

    _finish_call(tools, call, keep)


def give_up_card(session: WorkspaceSession, clock: Clock, call: ProviderCall, failure: str) -> None:
    """End the choice, so that the resident can choose again."""
    choices.note_no_card(session, clock, call.subject_id, failure)


def give_up_collection(
    session: WorkspaceSession, clock: Clock, call: ProviderCall, failure: str
) -> None:
    """End a collection that the provider refused at the first try; otherwise mark it as unknown.

    A collection whose answer was lost may have been charged: it stays open, and no other replaces
    it until a person has the call made again.
    """
    if call.attempts > 1:
        collected_bills.note_unknown(session, call.subject_id, failure)
    else:
        answer = ChargeAnswer(CollectionState.FAILED, "", reason=failure)
        collected_bills.note_answer(Work(session, clock, ACTOR), call.subject_id, answer)


def _finish_call(
    tools: Tools, call: ProviderCall, keep: Callable[[WorkspaceSession], None]
) -> None:
    """Store the result of a call and mark it done, unless another worker has taken it."""

    def finish(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is not None:
            keep(session)
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, finish)


def _read_access(tools: Tools, session: WorkspaceSession) -> Access:
    return integrations.access_to(
        session, Signer(tools.settings.secret_key), IntegrationKind.PAYMENTS
    )


def _build_work(tools: Tools, session: WorkspaceSession) -> Work:
    return Work(session, tools.clock, ACTOR)


CALLS: Final = {
    CARD_PAGE: open_card_page,
    CARD_LOOKUP: look_up_card,
    CARD_REMOVAL: remove_card,
    CHARGING: collect_bill,
    LOOKING: look_up_collection,
    CANCELLING: cancel_number,
}
GIVEN_UP: Final = {
    CARD_PAGE: give_up_card,
    CARD_LOOKUP: give_up_card,
    CHARGING: give_up_collection,
}
