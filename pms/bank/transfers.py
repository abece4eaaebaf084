"""Bank transfers: what they would pay, and recording them by a person or by the rules."""

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import select

from pms.bank.bank_day import Matched
from pms.bank.models import BankPlacement, BankTransfer
from pms.bank.payers import forget_learnt_payers, learn_payer
from pms.bank.verdicts import Waiting, WaitingDay, show_day, show_transfer, waiting_day
from pms.bank.write_offs import undo_write_offs
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Collision, Problem, Refused
from pms.foundation.ids import is_id, new_id
from pms.foundation.phrases import stored_phrase
from pms.foundation.runs import Run, ask_run, finish, newest_run, start_run, step
from pms.foundation.work import Work, locked
from pms.ledger.payment_plan import record_payment
from pms.ledger.payments import reversal_of
from pms.ledger.queries import standing_of
from pms.reservations.locks import lock_reservations
from pms.rules.audit_events import AuditEvent
from pms.rules.bank_statements import BankRow
from pms.rules.enumerations import RunKind, TransferState
from pms.rules.payer_search import PayerReason
from pms.rules.payments import AllocatedPart
from pms.rules.transfer_matching import TO_THE_YEN, MatchCertainty, Offer
from pms.statements.receipts import reverse_payment

# Matches by less than a full name: a person's decision about them is remembered.
_LEARNT: Final = frozenset(
    {
        PayerReason.ONE_LETTER_OFF,
        PayerReason.SAME_SOUND,
        PayerReason.FIRST_AND_LAST,
        PayerReason.SURNAME,
        PayerReason.NAME_PART,
        PayerReason.REMEMBERED,
    }
)


def is_worth_remembering(offer: Offer) -> bool:
    """Whether name and amount agree, so that the payer of an accepted offer is remembered."""
    return offer.payer_reason in _LEARNT and offer.amount_reason in TO_THE_YEN


class WantedPart(NamedTuple):
    """Yen of a transfer for a reservation; without an entry it pays the open ones."""

    reservation_id: str
    yen: int
    entry_id: str | None = None


def parts_of_offer(offer: Offer) -> tuple[WantedPart, ...]:
    """Return what an offer would record: each bill's part, and the rest for the first person."""
    parts = [WantedPart(part.resident_id, part.yen, part.bill_id) for part in offer.parts]
    if offer.held_yen and offer.person_ids:
        parts.append(WantedPart(offer.person_ids[0], offer.held_yen))
    return tuple(parts)


PLACED_AT_ONCE: Final = 300
"""The number of certain transfers recorded in a request; more are a run of the worker."""
_CERTAIN: Final = "certain"


def ask_to_place_certain(work: Work) -> Run:
    """Queue a run of the worker that records all certain transfers, part by part; return it."""
    if not waiting_day(work.session, work.clock.today()).certain:
        raise Refused("transfers: none of those that wait is certain.")
    return ask_run(work, kind=RunKind.PLACING.value, subject=_CERTAIN)


def place_certain_or_ask(work: Work) -> int | Run:
    """Record the certain transfers and return how many, or the run that a person has to look at.

    That is one that records a long list, or one that names the transfers that were refused.
    """
    kind = RunKind.PLACING.value
    latest = newest_run(work.session, kind, _CERTAIN)
    is_at_work = latest is not None and latest.finished_at is None
    count = len(waiting_day(work.session, work.clock.today()).certain)
    if is_at_work or count > PLACED_AT_ONCE:
        return ask_to_place_certain(work)
    done = place_certain(work)
    if not done.refused:
        return done.number
    run = start_run(work, kind=kind, subject=_CERTAIN)
    step(run, work.clock, **done.as_step(run))
    run.total = run.done
    finish(run, work.clock)
    work.session.flush()
    return run


class RefusedTransfer(NamedTuple):
    """A transfer that could not be recorded or undone, and why, in English and to be translated."""

    transfer: str
    row: str
    message: str
    sentence: dict[str, Any]


def refused_transfer(
    row: BankRow | BankTransfer, transfer_id: str, why: Problem
) -> RefusedTransfer:
    """Return a refused transfer, named by its day, payer and yen."""
    words = f"{row.booked_on} {row.payer or row.text} {row.yen:,}"
    return RefusedTransfer(transfer_id, words, why.message, stored_phrase(why.as_part))


class TransfersDone(NamedTuple):
    """The number of transfers that were recorded or undone, and those that were refused."""

    number: int
    refused: Sequence[RefusedTransfer]

    def as_step(self, run: Run) -> dict[str, Any]:
        """Return what a run adds to its progress."""
        refused = [
            *run.result.get("refused", ()),
            *(transfer._asdict() for transfer in self.refused),
        ]
        done = self.number + len(self.refused)
        return {"done": done, "problems": len(self.refused), "refused": refused}


