"""The files of the demo to its bank: mandates, a month of direct debits, and payouts to hand over."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.bank.mandates import ACCOUNT_FIELDS, set_owner_account, write_mandate
from pms.bank.models import Debit, DebitBill, DebitFile, DebitMandate
from pms.bank.orders import office_to_order, stored_office
from pms.bank.payouts import make_payout_file, waiting_payouts
from pms.catalogue.models import Owner
from pms.collections.choices import CONSENT, write_terms
from pms.collections.models import Collection, PaymentChoice
from pms.demo.rows import STAFF, instant, read_toml
from pms.foundation.clock import FixedClock, next_bank_day
from pms.foundation.ids import new_id
from pms.foundation.numbering import PAYMENT_REFERENCES, take_count
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.ledger.queries import standings
from pms.reservations.models import Reservation
from pms.rules.bill_collection import CollectionTerms
from pms.rules.days import day_of
from pms.rules.enumerations import (
    ChoiceState,
    CollectionState,
    DebitOutcome,
    Lifecycle,
    MandateState,
    PayoutKind,
    ReservationKind,
)
from pms.rules.invoices import payment_reference
from pms.rules.ledger_entries import EntryBalance
from pms.workspaces.office_bank import CheckedAccount, check_account, set_office_bank

_BANK: Final = read_toml("bank")
_WITH_MANDATE: Final = 6
_FAILED: Final = (DebitOutcome.NO_FUNDS, DebitOutcome.NO_ACCOUNT)


def keep_bank_orders(session: Session, now: datetime) -> None:
    """Set the office's account, give residents mandates and owners accounts, and make the files."""
    clock = FixedClock(now)
    today = day_of(now)
    _give_references(session)
    office = dict(_BANK["office"])
    codes = {key: office.pop(key) for key in ("debit_client", "payout_client")}
    set_office_bank(
        Work(session, clock, STAFF),
        expected_version=0,
        account=check_account(**office),
        needs_second_person=True,
        debit_attempts=2,
        **codes,
    )
    living = _list_residents(session)
    people, others = living[:_WITH_MANDATE], living[_WITH_MANDATE:]
    _keep_mandates(session, clock, people)
    _keep_debits(session, today, [id_ for id_, _, _ in people])
    _keep_collections(session, now, [id_ for id_, _, _ in others])
    _keep_payouts(session, clock)
    session.flush()


def _keep_mandates(
    session: Session, clock: FixedClock, people: Sequence[tuple[str, str, str | None]]
) -> None:
    """Give residents mandates; the last one is still asked for."""
    for place, (id_, name, kana) in enumerate(people):
        write_mandate(
            Work(session, clock, STAFF),
            reservation_id=id_,
            account=_build_account(place, kana or name),
            state=MandateState.ASKED if place == len(people) - 1 else MandateState.ACTIVE,
            from_on=clock.today() - timedelta(days=90),
        )


def _keep_payouts(session: Session, clock: FixedClock) -> None:
    """Give owners accounts, and make the file of one payout."""
    owners = session.execute(select(Owner.id, Owner.name, Owner.name_kana).order_by(Owner.id)).all()
    for place, (id_, _name, kana) in enumerate(owners):
        if kana:
            account = _build_account(place + 50, kana)
            set_owner_account(
                Work(session, clock, STAFF), owner_id=id_, account=account, expected_version=0
            )
    today = clock.today()
    waiting = [
        payout.mark for payout in waiting_payouts(session, today) if payout.account is not None
    ]
    owners_first = [mark for mark in waiting if mark.startswith(PayoutKind.OWNER.value)]
    if owners_first:
        make_payout_file(
            Work(session, clock, STAFF),
            pay_on=next_bank_day(today),
            marks=owners_first[:1],
        )
        # The mails about it were sent before the demo begins.
        for mail in session.scalars(select(OutboxMail).where(OutboxMail.sent_at.is_(None))):
            mail.sent_at, mail.due_at = mail.written_at, None


def _give_references(session: Session) -> None:
    """Give each tenancy its payment reference, as a booking does."""
    for row in session.scalars(
        select(Reservation).where(Reservation.payment_reference.is_(None)).order_by(Reservation.id)
    ):
        row.payment_reference = payment_reference(take_count(session, PAYMENT_REFERENCES))
    session.flush()


def _list_residents(session: Session) -> Sequence[tuple[str, str, str | None]]:
    """Some who live here and can be named in kana, those with an open bill first."""
    found = session.execute(
        select(Reservation.id, Reservation.name, Reservation.name_kana)
        .where(
            Reservation.lifecycle == Lifecycle.LIVING,
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.name_kana.is_not(None),
        )
        .order_by(Reservation.id)
    ).all()
    return [(row[0], row[1], row[2]) for row in found]


def _build_account(place: int, holder: str) -> CheckedAccount:
    bank = _BANK["payer_bank"][place % len(_BANK["payer_bank"])]
    return check_account(
        **bank, kind="1", number=f"{1_204_368 + place * 911:07}", holder=holder[:30]
    )


