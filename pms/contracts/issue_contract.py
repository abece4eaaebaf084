"""Issues the document of a tenancy: merged now, kept as it is, in the place of an unsigned one."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import facts_of_reservation
from pms.contracts.contract_states import ContractKind
from pms.contracts.merge_contract import MergedContract, lease_kind_of, merge_contract
from pms.contracts.models import Contract, ContractSignature
from pms.contracts.queries import ENVELOPE_VOID
from pms.contracts.stated_terms import stated_terms
from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import any_of
from pms.foundation.provider_calls import put_call
from pms.reservations.locks import locked_reservation
from pms.rules.deeds import Deed
from pms.rules.enumerations import LeaseKind, Locale


def issue_contract(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    template_id: str | None = None,
    locale: str | None = None,
) -> str:
    """Write the document of a reservation and return its id; `locale` is the resident's else.

    An earlier document that nobody signed is replaced and cannot be signed any more. Raises
    `NotFound`, and `Refused` for a cancelled booking or dates that are no contract.
    """
    refuse_over(session, reservation_id)
    facts = facts_of_reservation(session, reservation_id)
    spoken = _checked(locale or facts.locale)
    merged = merge_contract(session, facts, template_id=template_id, locale=spoken)
    return keep_document(
        session,
        clock,
        actor,
        reservation_id=reservation_id,
        kind=ContractKind.LEASE,
        merged=merged,
        locale=spoken,
        stated=stated_terms(facts),
        template_id=template_id,
        needs_explanation=lease_kind_of(session, template_id) is LeaseKind.FIXED_TERM,
    )


def refuse_over(session: Session, reservation_id: str) -> None:
    """Lock a reservation; raise `Refused` for a booking that is cancelled."""
    if locked_reservation(session, reservation_id).cancelled_at is not None:
        raise Refused("The booking is cancelled and gets no contract.")


def keep_document(
    session: Session,
    clock: Clock,
    actor: str,
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
    replace_unsigned(session, clock, reservation_id)
    contract = Contract(
        id=new_id(),
        reservation_id=reservation_id,
        kind=kind,
        template_id=template_id,
        number=_next_number(session, reservation_id),
        locale=locale,
        title=merged.title,
        body=merged.body,
        body_hash=merged.body_hash,
        stated=dict(stated),
        needs_explanation=needs_explanation,
        issued_at=clock.now(),
        issued_by=actor,
    )
    session.add(contract)
    told = {"contract_id": contract.id, "number": contract.number, "title": contract.title}
    about = of_reservation(reservation_id)
    note_deed(session, clock, actor, Deed.CONTRACT_ISSUED, about, after=told)
    session.flush()
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