def place_certain(
    work: Work, most: int | None = None, without: Collection[str] = ()
) -> TransfersDone:
    """Record the certain transfers in the order of the bank, at most the first `most`.

    A refused one does not keep the others; those with the ids `without` are left out.
    """
    placed, refused = 0, []
    for matched in _lock_certain_transfers(work, most, without):
        try:
            with work.session.begin_nested():
                offer = matched.match.offers[0]
                place_transfer(
                    work,
                    matched.transfer_id,
                    parts_of_offer(offer),
                    verdict=MatchCertainty.CERTAIN,
                    reason=f"{offer.payer_reason} {offer.amount_reason}",
                )
            placed += 1
        except (Refused, Collision) as refusal:
            refused.append(refused_transfer(matched.match.row, matched.transfer_id, refusal))
    return TransfersDone(placed, refused)


def _lock_certain_transfers(
    work: Work, most: int | None, without: Collection[str]
) -> list[Matched]:
    today, chosen = work.clock.today(), set[str]()

    def choose_first(day: WaitingDay) -> Sequence[Waiting]:
        return [waiting for waiting in day.certain if waiting.transfer_id not in without][:most]

    def choose_again(day: WaitingDay) -> Sequence[Waiting]:
        return [waiting for waiting in day.certain if waiting.transfer_id in chosen]

    expected = show_day(work.session, today, choose_first).matched
    people = {id_ for matched in expected.values() for id_ in matched.match.person_ids}
    chosen |= expected.keys()
    lock_reservations(work.session, people)
    # Asked again under the locks, because bills may have been paid meanwhile.
    found = show_day(work.session, today, choose_again)
    certain = [found.matched[waiting.transfer_id] for waiting in choose_again(found.day)]
    return [matched for matched in certain if people.issuperset(matched.match.person_ids)]


def place_transfer(
    work: Work,
    transfer_id: str,
    wanted: Sequence[WantedPart],
    *,
    verdict: MatchCertainty = MatchCertainty.UNKNOWN,
    reason: str = "by hand",
    learns: bool = False,
) -> tuple[str, ...]:
    """Record a whole transfer as payments of reservations; return the ids of the payments.

    With `learns` its payer is remembered for them. A transfer can be placed once, and again only
    after it was taken off.
    """
    by_person: dict[str, list[WantedPart]] = {}
    for bill in wanted:
        by_person.setdefault(bill.reservation_id, []).append(bill)
    lock_reservations(work.session, by_person)
    row = locked(work.session, BankTransfer, transfer_id)
    _refuse_placing(row, wanted)
    payments = [
        _place_parts(
            work, row, parts, _build_reference(row, place, len(by_person)), (verdict, reason)
        )
        for place, parts in enumerate(by_person.values(), 1)
    ]
    row.state = TransferState.PLACED
    facts = {
        "amount_yen": row.yen,
        "booked_on": row.booked_on,
        "payer": row.payer,
        "verdict": verdict.value,
        "reason": reason,
    }
    note_audit_event(work, AuditEvent.TRANSFER_PLACED, ("bank_transfer", transfer_id), after=facts)
    work.session.flush()
    if learns:
        for reservation_id in by_person:
            learn_payer(
                work, payer=row.payer, reservation_id=reservation_id, learnt_from=transfer_id
            )
    return tuple(payments)


def _place_parts(
    work: Work,
    row: BankTransfer,
    parts: Sequence[WantedPart],
    reference: str,
    match: tuple[MatchCertainty, str],
) -> str:
    """Record the part of a transfer for one reservation; return the id of the payment."""
    reservation_id, yen = parts[0].reservation_id, sum(part.yen for part in parts)
    payment_id = record_payment(
        work,
        reservation_id=reservation_id,
        amount_yen=yen,
        received_on=row.booked_on,
        wanted=[AllocatedPart(part.entry_id, part.yen) for part in parts if part.entry_id],
        reference=reference,
        note=row.payer or None,
    )
    work.session.add(
        BankPlacement(
            id=new_id(),
            transfer_id=row.id,
            reservation_id=reservation_id,
            payment_id=payment_id,
            yen=yen,
            verdict=match[0],
            reason=match[1],
            placed_at=work.clock.now(),
            placed_by=work.actor,
        )
    )
    return payment_id


def _refuse_placing(row: BankTransfer, wanted: Sequence[WantedPart]) -> None:
    if not row.is_deposit:
        raise Refused("transfer: money going out cannot pay a bill.")
    if row.state is TransferState.PLACED:
        raise Refused("transfer: this transfer is already recorded.")
    if any(bill.yen <= 0 for bill in wanted) or sum(bill.yen for bill in wanted) != row.yen:
        raise Refused(
            "parts: the bills add up to {sum} yen, but the transfer is {yen} yen.",
            sum=sum(bill.yen for bill in wanted),
            yen=row.yen,
        )


def _build_reference(row: BankTransfer, place: int, places: int) -> str:
    """Return the ledger's reference of a transfer, the same whenever it is placed."""
    name = " ".join(filter(None, (row.booked_on.isoformat(), row.number, row.id[-8:])))
    return name if places == 1 else f"{name} {place}"


