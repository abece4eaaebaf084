"""How far tenancies are: their stages, all that is missing, and the next action."""

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple, Self

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.explanation_records import ExplanationLack
from pms.contracts.queries import PaperStanding, paper_standings
from pms.deposits.settlement_papers import held_refunds
from pms.deposits.settlement_records import settlement_standings
from pms.foundation.clock import is_transfer_awaited
from pms.foundation.prepared import one_of
from pms.foundation.versions import LEDGER, OCCUPANCY, KeptAnswers
from pms.ledger.debts import unsettled_standings
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import deposit_balances, standings
from pms.reservations.tenancies import read_tenancies
from pms.rules.days import day_of, readable
from pms.rules.deposit import DepositBalance
from pms.rules.enumerations import (
    EntryKind,
    EsignStatus,
    Lifecycle,
    PaymentStatus,
    ReservationKind,
    SettlementState,
)
from pms.rules.ledger_entries import EntryBalance
from pms.rules.settlement_papers import HeldRefund
from pms.rules.tenancy_way import (
    ENDED,
    ContractPaper,
    MissingStep,
    MoveInBill,
    NextAct,
    Stage,
    StageState,
    WayFacts,
    missing_steps,
    next_act,
    stages,
    steps_before_move_in,
)
from pms.statements.queries import BilledEntry, billed_entries_of, move_in_entries
from pms.workspaces.queries import counters


class WayRecord(NamedTuple):
    """The columns of a reservation that decide its way."""

    id: str
    kind: ReservationKind
    lifecycle: Lifecycle
    payment_status: PaymentStatus
    esign_status: EsignStatus
    has_address: bool
    is_taken_over: bool
    has_earlier_keys: bool
    keys_on: date | None
    starts_on: date | None
    ends_on: date | None
    arrives_on: date | None

    @classmethod
    def of_row(cls, row: Any) -> Self:
        """Return the columns of a row of `Reservation`."""
        return cls(
            row.id,
            ReservationKind(row.kind),
            Lifecycle(row.lifecycle),
            PaymentStatus(row.payment_status),
            EsignStatus(row.esign_status),
            bool(row.email),
            row.taken_over_on is not None,
            row.has_earlier_keys,
            row.keys_on,
            row.starts_on,
            readable(row.move_out_date) or row.ends_on,
            readable(row.arrival_date),
        )


class ReservationWay(NamedTuple):
    """The stages of a reservation, what is missing, the next step, outdated documents, and keys.

    `has_keys` counts earlier ones, `keys_on` is the day of a recorded handover.
    """

    kind: ReservationKind
    stages: Sequence[tuple[Stage, StageState]]
    missing: Sequence[MissingStep]
    next: NextAct
    paper: PaperStanding | None
    stale_invoices: Sequence[BilledEntry]
    has_keys: bool
    keys_on: date | None

    @property
    def stale_paper(self) -> PaperStanding | None:
        """The document that no longer matches what is agreed."""
        return self.paper if self.paper is not None and self.paper.is_outdated else None

    @property
    def open_before_move_in(self) -> Sequence[MissingStep]:
        """The open steps that a move-in comes after."""
        return steps_before_move_in(self.missing)


def reservation_ways(
    session: Session,
    records: Iterable[WayRecord],
    today: date,
    from_offer: Container[str] = (),
    known: Mapping[str, DepositBalance] | None = None,
) -> Mapping[str, ReservationWay]:
    """Return the ways of reservations on a day; the number of queries does not depend on theirs.

    One reservation reads its own entries, which its page shows. Many read the workspace's unpaid
    entries, which are kept, and name no changed invoices but those of move-ins. `known` are the
    deposits of all of them on that day, where the caller has read them.
    """
    found = {record.id: record for record in records}
    if not found:
        return {}
    ids = list(found)
    ended = tuple(id_ for id_, record in found.items() if record.lifecycle in ENDED)
    balances_on = today if known is None else None
    if len(ids) == 1:
        standing, billed = standings(session, ids, today), billed_entries_of(session, ids)
        with_entries: Container[str] = billed
        money = _read_money(session, ended, balances_on, today)
    else:
        standing, billed = unsettled_standings(session, today), move_in_entries(session, ids)
        asked = select(LedgerEntry.reservation_id).where(one_of(LedgerEntry.reservation_id, ids))
        with_entries = set(session.scalars(asked.distinct()))
        money = _keep_money(session, ended, balances_on, today)
    balances = money.balances if known is None else {id_: known[id_] for id_ in ended}
    papers = paper_standings(session, ids)
    damaged = read_tenancies(session, ids).damaged
    ways = {}
    for id_, record in found.items():
        balance = balances.get(id_)
        payable_yen = sum(bill.unpaid_yen for bill in standing.get(id_, ()))
        ways[id_] = _build_way(
            record,
            today,
            has_offer=id_ in from_offer,
            has_entries=id_ in with_entries,
            is_damaged=id_ in damaged,
            has_money=balance is not None
            and bool(balance.held_yen or balance.overpaid_yen or payable_yen),
            standing=standing.get(id_, ()),
            billed=billed.get(id_, {}),
            paper=papers.get(id_),
            settlement=money.settlements.get(id_),
            held=money.held.get(id_),
        )
    return ways


class EndedMoney(NamedTuple):
    """The deposits of ended reservations, how far their settlements are, and what refunds wait for."""

    balances: Mapping[str, DepositBalance]
    settlements: Mapping[str, SettlementState]
    held: Mapping[str, HeldRefund]


