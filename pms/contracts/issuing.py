"""Issuing and renewing contracts and amendments, and sending a contract with its move-in invoice."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import (
    NOTHING,
    facts_of_document,
    facts_of_reservation,
    place_text,
)
from pms.contracts.envelopes import send_contract
from pms.contracts.merged_documents import (
    MergedContract,
    document,
    endless_template,
    lease_kind_of,
    merge_contract,
    paper_text,
    refuse_unlimited,
)
from pms.contracts.models import Contract, ContractKind, ContractSignature
from pms.contracts.queries import (
    ENVELOPE_VOID,
    ContractRecord,
    agreed_contract,
    contract_record,
    contracts_of,
    lock_contract,
    paper_standing,
)
from pms.contracts.stated_terms import ChangedTerm, StatedTerm, changed_terms, stated_terms
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.files import Files
from pms.foundation.ids import new_id
from pms.foundation.outbox import put_call
from pms.foundation.phrases import any_of
from pms.foundation.translations import translate_both
from pms.foundation.work import Work, locked
from pms.ledger.move_in import is_move_in_invoice_paid
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import (
    ContractState,
    EntryKind,
    EsignStatus,
    LeaseKind,
    Locale,
    PaymentStatus,
)
from pms.rules.template_places import escape_markdown, fill_places
from pms.statements.due_invoices import resend_invoice, send_invoice
from pms.statements.invoices import issue_invoice
from pms.statements.paper_parties import parties_of_home
from pms.statements.papers import StoreNumberOf, no_store_number
from pms.statements.queries import BilledEntry, billed_entries


def issue_contract(
    work: Work, *, reservation_id: str, template_id: str | None = None, locale: str | None = None
) -> str:
    """Issue the contract of a reservation; return its id. `locale` defaults to the resident's.

    An unsigned earlier document is replaced and can no longer be signed. Raises `NotFound`, and
    `Refused` for a cancelled booking or dates that form no contract.
    """
    refuse_over(work.session, reservation_id)
    facts = facts_of_reservation(work.session, reservation_id, work.clock.today())
    spoken = _check_locale(locale or facts.locale)
    merged = merge_contract(work.session, facts, template_id=template_id, locale=spoken)
    return keep_document(
        work,
        reservation_id=reservation_id,
        kind=ContractKind.LEASE,
        merged=merged,
        locale=spoken,
        stated=stated_terms(facts),
        template_id=template_id,
        needs_explanation=lease_kind_of(work.session, template_id) is LeaseKind.FIXED_TERM,
    )


def refuse_over(session: Session, reservation_id: str) -> None:
    """Lock a reservation; raise `Refused` for a cancelled booking."""
    if locked(session, Reservation, reservation_id).cancelled_at is not None:
        raise Refused("The booking is cancelled, so no contract can be issued.")


def keep_document(
    work: Work,
    *,
    reservation_id: str,
    kind: ContractKind,
    merged: MergedContract,
    locale: str,
    stated: Mapping[str, Any],
    template_id: str | None = None,
    term_id: str | None = None,
    needs_explanation: bool,
) -> str:
    """Store a merged document, which replaces the unsigned ones; return its id."""
    replace_unsigned_contracts(work.session, work.clock, reservation_id)
    contract = Contract(
        id=new_id(),
        reservation_id=reservation_id,
        kind=kind,
        template_id=template_id,
        term_id=term_id,
        number=_next_number(work.session, reservation_id),
        locale=locale,
        title=merged.title,
        body=merged.body,
        body_hash=merged.body_hash,
        stated=dict(stated),
        needs_explanation=needs_explanation,
        parties=parties_of_home(work.session, reservation_id, work.clock.today()).to_json,
        issued_at=work.clock.now(),
        issued_by=work.actor,
    )
    work.session.add(contract)
    facts = {"contract_id": contract.id, "number": contract.number, "title": contract.title}
    about = of_reservation(reservation_id)
    note_audit_event(work, AuditEvent.CONTRACT_ISSUED, about, after=facts)
    work.session.flush()
    return contract.id


def replace_unsigned_contracts(session: Session, clock: Clock, reservation_id: str) -> None:
    """Mark the unsigned documents of a reservation as replaced."""
    signed = select(ContractSignature.contract_id)
    for earlier in session.scalars(
        select(Contract).where(
            Contract.reservation_id == reservation_id,
            Contract.replaced_at.is_(None),
            Contract.id.not_in(signed),
        )
    ):
        earlier.replaced_at = clock.now()
        take_back(session, clock, earlier)


def take_back(session: Session, clock: Clock, contract: Contract) -> None:
    """Have the provider void a document that was sent to it, if it was."""
    is_over = contract.declined_at is not None or contract.expired_at is not None
    if contract.envelope is not None and not is_over:
        put_call(session, clock, kind=ENVELOPE_VOID, subject_id=contract.id)


def _check_locale(locale: str) -> str:
    if locale not in list(Locale):
        raise Refused(
            "locale: '{locale}' is not a language of contracts. Choose {allowed}.",
            locale=locale[:20],
            allowed=any_of(list(Locale)),
        )
    return locale


def _next_number(session: Session, reservation_id: str) -> int:
    asked = select(func.max(Contract.number)).where(Contract.reservation_id == reservation_id)
    return (session.scalar(asked) or 0) + 1


_CHANGES: Final = "{{changes}}"
_HEADS: Final = translate_both("| Item | Before | After |")
_AS_SIGNED: Final = translate_both("as signed")


def issue_amendment(work: Work, *, reservation_id: str) -> str:
    """Issue the amendment of a signed lease, in its language, and return its id.

    Raises `Refused` when nothing is signed, or when nothing changed since.
    """
    refuse_over(work.session, reservation_id)
    agreed = agreed_contract(work.session, reservation_id)
    if agreed is None:
        raise Refused("There is no signed contract to amend. Issue a contract.")
    facts = facts_of_document(work.session, reservation_id, agreed.term_id, work.clock.today())
    refuse_unlimited(facts)
    stated = stated_terms(facts)
    changes = changed_terms(agreed.stated, stated)
    if not changes:
        raise Refused("The contract already says the same. It needs no amendment.")
    text, locale = paper_text("amendment", agreed.locale).strip(), agreed.locale
    before, after = (
        fill_places(part, lambda name: place_text(name, facts, locale))
        for part in text.split(_CHANGES)
    )
    body = f"{before}{_format_changes(changes, locale)}{after}\n"
    return keep_document(
        work,
        reservation_id=reservation_id,
        kind=ContractKind.AMENDMENT,
        merged=document(body, locale),
        locale=locale,
        stated=stated,
        term_id=agreed.term_id,
        # By law other days of a fixed term need a new explanation, as the first ones did.
        needs_explanation=agreed.needs_explanation
        and any(change.term is StatedTerm.DATES for change in changes),
    )


def _format_changes(changes: Iterable[ChangedTerm], locale: str) -> str:
    lines = [_HEADS.in_language(locale) or "", "| --- | --- | --- |"]
    for change in changes:
        was, becomes = (
            change.before.in_language(locale) or _AS_SIGNED.in_language(locale),
            change.after.in_language(locale),
        )
        cells = (
            change.label.in_language(locale),
            escape_markdown(was or NOTHING),
            escape_markdown(becomes or NOTHING),
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def renew_paper(work: Work, *, contract_id: str, link: str) -> str:
    """Replace an outdated document, or amend a signed one; return the new document's id.

    It is sent if the old one was sent and the signer has an address; `link` leads to it. Raises
    `Collision` for a document that is not outdated, or was renewed meanwhile.
    """
    row, contract = lock_contract(work.session, contract_id)
    record = contract_record(work.session, contract_id)
    is_amended = record.signed is not None or record.kind is ContractKind.AMENDMENT
    if not is_outdated(record) or (record.signed and _is_under_way(work.session, record)):
        raise Collision(
            "This document was already renewed, or the contract terms are unchanged again."
        )
    if is_amended:
        new_id = issue_amendment(work, reservation_id=row.id)
    else:
        new_id = issue_contract(
            work, reservation_id=row.id, template_id=contract.template_id, locale=contract.locale
        )
    if row.email and record.sent_at is not None:
        send_contract(work, contract_id=new_id, link=link)
    return new_id


def is_outdated(record: ContractRecord) -> bool:
    """Whether a document must be renewed, or a signed one amended."""
    if record.signed is not None:
        return record.outdated_at is not None
    return record.state is ContractState.OUTDATED


def _is_under_way(session: Session, signed: ContractRecord) -> bool:
    """Whether a later document is already waiting for a signature."""
    later = contracts_of(session, signed.reservation_id)
    return any(contract.number > signed.number and contract.may_be_signed for contract in later)


class SentPapers(NamedTuple):
    """The title of the contract and the number of the invoice that are sent; None for neither."""

    contract: str | None
    invoice: str | None


def send_move_in_papers(
    work: Work,
    files: Files,
    *,
    reservation_id: str,
    link: str,
    number_of: StoreNumberOf = no_store_number,
) -> SentPapers:
    """Issue and mail the contract and the move-in invoice, as far as they were not sent.

    An outdated contract is renewed; one that is missing, declined or expired is issued anew from
    the default template. `link` leads to it. Raises `Refused` without an address, and `Collision`
    when both were sent already.
    """
    row = reservation_to_change(work.session, reservation_id)
    contract = _send_contract(work, row, link)
    invoice = _send_invoice(work, files, row, number_of)
    if contract is None and invoice is None:
        raise Collision("The contract and the invoice were already sent.")
    return SentPapers(contract, invoice)


def move_in_entry(session: Session, reservation_id: str) -> BilledEntry | None:
    """Return the entry of the move-in invoice in force, or None."""
    found = billed_entries(session, reservation_id).values()
    return next(
        (bill for bill in found if bill.kind is EntryKind.MOVE_IN and not bill.is_voided), None
    )


def _send_contract(work: Work, row: Reservation, link: str) -> str | None:
    if row.esign_status == EsignStatus.SIGNED:
        return None
    paper = paper_standing(work.session, row.id)
    if paper is None or paper.is_over:
        template_id = None if row.ends_on else endless_template(work.session)
        contract_id = issue_contract(work, reservation_id=row.id, template_id=template_id)
    elif paper.is_outdated:
        contract_id = renew_paper(work, contract_id=paper.id, link=link)
    elif paper.sent_at is None:
        contract_id = paper.id
    else:
        return None
    record = contract_record(work.session, contract_id)
    if record.sent_at is None:
        send_contract(work, contract_id=contract_id, link=link)
    return record.title


def _send_invoice(
    work: Work, files: Files, row: Reservation, number_of: StoreNumberOf
) -> str | None:
    entry = move_in_entry(work.session, row.id)
    is_paid = row.payment_status == PaymentStatus.PAID or is_move_in_invoice_paid(
        work.session, row.id, work.clock.today()
    )
    if entry is None or is_paid:
        return None
    invoice = issue_invoice(work, entry.id)
    if invoice.sent_at is None:
        send_invoice(work, invoice.id, files, number_of)
    elif entry.changed is not None and entry.changed.is_sent_before:
        resend_invoice(
            work,
            invoice_id=invoice.id,
            files=files,
            seen_sent_at=invoice.sent_at,
            number_of=number_of,
        )
    else:
        return None
    return invoice.number
