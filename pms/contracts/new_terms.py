"""A new term on the same reservation: offered, signed as a contract of its own, and withdrawn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import NOTHING, facts_of_document
from pms.contracts.envelopes import send_contract
from pms.contracts.issuing import keep_document, take_back
from pms.contracts.merged_documents import (
    document,
    lease_kind_of,
    merge_contract,
    paper_text,
)
from pms.contracts.models import Contract, ContractKind, RentProposal
from pms.contracts.outdated_papers import mark_outdated
from pms.contracts.stated_terms import stated_terms
from pms.foundation.audit import note_audit_event, note_difference, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.mail_texts import format_day, format_yen
from pms.foundation.phrases import Phrase
from pms.foundation.prepared import one_of
from pms.foundation.work import Work, find_row, locked
from pms.ledger.charges import ChargeableFee, chargeable_fees, post_charge
from pms.ledger.repricing import reprice_rows
from pms.pricing.agreed_price import check_yen
from pms.pricing.prices import begin_changed_amounts, drop_price_period, price_of
from pms.reservations.changes import (
    lifecycle_now,
    mark_changed,
    refuse_conflict,
    stay_of,
    stored_without_overlap,
)
from pms.reservations.later_terms import read_first_days, write_first_days
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import LaterTerm, Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_dates import effective_day
from pms.rules.days import ONE_DAY
from pms.rules.enumerations import LeaseKind, Lifecycle, RecurringItem, ReservationKind
from pms.rules.periods import period_end
from pms.rules.price_changes import period_on
from pms.rules.template_places import fill_places
from pms.upkeep.turnovers import tend_turnovers

MOST_MONTHS: Final = 120
"""The longest term that is offered, in months."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermWishes:
    """What is offered to one resident or to many: how long, and what it costs.

    `change_yen` is added to the base rent of a month; `fee_code` names a fee of the catalogue, due on
    the eve of the new term. Without a template the default one is used.
    """

    months: int
    change_yen: int = 0
    fee_code: str | None = None
    template_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTerm:
    """One new term as it would be offered, or why it is refused; whole yen a month."""

    reservation_id: str
    name: str
    email: str | None
    refusal: Refused | None
    first_on: date | None = None
    last_on: date | None = None
    rent_before_yen: int = 0
    rent_yen: int = 0
    fee: ChargeableFee | None = None


def plan_new_terms(
    session: Session, clock: Clock, reservation_ids: Iterable[str], wishes: TermWishes
) -> Sequence[PlannedTerm]:
    """Return what `offer_term` would offer each resident, in the order of the ids."""
    ids = list(reservation_ids)
    asked = select(Reservation).where(one_of(Reservation.id, ids))
    rows = {row.id: row for row in session.scalars(asked)}
    return [plan_new_term(session, clock, rows[id_], wishes) for id_ in ids if id_ in rows]


def plan_new_term(
    session: Session, clock: Clock, row: Reservation, wishes: TermWishes
) -> PlannedTerm:
    """Return the new term of one resident; a refusal is part of it."""
    try:
        # The first and the last day of a new term; raise `Refused` where none can follow.
        months = wishes.months
        today = clock.today()
        if type(months) is not int or not 1 <= months <= MOST_MONTHS:
            raise Refused(
                "months: {months} is not possible. Enter 1 to {most}.",
                months=months,
                most=MOST_MONTHS,
            )
        end_on = refuse_new_term(row, today)
        open_rents = select(RentProposal.id).where(
            RentProposal.reservation_id == row.id,
            RentProposal.answer.is_(None),
            RentProposal.begun_at.is_(None),
            RentProposal.withdrawn_at.is_(None),
        )
        if session.scalars(open_rents).first() is not None:
            raise Refused("term: a proposed rent waits for an answer. Withdraw it first.")
        first_on = end_on + ONE_DAY
        last_on = period_end(first_on, months)
        _refuse_successor(session, row, last_on, today)
        periods = price_of(session, row.id).price.periods
        rent_before_yen = period_on(periods, first_on).amounts.get(RecurringItem.BASE_RENT, 0)
        rent_yen = check_yen(Phrase("rent"), rent_before_yen + wishes.change_yen)
        fee = _find_fee(session, clock, row.id, wishes.fee_code, rent_yen)
    except Refused as refusal:
        return PlannedTerm(reservation_id=row.id, name=row.name, email=row.email, refusal=refusal)
    return PlannedTerm(
        reservation_id=row.id,
        name=row.name,
        email=row.email,
        refusal=None,
        first_on=first_on,
        last_on=last_on,
        rent_before_yen=rent_before_yen,
        rent_yen=rent_yen,
        fee=fee,
    )