def _keep_debits(session: Session, today: date, people: Sequence[str]) -> None:
    """A request of last month with its answer: some collected, some failed for two reasons."""
    collect_on = next_bank_day((today.replace(day=1) - timedelta(days=1)).replace(day=27))
    mandates = {
        row.reservation_id: row
        for row in session.scalars(
            select(DebitMandate).where(DebitMandate.state == MandateState.ACTIVE)
        )
    }
    paid = {
        id_: [entry for entry in found if entry.payable_yen > 0 and not entry.is_voided]
        for id_, found in standings(session, people, today).items()
    }
    chosen = [(mandates[id_], paid[id_][-1]) for id_ in people if id_ in mandates and paid.get(id_)]
    if not chosen:
        return
    failed = _FAILED[: max(len(chosen) - 1, 0)]
    outcomes = [*[DebitOutcome.COLLECTED] * (len(chosen) - len(failed)), *failed]
    row = _debit_file(session, collect_on, [entry for _, entry in chosen], outcomes)
    session.add(row)
    session.flush()
    for position, ((mandate, entry), outcome) in enumerate(zip(chosen, outcomes, strict=True), 1):
        debit = _build_debit(mandate, entry, outcome)
        debit.file_id, debit.position = row.id, position
        session.add(debit)
        session.flush()
        bill = DebitBill(id=new_id(), debit_id=debit.id, entry_id=entry.id, yen=entry.payable_yen)
        bill.is_awaited = False
        session.add(bill)
        mandate.is_first = False
    session.flush()


def _debit_file(
    session: Session,
    collect_on: date,
    entries: Sequence[EntryBalance],
    outcomes: Sequence[DebitOutcome],
) -> DebitFile:
    """Return the request for some bills, with its answer."""
    facts = office_to_order(session)
    failed = [outcome for outcome in outcomes if outcome is not DebitOutcome.COLLECTED]
    collected = [
        entry.payable_yen
        for entry, outcome in zip(entries, outcomes, strict=True)
        if outcome is DebitOutcome.COLLECTED
    ]
    return DebitFile(
        id=new_id(),
        due_on=collect_on,
        **stored_office(session, facts, facts.debit_client or ""),
        count=len(entries),
        total_yen=sum(entry.payable_yen for entry in entries),
        made_at=instant(collect_on - timedelta(days=12), 10),
        made_by=STAFF,
        handed_over_at=instant(collect_on - timedelta(days=11), 9),
        handed_over_by=STAFF,
        answered_at=instant(collect_on + timedelta(days=3), 9),
        answered_by=STAFF,
        collected_yen=sum(collected),
        failed=len(failed),
    )


def _keep_collections(session: Session, now: datetime, people: Sequence[str]) -> None:
    """Two cards and a payer at stores: bills that were paid, one that was declined, a number."""
    write_terms(
        Work(session, FixedClock(now), STAFF),
        CollectionTerms(offers_cards=True, offers_stores=True),
        expected_version=0,
    )
    today = day_of(now)
    found = standings(session, people, today)
    payers = [id_ for id_ in people if any(bill.payable_yen > 0 for bill in found.get(id_, ()))]
    for reservation_id, row in zip(payers, _BANK["collection"], strict=False):
        facts = {**row}
        stated = {name: facts.pop(name, None) for name in ("state", "failure", "stores")}
        choice = _build_choice(reservation_id, now - timedelta(days=120), facts)
        session.add(choice)
        session.flush()
        entry = [bill for bill in found[reservation_id] if bill.payable_yen > 0][-1]
        session.add(_build_collection(choice, entry, today, **stated))
    session.flush()


def _build_choice(
    reservation_id: str, made_at: datetime, facts: Mapping[str, Any]
) -> PaymentChoice:
    return PaymentChoice(
        id=new_id(),
        reservation_id=reservation_id,
        state=ChoiceState.ACTIVE,
        consent=CONSENT,
        consented_at=made_at,
        consented_by="resident",
        active_at=made_at,
        **facts,
    )


def _build_collection(
    choice: PaymentChoice,
    entry: EntryBalance,
    today: date,
    *,
    state: str,
    failure: str | None,
    stores: Any,
) -> Collection:
    is_waiting = CollectionState(state) is CollectionState.WAITING
    due_on = today + timedelta(days=6) if is_waiting else entry.due_on
    return Collection(
        id=new_id(),
        choice_id=choice.id,
        reservation_id=choice.reservation_id,
        entry_id=entry.id,
        way=choice.way,
        attempt=1,
        amount_yen=entry.payable_yen,
        due_on=due_on,
        state=CollectionState(state),
        failure=failure,
        stores=stores,
        expires_at=instant(due_on, 23) if stores else None,
        planned_at=instant(min(due_on, today) - timedelta(days=3), 9),
        ended_at=None if is_waiting else instant(due_on, 9),
    )


def _build_debit(mandate: DebitMandate, entry: EntryBalance, outcome: DebitOutcome) -> Debit:
    return Debit(
        id=new_id(),
        mandate_id=mandate.id,
        reservation_id=mandate.reservation_id,
        customer=mandate.customer,
        yen=entry.payable_yen,
        is_first=False,
        code=outcome.value,
        outcome=outcome,
        **{name: getattr(mandate, name) for name in ACCOUNT_FIELDS},
    )
