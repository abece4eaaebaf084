"""Hands documents to a provider of signatures, asks for its pages, and mails the signed copies."""

from typing import Final

from pms.contracts.contract_paper import contract_pdf
from pms.contracts.envelope_lookups import (
    EVERY,
    EnvelopeTold,
    envelope_told_in,
    is_looked_for,
)
from pms.contracts.issue_contract import take_back
from pms.contracts.mail_signed_copy import mail_signed_copy
from pms.contracts.note_envelope_event import note_envelope_event
from pms.contracts.note_handing import note_handing
from pms.contracts.provider_envelopes import (
    envelope_in,
    envelope_lookup_request,
    envelope_request,
    envelope_void_request,
    known_envelope_in,
    known_envelope_request,
    signing_page_request,
)
from pms.contracts.queries import (
    ENVELOPE,
    ENVELOPE_LOOKUP,
    ENVELOPE_VOID,
    SIGNING_PAGE,
    ContractRecord,
    ContractState,
    contract_record,
)
from pms.contracts.signed_copy import SIGNED_COPY
from pms.foundation.files import Files
from pms.foundation.provider_calls import (
    ProviderCall,
    call_in_hand,
    mark_done,
    put_call,
    put_off_call,
)
from pms.foundation.provider_http import ProviderError, Reach, ask_provider, checked_page
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Sealer
from pms.jobs.tools import Tools
from pms.rules.enumerations import IntegrationKind
from pms.statements.parties import home_of
from pms.workspaces.integrations import Access, access_to

ACTOR: Final = "worker"


def hand_document_over(tools: Tools, call: ProviderCall, reach: Reach) -> None:
    """Have a document signed at the provider; one that was replaced meanwhile stays here."""
    with tools.database.reading(call.workspace_id) as session:
        record = contract_record(session, call.subject_id)
        if record.state is not ContractState.SENT:
            raise ProviderError("the document no longer waits for a signature", for_good=True)
        access = _access(tools, session)
        home = home_of(session, record.reservation_id)
        paper = contract_pdf(session, record.id)
    envelope = None
    if call.failure is not None or call.attempts > 1:
        # An earlier try may have arrived, its answer lost: one document is never sent twice.
        envelope = known_envelope_in(ask_provider(known_envelope_request(access, call.id), reach))
    if envelope is None:
        signer = (home.resident, home.email or "")
        asked = envelope_request(access, call.id, record, paper, signer)
        envelope = envelope_in(ask_provider(asked, reach))

    def keep(session: WorkspaceSession) -> None:
        ours = call_in_hand(session, call)
        if ours is not None:
            contract = note_handing(session, contract_id=record.id, envelope=envelope)
            if not contract_record(session, record.id).may_be_signed:
                take_back(session, tools.clock, contract)
            mark_done(ours, tools.clock)
            put_call(session, tools.clock, kind=ENVELOPE_LOOKUP, subject_id=record.id, wait=EVERY)

    tools.database.write(call.workspace_id, keep)


def look_up_document(tools: Tools, call: ProviderCall, reach: Reach) -> None:
    """Ask how a document stands; while it waits it is asked again."""
    with tools.database.reading(call.workspace_id) as session:
        record = contract_record(session, call.subject_id)
        is_asked = is_looked_for(record, call.written_at, tools.clock.now())
        access = _access(tools, session) if is_asked else None
    told = None
    if access is not None and record.envelope is not None:
        answer = ask_provider(envelope_lookup_request(access, record.envelope), reach)
        told = envelope_told_in(answer, record.envelope)

    def keep(session: WorkspaceSession) -> None:
        ours = call_in_hand(session, call)
        if ours is None:
            return
        if told is not None and told.event is None:
            put_off_call(ours, tools.clock, EVERY, ours.facts)
            return
        if told is not None and told.event is not None:
            _note(tools, session, record, told)
        mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def take_document_back(tools: Tools, call: ProviderCall, reach: Reach) -> None:
    """Close a document at the provider that was replaced or outdated here."""
    with tools.database.reading(call.workspace_id) as session:
        record = contract_record(session, call.subject_id)
        access = _access(tools, session)
    if record.envelope is not None and record.signed is None:
        ask_provider(envelope_void_request(access, record.envelope), reach)

    def keep(session: WorkspaceSession) -> None:
        ours = call_in_hand(session, call)
        if ours is not None:
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def ask_for_page(tools: Tools, call: ProviderCall, reach: Reach) -> None:
    """Ask for the page on which a document is signed, which is good for a few minutes."""
    with tools.database.reading(call.workspace_id) as session:
        record = contract_record(session, call.subject_id)
        if record.state is not ContractState.SENT or record.envelope is None:
            raise ProviderError("the document no longer waits for a signature", for_good=True)
        access = _access(tools, session)
        home = home_of(session, record.reservation_id)
    back = f"{tools.settings.base_url}{call.facts['return_path']}"
    signer = (home.resident, home.email or "")
    asked = signing_page_request(access, record.envelope, record, signer, back)
    url = checked_page(ask_provider(asked, reach).get("url"), allow_http=reach.allow_http)

    def keep(session: WorkspaceSession) -> None:
        ours = call_in_hand(session, call)
        if ours is not None:
            note_handing(session, contract_id=record.id, signing_url=url)
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def send_signed_copy(tools: Tools, call: ProviderCall, _: Reach) -> None:
    """Set the signed paper and mail it: it takes a moment, which nobody should wait for."""

    def finish(session: WorkspaceSession) -> None:
        ours = call_in_hand(session, call)
        if ours is not None:
            mail_signed_copy(session, tools.clock, Files(tools.settings), call.subject_id)
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, finish)


def _access(tools: Tools, session: WorkspaceSession) -> Access:
    return access_to(session, Sealer(tools.settings.secret_key), IntegrationKind.ESIGN)


def _note(
    tools: Tools, session: WorkspaceSession, record: ContractRecord, told: EnvelopeTold
) -> None:
    if told.event is not None and record.envelope is not None:
        note_envelope_event(
            session,
            tools.clock,
            ACTOR,
            envelope=record.envelope,
            event=told.event,
            reason=told.reason,
        )


CALLS: Final = {
    ENVELOPE: hand_document_over,
    ENVELOPE_LOOKUP: look_up_document,
    ENVELOPE_VOID: take_document_back,
    SIGNING_PAGE: ask_for_page,
    SIGNED_COPY: send_signed_copy,
}