def refuse_new_term(row: Reservation, today: date) -> date:
    """Return the last day of the present term; raise `Refused` where no new one can follow it."""
    if row.kind is not ReservationKind.RESIDENT:
        raise Refused("term: only a resident's contract can be followed by a new term.")
    state = lifecycle_now(row, today)
    if state is Lifecycle.NOTICE_FILED:
        raise Refused("term: a move-out notice has been given. Withdraw it first.")
    if state is not Lifecycle.LIVING:
        raise Refused(
            "term: The reservation is {state}. Only a current resident can get a new term.",
            state=state,
        )
    end_on = effective_day(row.contract_end_date, row.override_contract_end_date)
    if not isinstance(end_on, date):
        raise Refused("term: the contract has no last day that can be read. Correct it first.")
    if end_on < today:
        raise Refused(
            "term: the term ended on {end_on} and the tenancy continues month to month. Move the "
            "contract end first.",
            end_on=end_on,
        )
    return end_on


def _refuse_successor(
    session: Session, row: Reservation, last_on: date | None, today: date
) -> None:
    stay = stay_of(row)._replace(end_on=last_on)
    refuse_conflict(session, stay, row.unit_id, today)


def _find_fee(
    session: Session, clock: Clock, reservation_id: str, code: str | None, rent_yen: int
) -> ChargeableFee | None:
    if not code:
        return None
    fees = chargeable_fees(session, clock, reservation_id, rent_yen)
    fee = next((fee for fee in fees if fee.code == code), None)
    if fee is None or not fee.yen:
        raise Refused("feeCode: '{code}' is no fee that is charged once.", code=code[:40])
    return fee


def offer_term(work: Work, *, reservation_id: str, wishes: TermWishes, link: str) -> str:
    """Offer a new term: write its contract and mail it for signature; return the term's id.

    An earlier offer that is not signed is taken back. Without an address the contract is printed and
    handed over. Raises `Refused` where `plan_new_term` has a refusal.
    """
    row = reservation_to_change(work.session, reservation_id)
    planned = plan_new_term(work.session, work.clock, row, wishes)
    if planned.refusal is not None:
        raise planned.refusal
    terms = work.session.scalars(
        select(LaterTerm).where(
            LaterTerm.reservation_id == row.id,
            LaterTerm.signed_at.is_(None),
            LaterTerm.withdrawn_at.is_(None),
        )
    ).all()
    for earlier in terms:
        _close_offer(work, earlier, reason=None)
    term = LaterTerm(
        id=new_id(),
        reservation_id=row.id,
        kind=lease_kind_of(work.session, wishes.template_id),
        first_on=planned.first_on,
        last_on=planned.last_on,
        base_rent_yen=planned.rent_yen if wishes.change_yen else None,
        fee_code=planned.fee.code if planned.fee else None,
        fee_yen=(planned.fee.yen or 0) if planned.fee else 0,
        offered_at=work.clock.now(),
        offered_by=work.actor,
    )
    work.session.add(term)
    work.session.flush()
    note_audit_event(
        work, AuditEvent.TERM_OFFERED, of_reservation(row.id), after=_noted_facts(term)
    )
    contract_id = _issue_document(work, row, term, planned.fee, wishes.template_id)
    if row.email:
        send_contract(work, contract_id=contract_id, link=link)
    work.session.flush()
    return term.id


def _noted_facts(term: LaterTerm) -> dict[str, object]:
    return {
        "first_on": term.first_on,
        "last_on": term.last_on,
        "base_rent_yen": term.base_rent_yen,
        "fee_code": term.fee_code,
        "fee_yen": term.fee_yen or None,
    }


