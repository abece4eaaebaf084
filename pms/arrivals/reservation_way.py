"""Gathers the facts of a reservation's way: what its papers, its bills and its states say."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from pms.arrivals.reservation_record import ReservationHeader
from pms.contracts.queries import PaperStanding, paper_standing
from pms.ledger.queries import standings
from pms.rules.days import day_of, readable
from pms.rules.enumerations import EntryKind, EsignStatus, PaymentStatus
from pms.rules.tenancy_way import (
    Bill,
    NextAct,
    Paper,
    Stage,
    StageState,
    WayFacts,
    next_act,
    stages,
)
from pms.statements.queries import BilledEntry, billed_entries


class ReservationWay(NamedTuple):
    """The stages, the next act, and what says something else than what is agreed now."""

    stages: Sequence[tuple[Stage, StageState]]
    next: NextAct
    paper: PaperStanding | None
    stale_invoices: Sequence[BilledEntry]

    @property
    def stale_paper(self) -> PaperStanding | None:
        """The document that no longer says what is agreed."""
        return self.paper if self.paper is not None and self.paper.is_outdated else None


def reservation_way(
    session: Session, header: ReservationHeader, *, has_offer: bool = False
) -> ReservationWay:
    """Return the way of a reservation, with one question more than its header asks."""
    paper = paper_standing(session, header.id)
    billed = list(billed_entries(session, header.id).values())
    unpaid = {
        one.id
        for one in standings(session, [header.id], header.today).get(header.id, ())
        if one.open_yen and not one.is_voided
    }
    facts = WayFacts(
        step=header.step,
        lifecycle=header.lifecycle,
        kind=header.kind,
        on=header.today,
        is_damaged=header.damaged is not None,
        is_to_take_over=header.is_to_take_over,
        is_signed=header.esign_status is EsignStatus.SIGNED,
        is_paid=header.is_invoice_paid or header.payment_status is PaymentStatus.PAID,
        has_offer=has_offer,
        has_address=bool(header.email),
        paper=None if header.is_ended else _paper(paper, header.esign_status),
        bill=_move_in_bill(billed),
        start_on=readable(header.start_on),
        last_on=readable(header.move_out_on) or header.ends_on,
        owed_since=_owed_since(billed, unpaid, header.today),
    )
    stale = [
        one for one in billed if one.id in unpaid and one.changed and one.changed.is_sent_before
    ]
    return ReservationWay(stages(facts), next_act(facts), paper, stale)


_OUT: Final = frozenset({EsignStatus.SENT, EsignStatus.PARTIALLY_SIGNED})
_OVER: Final = frozenset({EsignStatus.DECLINED, EsignStatus.EXPIRED})


def _paper(paper: PaperStanding | None, status: EsignStatus) -> Paper | None:
    """The document that counts; one signed elsewhere is known by the status alone."""
    if paper is None:
        known = status in _OUT or status in _OVER
        return Paper(False, False, status in _OVER, status in _OUT) if known else None
    sent_on = day_of(paper.sent_at) if paper.sent_at else None
    is_sent = sent_on is not None or status in _OUT
    return Paper(paper.is_signed, paper.is_outdated, paper.is_over, is_sent, sent_on)


def _move_in_bill(billed: Iterable[BilledEntry]) -> Bill | None:
    for one in billed:
        if one.kind is EntryKind.MOVE_IN and not one.is_voided:
            sent_at = one.invoice.sent_at if one.invoice else None
            is_stale = one.changed is not None and one.changed.is_sent_before
            return Bill(is_stale, day_of(sent_at) if sent_at else None, one.due_on)
    return None


def _owed_since(billed: Iterable[BilledEntry], unpaid: set[str], today: date) -> date | None:
    due = (one.due_on for one in billed if one.id in unpaid and one.due_on < today)
    return min(due, default=None)