def take_off(work: Work, transfer_id: str, *, reason: str) -> int:
    """Reverse the payments of a transfer; return how many it had.

    It waits again. Payers learnt when it was placed are forgotten, and written-off fees are charged
    again.
    """
    placed = select(BankPlacement.reservation_id).where(
        BankPlacement.transfer_id == transfer_id, BankPlacement.taken_off_at.is_(None)
    )
    if is_id(transfer_id):
        lock_reservations(work.session, work.session.scalars(placed))
    row = locked(work.session, BankTransfer, transfer_id)
    if row.state is not TransferState.PLACED:
        raise Refused("transfer: this transfer is not recorded yet.")
    placements = work.session.scalars(
        select(BankPlacement)
        .where(BankPlacement.transfer_id == transfer_id, BankPlacement.taken_off_at.is_(None))
        .order_by(BankPlacement.id)
    ).all()
    for placement in placements:
        # The payment may already be reversed in the ledger.
        if reversal_of(work.session, placement.payment_id) is None:
            reverse_payment(work, payment_id=placement.payment_id, reason=reason)
        placement.taken_off_at, placement.taken_off_by = work.clock.now(), work.actor
    undo_write_offs(work, transfer_id)
    row.state = TransferState.WAITING
    facts = {"amount_yen": row.yen, "payer": row.payer, "note": reason}
    note_audit_event(
        work, AuditEvent.TRANSFER_TAKEN_OFF, ("bank_transfer", transfer_id), after=facts
    )
    work.session.flush()
    forget_learnt_payers(work, transfer_id)
    return len(placements)


def set_transfer_aside(work: Work, transfer_id: str, state: TransferState) -> None:
    """Set a transfer to suspense, to not ours, or back to waiting."""
    row = locked(work.session, BankTransfer, transfer_id)
    if row.state is TransferState.PLACED or state is TransferState.PLACED:
        raise Refused("transfer: this transfer is already recorded.")
    if row.state is state:
        return
    facts = {"amount_yen": row.yen, "payer": row.payer, "state": state.value}
    row.state = state
    note_audit_event(
        work, AuditEvent.TRANSFER_SET_ASIDE, ("bank_transfer", transfer_id), after=facts
    )
    work.session.flush()


_MOST_CHOSEN: Final = 40
"""The address of the preview carries the chosen bills, and gunicorn reads 4,094 bytes of it."""


def place_on_bills(
    work: Work, transfer_id: str, bills: Sequence[tuple[str, str]], *, learns: bool
) -> tuple[str, ...]:
    """Record a transfer for bills, each given by its reservation and its entry.

    They are paid in the given order. The rest pays other bills of the first resident, the oldest
    due first, and is then kept as that resident's overpayment.
    """
    named_bills = list(dict.fromkeys(bills))
    if not 0 < len(named_bills) <= _MOST_CHOSEN:
        raise Refused("bills: choose from one to {most} open bills.", most=_MOST_CHOSEN)
    lock_reservations(
        work.session, {reservation_id for reservation_id, _ in named_bills if is_id(reservation_id)}
    )
    row = locked(work.session, BankTransfer, transfer_id)
    rest, wanted = row.yen, list[WantedPart]()
    for reservation_id, entry_id in named_bills:
        bill = standing_of(work.session, reservation_id, entry_id, work.clock.today())
        if not bill.open_yen and len(named_bills) > 1:
            raise Refused(
                "bills: the bill due {day} changed in the meantime and has no balance due. Choose"
                " the bills again.",
                day=bill.due_on,
            )
        yen = min(bill.open_yen or rest, rest)
        if yen <= 0:
            raise Refused(
                "bills: the bills chosen first use up the transfer of {yen} yen. Leave out the last"
                " ones.",
                yen=row.yen,
            )
        wanted.append(WantedPart(reservation_id, yen, entry_id))
        rest -= yen
    if rest:
        wanted.append(WantedPart(named_bills[0][0], rest))
    return place_transfer(work, transfer_id, wanted, learns=learns)


def place_as_offered(work: Work, transfer_id: str, mark: str) -> tuple[str, ...]:
    """Record a transfer as one of its offers proposes; refuse an offer that has changed.

    A payer who was matched by less than the full name is remembered for the chosen person, if the
    amount is that of the bills.
    """
    match, _ = show_transfer(work.session, transfer_id, work.clock.today())
    if match is not None:
        for offer in match.offers:
            if offer.mark == mark:
                return place_transfer(
                    work,
                    transfer_id,
                    parts_of_offer(offer),
                    verdict=match.verdict,
                    reason=f"{offer.payer_reason} {offer.amount_reason}",
                    learns=is_worth_remembering(offer),
                )
    locked(work.session, BankTransfer, transfer_id)
    raise Refused("offer: the bills have changed since you opened this page. Check it again.")
