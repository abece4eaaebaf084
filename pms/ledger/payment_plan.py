"""Plans which entries a payment goes to, for the preview and for posting alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, count
from unicodedata import normalize

from sqlalchemy import func, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual, Phrase
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.ledger.models import Allocation as AllocationRow
from pms.ledger.models import LedgerEntry, Payment, PaymentReturn
from pms.ledger.move_in import follow_payment
from pms.ledger.payments import (
    allocation_row,
    is_known_return,
    lock_payment,
    refuse_counted,
    reversal_of,
)
from pms.ledger.posting import write_rows
from pms.ledger.queries import entries_of, standing_of, standings
from pms.pricing.agreed_price import check_yen
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import is_years_off
from pms.rules.enumerations import ReturnKind
from pms.rules.payments import (
    AllocatedPart,
    PaymentProblem,
    allocated_payment,
    distribute_yen,
    refusal_of_payment,
    set_off_credit,
)


def payment_parts(
    session: Session, today: date, reservation_id: str, yen: int, entry_id: str | None
) -> Sequence[AllocatedPart]:
    """Return the parts of a payment: to the named entry, or to open ones, oldest due first.

    Raises `NotFound` for an entry of another reservation, `Refused` for a voided one and where
    nothing was billed yet.
    """
    if entry_id is not None:
        problem = refusal_of_payment(standing_of(session, reservation_id, entry_id, today), yen)
        if problem is PaymentProblem.ENTRY_VOIDED:
            raise Refused("Entry {entry_id} is voided and cannot be paid.", entry_id=entry_id)
        if problem is PaymentProblem.ENTRY_IS_CREDIT:
            raise Refused("Entry {entry_id} is a credit and cannot be paid.", entry_id=entry_id)
        return [AllocatedPart(entry_id, yen)]
    found = standings(session, [reservation_id], today).get(reservation_id, ())
    takes = [entry for entry in found if not (entry.is_voided or entry.is_credit)]
    if not takes:
        raise Refused(
            "Reservation {reservation_id} has no bill to pay.",
            reservation_id=reservation_id,
        )
    parts, left_yen = allocated_payment(yen, takes)
    return [*parts, AllocatedPart(takes[-1].id, left_yen)] if left_yen else parts


def chosen_parts(
    session: Session,
    today: date,
    reservation_id: str,
    yen: int,
    wanted: Sequence[AllocatedPart],
) -> Sequence[AllocatedPart]:
    """Return the parts as chosen; the rest goes to the other open entries.

    Raises what `payment_parts` raises for a named entry, and `Refused` for more than the payment.
    """
    chosen_yen = sum(part.yen for part in wanted)
    if chosen_yen > yen:
        raise Refused(
            "parts: the bills add up to {chosen_yen} yen, more than the {yen} received.",
            chosen_yen=chosen_yen,
            yen=yen,
        )
    parts = [
        part
        for wish in wanted
        for part in payment_parts(session, today, reservation_id, wish.yen, wish.entry_id)
    ]
    if chosen_yen == yen:
        return parts
    if not wanted:
        return payment_parts(session, today, reservation_id, yen, None)
    named = {wish.entry_id for wish in wanted}
    found = standings(session, [reservation_id], today).get(reservation_id, ())
    others = [
        entry for entry in found if not (entry.is_voided or entry.is_credit or entry.id in named)
    ]
    more, left_yen = allocated_payment(yen - chosen_yen, others)
    # The surplus goes to the entry that was chosen last.
    return [*parts, *more, *([AllocatedPart(wanted[-1].entry_id, left_yen)] if left_yen else [])]


def credit_parts(
    session: Session, today: date, reservation_id: str, yen: int, entry_id: str | None = None
) -> Sequence[AllocatedPart]:
    """Return the parts of a credit: against the named bill, or unpaid ones, oldest due first.

    Raises `NotFound` for an entry of another reservation, `Refused` for one with nothing unpaid.
    """
    if entry_id is not None:
        named = standing_of(session, reservation_id, entry_id, today)
        if not named.unpaid_yen:
            raise Refused(
                "entry: {entry_id} has nothing unpaid to set a credit off against.",
                entry_id=entry_id,
            )
        return set_off_credit(yen, [named]).allocations
    found = standings(session, [reservation_id], today).get(reservation_id, ())
    return set_off_credit(yen, found).allocations


@dataclass(frozen=True, slots=True)
class PlannedPart:
    """The part of a payment for one entry, and how much of it is a surplus, in whole yen."""

    entry_id: str
    label: Bilingual
    due_on: date
    yen: int
    overpaid_yen: int


def preview_payment(
    session: Session, today: date, *, reservation_id: str, amount_yen: int, entry_id: str | None
) -> tuple[PlannedPart, ...]:
    """Return where a payment received now would go, as `record_payment` would post it."""
    return _plan_parts(
        session,
        today,
        reservation_id,
        payment_parts(session, today, reservation_id, amount_yen, entry_id),
    )


def preview_credit(
    session: Session, today: date, *, reservation_id: str, amount_yen: int, entry_id: str | None
) -> tuple[PlannedPart, ...]:
    """Return the bills a credit of today would be set off against, as `post_credit` would do it."""
    parts = credit_parts(session, today, reservation_id, amount_yen, entry_id)
    return _plan_parts(session, today, reservation_id, parts)


def _plan_parts(
    session: Session, today: date, reservation_id: str, parts: Sequence[AllocatedPart]
) -> tuple[PlannedPart, ...]:
    entries = {entry.id: entry for entry in entries_of(session, reservation_id)}
    found = standings(session, [reservation_id], today).get(reservation_id, ())
    open_yen = {standing.id: standing.open_yen for standing in found}
    return tuple(
        PlannedPart(
            part.entry_id,
            entries[part.entry_id].label,
            entries[part.entry_id].due_on,
            part.yen,
            max(part.yen - open_yen[part.entry_id], 0),
        )
        for part in _merge_parts(parts)
    )


def _merge_parts(parts: Sequence[AllocatedPart]) -> list[AllocatedPart]:
    """Return one part per entry: a surplus may be on an entry that gets a part as well."""
    sums: dict[str, int] = {}
    for part in parts:
        sums[part.entry_id] = sums.get(part.entry_id, 0) + part.yen
    return [AllocatedPart(entry_id, yen) for entry_id, yen in sums.items()]


def record_payment(
    work: Work,
    *,
    reservation_id: str,
    amount_yen: int,
    received_on: date | None = None,
    entry_id: str | None = None,
    wanted: Sequence[AllocatedPart] | None = None,
    method: str = "bank_transfer",
    reference: str | None = None,
    note: str | None = None,
) -> str:
    """Record a payment and its allocations; return its id.

    It goes to the named entry, the wanted parts, or the open entries, oldest due first; the surplus
    is an overpayment. A reference that was recorded before raises `Collision`, unless that payment
    was reversed. When the move-in invoice is paid in full the payment status becomes paid.
    """
    check_yen(Phrase("amount"), amount_yen, 1)
    # The day of a payment, today unless another is named; refuse one to come.
    today = work.clock.today()
    if received_on is not None and received_on > today:
        raise Refused("The payment date {received_on} is in the future.", received_on=received_on)
    received_on = received_on or today
    row = locked(work.session, Reservation, reservation_id)
    reference = _free_reference(work.session, method, reference)
    parts = (
        payment_parts(work.session, work.clock.today(), reservation_id, amount_yen, entry_id)
        if wanted is None
        else chosen_parts(work.session, work.clock.today(), reservation_id, amount_yen, wanted)
    )
    payment = Payment(
        id=new_id(),
        reservation_id=reservation_id,
        received_on=received_on,
        amount_yen=amount_yen,
        method=method,
        reference=reference,
        note=note,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    payment_id = payment.id
    work.session.add(payment)
    _flush_payment(work.session, method, reference)
    _add_allocations(work, payment, parts)
    _note_recorded(work, payment)
    follow_payment(work, row)
    work.session.flush()
    return payment_id


def check_typed_day(today: date, received_on: date | None, *, is_meant: bool) -> None:
    """Refuse a payment typed for a day years ago, unless a person says that the day is meant.

    In 2016 instead of 2026 one digit is wrong, and the payment would stand in another year.
    """
    is_old = received_on is not None and received_on < today and is_years_off(received_on, today)
    if is_old and not is_meant:
        raise Refused(
            "receivedOn: {day} is more than a year before today. Correct the year, or say that the"
            " date is right.",
            day=str(received_on),
        )


def check_typed_reference(session: Session, method: str, reference: str | None) -> str | None:
    """Return a typed reference in normal width; refuse one recorded before in another spelling.

    Blanks, case and full width make no difference: 'AB 12' and 'ａｂ12' are one transfer. After a
    reversed payment it is spelled as there, so that the two are told apart by their numbers.
    """
    plain = normalize("NFKC", reference or "").strip()
    if not plain:
        return None
    spelling = func.lower(func.replace(Payment.reference, " ", ""))
    # No database folds width: what is not plain ASCII is compared here.
    stored = session.execute(
        select(Payment.id, Payment.reference)
        .where(
            Payment.method == method,
            or_(spelling == _fold_reference(plain), Payment.reference.regexp_match("[^ -~]")),
        )
        .order_by(Payment.id)
    )
    same = [
        row
        for row in stored
        if row.reference and _fold_reference(row.reference) == _fold_reference(plain)
    ]
    if any(reversal_of(session, row.id) is None for row in same):
        raise _refuse_repeated(method, plain)
    return same[0].reference if same else plain


def _fold_reference(reference: str) -> str:
    return "".join(normalize("NFKC", reference).lower().split())


def _add_allocations(work: Work, payment: Payment, parts: Iterable[AllocatedPart]) -> None:
    work.session.add_all(
        AllocationRow(
            entry_id=part.entry_id,
            payment_id=payment.id,
            amount_yen=part.yen,
            allocated_on=payment.received_on,
            written_at=work.clock.now(),
        )
        for part in parts
    )


def _note_recorded(work: Work, payment: Payment) -> None:
    facts = {
        "payment_id": payment.id,
        "amount_yen": payment.amount_yen,
        "received_on": payment.received_on,
        "method": payment.method,
        "reference": payment.reference,
    }
    about = of_reservation(payment.reservation_id)
    note_audit_event(work, AuditEvent.PAYMENT_RECORDED, about, after=facts)
    work.session.flush()


def _free_reference(session: Session, method: str, reference: str | None) -> str | None:
    """Return the reference, or the first free of reference/2, /3 ... after reversed payments."""
    if reference is None:
        return None
    names = chain([reference], (f"{reference}/{times}" for times in count(2)))
    for name in names:
        found = select(Payment.id).where(Payment.method == method, Payment.reference == name)
        earlier_id = session.scalar(found)
        if earlier_id is None:
            return name
        if reversal_of(session, earlier_id) is None:
            break
    raise _refuse_repeated(method, reference)


def _flush_payment(session: Session, method: str, reference: str | None) -> None:
    # A concurrent transaction may have recorded it a moment ago; the unique key decides.
    try:
        session.flush()
    except IntegrityError as meeting:
        if reference is None:
            raise
        raise _refuse_repeated(method, reference) from meeting


def _refuse_repeated(method: str, reference: str) -> Collision:
    return Collision(
        "A payment by {method} with the reference '{reference}' has already been recorded.",
        method=method,
        reference=reference,
    )


def restore_payment(
    work: Work, *, payment_id: str, amount_yen: int, reference: str, restored_on: date
) -> str | None:
    """Undo a return as far as its money stayed or came back; return the id of the opposite row.

    The yen pay the bills again that they were taken off, the last taken first; what a voided bill
    had pays the open ones. A reference that was recorded before changes nothing and returns `None`.
    """
    check_yen(Phrase("amount"), amount_yen, 1)
    payment = lock_payment(work.session, payment_id)
    if is_known_return(work.session, reference):
        return None
    refuse_counted(work.session, payment)
    parts = _restored_parts(work.session, work.clock.today(), payment, amount_yen)
    row = PaymentReturn(
        id=new_id(),
        payment_id=payment.id,
        reservation_id=payment.reservation_id,
        kind=ReturnKind.RESTORED,
        returned_on=restored_on,
        amount_yen=amount_yen,
        reference=reference,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(row)
    work.session.flush()
    write_rows(
        work.session,
        AllocationRow,
        [allocation_row(work.clock, row, part.entry_id, part.yen) for part in parts],
    )
    facts = {"payment_id": payment_id, "amount_yen": amount_yen, "reference": reference}
    about = of_reservation(payment.reservation_id)
    note_audit_event(work, AuditEvent.PAYMENT_RESTORED, about, after=facts)
    work.session.flush()
    return row.id


def _restored_parts(
    session: Session, today: date, payment: Payment, yen: int
) -> Sequence[AllocatedPart]:
    taken = session.execute(
        select(AllocationRow.entry_id, -func.sum(AllocationRow.amount_yen))
        .join(LedgerEntry, refers_to(AllocationRow.entry_id, LedgerEntry))
        .where(AllocationRow.payment_id == payment.id, AllocationRow.return_id.is_not(None))
        .group_by(AllocationRow.entry_id, LedgerEntry.due_on)
        .having(func.sum(AllocationRow.amount_yen) < 0)
        .order_by(LedgerEntry.due_on, AllocationRow.entry_id)
    ).all()
    found = standings(session, [payment.reservation_id], today).get(payment.reservation_id, ())
    voided = {entry.id for entry in found if entry.is_voided}
    wants = [(entry_id, int(off_yen)) for entry_id, off_yen in taken if entry_id not in voided]
    parts, left_yen = distribute_yen(wants, yen)
    if left_yen:
        return _merge_parts(
            [*parts, *payment_parts(session, today, payment.reservation_id, left_yen, None)]
        )
    return parts