_ENDED_MONEY: Final = KeptAnswers()


def _keep_money(
    session: Session, ended: tuple[str, ...], balances_on: date | None, today: date
) -> EndedMoney:
    """Return the money of ended reservations, kept until the ledger or the policy changes."""
    return _ENDED_MONEY.answer(
        session,
        (ended, balances_on, today),
        counters(session, LEDGER, OCCUPANCY),
        lambda: _read_money(session, ended, balances_on, today),
    )


def _read_money(
    session: Session, ended: tuple[str, ...], balances_on: date | None, today: date
) -> EndedMoney:
    """Return the money of ended reservations; without a day no balances, which are known."""
    if not ended:
        return EndedMoney({}, {}, {})
    found = settlement_standings(session, ended)
    settled = {id_: each.state for id_, each in found.items()}
    pending = {
        each.settlement_id: id_
        for id_, each in found.items()
        if each.state is SettlementState.REFUND_PENDING
    }
    waiting = held_refunds(session, pending, today) if pending else {}
    held = {pending[settlement_id]: waits for settlement_id, waits in waiting.items()}
    balances = dict(deposit_balances(session, ended, balances_on)) if balances_on else {}
    return EndedMoney(balances, settled, held)


def _build_way(
    record: WayRecord,
    today: date,
    *,
    has_offer: bool,
    has_entries: bool,
    is_damaged: bool,
    has_money: bool,
    standing: Sequence[EntryBalance],
    billed: Mapping[str, BilledEntry],
    paper: PaperStanding | None,
    settlement: SettlementState | None,
    held: HeldRefund | None,
) -> ReservationWay:
    is_ended = record.lifecycle in ENDED
    open_bills = {bill.id: bill for bill in standing if bill.open_yen and not bill.is_voided}
    invoices = [
        bill for bill in billed.values() if bill.kind is EntryKind.MOVE_IN and not bill.is_voided
    ]
    is_paid = record.payment_status is PaymentStatus.PAID or (
        bool(invoices) and not any(bill.id in open_bills for bill in invoices)
    )
    # The invoice of the move-in is a step of its own until it is paid.
    apart = {bill.id for bill in invoices} if not (is_paid or is_ended) else set()
    own = [bill for id_, bill in open_bills.items() if id_ not in apart]
    overdue = [bill for bill in own if _is_late(bill.due_on, today)]
    # A deposit that is unpaid alone is told only when nothing else is.
    payable = [bill.due_on for bill in overdue if bill.unpaid_yen]
    facts = WayFacts(
        lifecycle=record.lifecycle,
        kind=record.kind,
        on=today,
        is_damaged=is_damaged,
        is_to_take_over=not has_entries
        and not record.is_taken_over
        and not is_ended
        and record.kind is ReservationKind.RESIDENT,
        is_taken_over=record.is_taken_over,
        is_signed=record.esign_status is EsignStatus.SIGNED,
        is_paid=is_paid,
        has_offer=has_offer,
        has_address=record.has_address,
        has_keys=record.has_earlier_keys or record.keys_on is not None,
        has_money=has_money,
        paper=None if is_ended else _build_paper(paper, record.esign_status),
        bill=_move_in_bill(invoices, today),
        start_on=record.starts_on,
        arrives_on=record.arrives_on,
        last_on=record.ends_on,
        owed_since=min(payable or [bill.due_on for bill in overdue], default=None),
        next_due_on=min((bill.due_on for bill in own if bill not in overdue), default=None),
        settlement=settlement,
        held=held,
    )
    stale = [
        bill
        for bill in billed.values()
        if bill.id in open_bills and bill.changed and bill.changed.is_sent_before
    ]
    return ReservationWay(
        record.kind,
        stages(facts),
        missing_steps(facts),
        next_act(facts),
        paper,
        stale,
        facts.has_keys,
        record.keys_on,
    )


_OUT: Final = frozenset({EsignStatus.SENT, EsignStatus.PARTIALLY_SIGNED})
_OVER: Final = frozenset({EsignStatus.DECLINED, EsignStatus.EXPIRED})


def _build_paper(paper: PaperStanding | None, status: EsignStatus) -> ContractPaper | None:
    """Return the document that counts; one signed elsewhere is known by the status alone."""
    if paper is None:
        known = status in _OUT or status in _OVER
        return ContractPaper(False, False, status in _OVER, status in _OUT) if known else None
    sent_on = day_of(paper.sent_at) if paper.sent_at else None
    return ContractPaper(
        paper.is_signed,
        paper.is_outdated,
        paper.is_over,
        sent_on is not None or status in _OUT,
        sent_on,
        is_unexplained=paper.lack is not None,
        waits_for_person=paper.lack is ExplanationLack.PERSON,
    )


def _is_late(due_on: date, today: date) -> bool:
    """Whether a due day is past, and a transfer made on it would be booked by now."""
    return due_on < today and not is_transfer_awaited(due_on, today)


def _move_in_bill(invoices: Sequence[BilledEntry], today: date) -> MoveInBill | None:
    for entry in invoices:
        sent_at = entry.invoice.sent_at if entry.invoice else None
        is_stale = entry.changed is not None and entry.changed.is_sent_before
        sent_on = day_of(sent_at) if sent_at else None
        return MoveInBill(is_stale, sent_on, entry.due_on, _is_late(entry.due_on, today))
    return None
