"""Issuing and renewing contracts and amendments."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import NOTHING, facts_of_reservation, said_place
from pms.contracts.contract_states import ContractKind, ContractState
from pms.contracts.merged_documents import (
    MergedContract,
    document,
    lease_kind_of,
    merge_contract,
    paper_text,
)
from pms.contracts.models import Contract, ContractSignature
from pms.contracts.queries import (
    ENVELOPE_VOID,
    ContractRecord,
    agreed_contract,
    contract_record,
    contracts_of,
)
from pms.contracts.signature_requests import locked_contract, send_contract
from pms.contracts.stated_terms import ChangedTerm, StatedTerm, changed_terms, stated_terms
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual, any_of
from pms.foundation.provider_calls import put_call
from pms.foundation.work import Work
from pms.reservations.changes import locked_reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import LeaseKind, Locale
from pms.rules.template_places import escaped, fill_places


def issue_contract(
    work: Work, *, reservation_id: str, template_id: str | None = None, locale: str | None = None
) -> str:
    """Write the document of a reservation and return its id; `locale` is the resident's else.

    An earlier document that nobody signed is replaced and cannot be signed any more. Raises
    `NotFound`, and `Refused` for a cancelled booking or dates that are no contract.
    """
    refuse_over(work.session, reservation_id)
    facts = facts_of_reservation(work.session, reservation_id)
    spoken = _checked(locale or facts.locale)
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
    """Lock a reservation; raise `Refused` for a booking that is cancelled."""
    if locked_reservation(session, reservation_id).cancelled_at is not None:
        raise Refused("The booking is cancelled and gets no contract.")


def keep_document(
    work: Work,
    *,
    reservation_id: str,
    kind: ContractKind,
    merged: MergedContract,
    locale: str,
    stated: Mapping[str, Any],
    template_id: str | None = None,
    needs_explanation: bool,
) -> str:
    """Keep a document that was merged, in the place of those nobody signed; return its id."""
    replace_unsigned(work.session, work.clock, reservation_id)
    contract = Contract(
        id=new_id(),
        reservation_id=reservation_id,
        kind=kind,
        template_id=template_id,
        number=_next_number(work.session, reservation_id),
        locale=locale,
        title=merged.title,
        body=merged.body,
        body_hash=merged.body_hash,
        stated=dict(stated),
        needs_explanation=needs_explanation,
        issued_at=work.clock.now(),
        issued_by=work.actor,
    )
    work.session.add(contract)
    told = {"contract_id": contract.id, "number": contract.number, "title": contract.title}
    about = of_reservation(reservation_id)
    note_audit_event(work, AuditEvent.CONTRACT_ISSUED, about, after=told)
    work.session.flush()
    return contract.id


def replace_unsigned(session: Session, clock: Clock, reservation_id: str) -> None:
    """Mark the documents of a reservation that nobody signed as replaced."""
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
    """Have the provider of signatures close a document that it was handed, if it was."""
    is_over = contract.declined_at is not None or contract.expired_at is not None
    if contract.envelope is not None and not is_over:
        put_call(session, clock, kind=ENVELOPE_VOID, subject_id=contract.id)


def _checked(locale: str) -> str:
    if locale not in list(Locale):
        raise Refused(
            "locale: '{locale}' is not a language of contracts; {allowed} are.",
            locale=locale[:20],
            allowed=any_of(list(Locale)),
        )
    return locale


def _next_number(session: Session, reservation_id: str) -> int:
    asked = select(func.max(Contract.number)).where(Contract.reservation_id == reservation_id)
    return (session.scalar(asked) or 0) + 1


_CHANGES: Final = "{{changes}}"
_HEADS: Final = Bilingual("| 項目 | 変更前 | 変更後 |", "| Item | Before | After |")
_AS_SIGNED: Final = Bilingual("原契約のとおり", "as signed")


def issue_amendment(work: Work, *, reservation_id: str) -> str:
    """Write the amendment of a signed lease, in its language, and return its id.

    Raises `Refused` where nothing was signed, or nothing changed since.
    """
    refuse_over(work.session, reservation_id)
    agreed = agreed_contract(work.session, reservation_id)
    if agreed is None:
        raise Refused("Nothing was signed that could be amended: issue a contract.")
    facts = facts_of_reservation(work.session, reservation_id)
    stated = stated_terms(facts)
    changes = changed_terms(agreed.stated, stated)
    if not changes:
        raise Refused("The contract says what the reservation says; there is nothing to amend.")
    text, locale = paper_text("amendment", agreed.locale).strip(), agreed.locale
    before, after = (
        fill_places(part, lambda name: said_place(name, facts, locale))
        for part in text.split(_CHANGES)
    )
    body = f"{before}{_table(changes, locale)}{after}\n"
    return keep_document(
        work,
        reservation_id=reservation_id,
        kind=ContractKind.AMENDMENT,
        merged=document(body, locale),
        locale=locale,
        stated=stated,
        # Other days of a fixed term are explained anew, as the law asks of the first ones.
        needs_explanation=agreed.needs_explanation
        and any(one.term is StatedTerm.DATES for one in changes),
    )


def _table(changes: Iterable[ChangedTerm], locale: str) -> str:
    lines = [_HEADS.said(locale) or "", "| --- | --- | --- |"]
    for one in changes:
        was, becomes = one.before.said(locale) or _AS_SIGNED.said(locale), one.after.said(locale)
        cells = (one.label.said(locale), escaped(was or NOTHING), escaped(becomes or NOTHING))
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def renew_paper(work: Work, *, contract_id: str, link: str) -> str:
    """Issue what takes the place of an outdated document, or amends a signed one; return its id.

    It is sent where its signer has been asked before and has an address; `link` leads to it.
    Raises `Collision` for one that is not outdated, or was renewed meanwhile.
    """
    row, contract = locked_contract(work.session, contract_id)
    record = contract_record(work.session, contract_id)
    is_amended = record.signed is not None or record.kind is ContractKind.AMENDMENT
    if not is_outdated(record) or (record.signed and _is_under_way(work.session, record)):
        raise Collision("This document was renewed meanwhile, or its stay says the same again.")
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
    """Whether a document is to be renewed, or a signed one amended."""
    if record.signed is not None:
        return record.outdated_at is not None
    return record.state is ContractState.OUTDATED


def _is_under_way(session: Session, signed: ContractRecord) -> bool:
    """Whether a later document already waits to be signed."""
    later = contracts_of(session, signed.reservation_id)
    return any(one.number > signed.number and one.may_be_signed for one in later)