def _issue_document(
    work: Work,
    row: Reservation,
    term: LaterTerm,
    fee: ChargeableFee | None,
    template_id: str | None,
) -> str:
    """Write the contract of a new term: the template's text, and what follows from the former one."""
    facts = facts_of_document(work.session, row.id, term.id, work.clock.today())
    merged = merge_contract(work.session, facts, template_id=template_id, locale=row.locale)
    locale = row.locale
    values = {
        "former.end": format_day(term.first_on - ONE_DAY, locale),
        "fee.name": (fee.label.in_language(locale) if fee else None) or NOTHING,
        "fee.yen": format_yen(term.fee_yen) if term.fee_yen else NOTHING,
        "fee.due": format_day(term.first_on - ONE_DAY, locale),
    }
    name = "new-term" if term.kind is LeaseKind.FIXED_TERM else "renewal"
    lines = paper_text(name, locale).strip().split("\n")
    text = "\n".join(line for line in lines if term.fee_yen or "{{fee." not in line)
    added = fill_places(text, values.__getitem__)
    with_former_term = document(f"{merged.body.rstrip()}\n\n{added}\n", locale)
    return keep_document(
        work,
        reservation_id=row.id,
        kind=ContractKind.LEASE,
        merged=with_former_term,
        locale=row.locale,
        stated=stated_terms(facts),
        template_id=template_id,
        term_id=term.id,
        needs_explanation=term.kind is LeaseKind.FIXED_TERM,
    )


def begin_term(work: Work, row: Reservation, term_id: str) -> None:
    """Let a signed term count from now on: the contract end, its price and its fee.

    Issued rows for days of the term are repriced, as after an override of the contract end. Raises
    `Refused` while a notice is filed, where a successor starts before the new last day, and
    `Collision` when the contract end was changed since the offer.
    """
    session, today = work.session, work.clock.today()
    term = locked(session, LaterTerm, term_id)
    if term.signed_at is not None:
        return
    if term.withdrawn_at is not None:
        raise Collision("This offer of a new term was taken back.")
    end_on = refuse_new_term(row, today)
    if end_on + ONE_DAY != term.first_on:
        raise Collision("The contract end was changed since this new term was offered.")
    _refuse_successor(session, row, term.last_on, today)
    term.signed_at = work.clock.now()
    term.end_before, term.override_before = row.contract_end_date, row.override_contract_end_date
    term.kind_before = row.lease_kind
    before = {"contract_end_date": end_on}
    row.contract_end_date, row.override_contract_end_date = term.last_on, None
    row.lease_kind = term.kind
    row.later_terms_from = write_first_days([*read_first_days(row.later_terms_from), term.first_on])
    mark_changed(row, work.clock, work.actor)
    with stored_without_overlap(session):
        session.flush()
    if term.base_rent_yen is not None:
        begin_changed_amounts(
            session,
            reservation_id=row.id,
            from_on=term.first_on,
            changes={RecurringItem.BASE_RENT: term.base_rent_yen},
        )
        term.has_price = True
    reprice_rows(work, row.id, priced_from=term.first_on)
    tend_turnovers(session, [row.unit_id])
    mark_outdated(work, [row.id])
    if term.fee_yen:
        _charge_fee(work, row, term)
    after = {"contract_end_date": term.last_on, **_noted_facts(term)}
    about = of_reservation(row.id)
    note_difference(work, AuditEvent.TERM_SIGNED, about, before=before, after=after)


def _charge_fee(work: Work, row: Reservation, term: LaterTerm) -> None:
    fees = chargeable_fees(work.session, work.clock, row.id)
    fee = next((fee for fee in fees if fee.code == term.fee_code), None)
    if fee is None:
        raise Refused("feeCode: '{code}' is no fee that is charged once.", code=term.fee_code or "")
    term.fee_entry_id = post_charge(
        work,
        reservation_id=row.id,
        amount_yen=term.fee_yen,
        label=fee.label,
        category=fee.category,
        tax_treatment=fee.tax_treatment,
        due_on=term.first_on - ONE_DAY,
    )


def withdraw_term(work: Work, *, term_id: str, reason: str | None = None) -> LaterTerm:
    """Take an offer back, or withdraw a signed term before its first day; return the term.

    The contract end is the old one again, the price period of the term goes, and rows are repriced.
    Its fee stays until staff void the charge. Raises `Refused` from its first day on and while a
    notice is filed, and `Collision` when it was withdrawn already or another term follows it.
    """
    found = find_row(work.session, LaterTerm, term_id)
    row = reservation_to_change(work.session, found.reservation_id)
    term = locked(work.session, LaterTerm, term_id)
    if term.withdrawn_at is not None:
        raise Collision("This new term was already withdrawn.")
    if term.signed_at is None:
        _close_offer(work, term, reason=reason)
        return term
    if term.first_on <= work.clock.today():
        raise Refused(
            "term: the new term began on {first_on} and can no longer be withdrawn.",
            first_on=term.first_on,
        )
    if lifecycle_now(row, work.clock.today()) is Lifecycle.NOTICE_FILED:
        raise Refused("term: a move-out notice has been given. Withdraw it first.")
    firsts = read_first_days(row.later_terms_from)
    if max(firsts, default=None) != term.first_on:
        raise Collision("Another term follows this one. Withdraw that one first.")
    before = {"contract_end_date": term.last_on}
    row.contract_end_date, row.override_contract_end_date = term.end_before, term.override_before
    row.lease_kind = term.kind_before
    row.later_terms_from = write_first_days(day for day in firsts if day != term.first_on)
    mark_changed(row, work.clock, work.actor)
    _mark_withdrawn(work, term, reason)
    with stored_without_overlap(work.session):
        work.session.flush()
    if term.has_price:
        drop_price_period(work.session, reservation_id=row.id, from_on=term.first_on)
    for contract in work.session.scalars(select(Contract).where(Contract.term_id == term.id)):
        contract.replaced_at = contract.replaced_at or work.clock.now()
    work.session.flush()
    reprice_rows(work, row.id, priced_from=term.first_on)
    tend_turnovers(work.session, [row.unit_id])
    mark_outdated(work, [row.id])
    after = {
        "contract_end_date": effective_day(row.contract_end_date, row.override_contract_end_date),
        "first_on": term.first_on,
        "reason": term.withdrawn_reason,
    }
    about = of_reservation(row.id)
    note_difference(work, AuditEvent.TERM_WITHDRAWN, about, before=before, after=after)
    return term


def _close_offer(work: Work, term: LaterTerm, *, reason: str | None) -> None:
    """Take back an offer that is not signed: its document can no longer be signed."""
    _mark_withdrawn(work, term, reason)
    for contract in work.session.scalars(
        select(Contract).where(Contract.term_id == term.id, Contract.replaced_at.is_(None))
    ):
        contract.replaced_at = work.clock.now()
        take_back(work.session, work.clock, contract)
    facts = {"first_on": term.first_on, "last_on": term.last_on, "reason": term.withdrawn_reason}
    about = of_reservation(term.reservation_id)
    note_audit_event(work, AuditEvent.TERM_WITHDRAWN, about, after=facts)
    work.session.flush()


def _mark_withdrawn(work: Work, term: LaterTerm, reason: str | None) -> None:
    term.withdrawn_at, term.withdrawn_by = work.clock.now(), work.actor
    term.withdrawn_reason = " ".join((reason or "").split())[:500] or None


def terms_of(session: Session, reservation_id: str) -> Sequence[LaterTerm]:
    """Return the later terms of a reservation, offered and withdrawn ones included, newest first."""
    asked = select(LaterTerm).where(LaterTerm.reservation_id == reservation_id)
    return session.scalars(asked.order_by(LaterTerm.offered_at.desc(), LaterTerm.id)).all()


def reservation_of(session: Session, term_id: str) -> str:
    """Return the reservation of a later term; raise `NotFound` for an unknown id."""
    return find_row(session, LaterTerm, term_id).reservation_id
