"""The account of the demo: a month of transfers read in, and a statement to read in oneself."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from io import StringIO
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.bank.accounts import list_accounts
from pms.bank.bank_day import MatchingBook, open_book
from pms.bank.imports import import_file
from pms.bank.models import BankPlacement, BankTransfer
from pms.bank.payers import learn_payer
from pms.bank.transfers import set_transfer_aside
from pms.demo.rows import STAFF, instant, read_toml
from pms.deposits.models import Settlement
from pms.enquiries.leads import office_people
from pms.foundation.clock import FixedClock
from pms.foundation.ids import new_id
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work
from pms.ledger.models import Payment, PaymentReturn
from pms.reservations.models import Reservation
from pms.rules.days import day_of
from pms.rules.enumerations import TransferState
from pms.rules.open_bills import OpenBill, in_order
from pms.rules.transfer_matching import MatchCertainty

_TEXTS: Final = read_toml("texts")["bank"]

_BANK: Final = read_toml("bank")
_HEADS: Final = _TEXTS["heads"]
_MONTH: Final = 31
_FEE: Final = 330
_TOO_MUCH: Final = 5_000
_SOMEBODY_ELSE: Final = _TEXTS["other_payer"]
# The sample is of another day, so its numbers never meet those of the seeded statement.
_FIRST_OF_SAMPLE: Final = 9001


@dataclass(frozen=True)
class StatementRowPlan:
    """A row of the statement; one of a payment names it, one that is set aside says how."""

    on: date
    yen: int
    payer: str = ""
    text: str = _TEXTS["transfer"]
    is_out: bool = False
    payment: Payment | None = None
    aside: TransferState | None = None


def keep_bank_month(session: Session, now: datetime) -> None:
    """Read in a month of the account: what was paid is recorded already, the rest waits.

    Rows of payments name payments the ledger has, so that nothing is paid that was not before.
    """
    today = day_of(now)
    book = open_book(session, today)
    office = office_people(session)
    actor = f"person/{office[0].person_id}" if office else STAFF
    account, *_ = list_accounts(session)
    from_outside = [
        _build_other_transfer(today - timedelta(days=facts.pop("days_ago")), **facts)
        for facts in map(dict, [*_BANK["unknown"], *_BANK["other"]])
    ]
    moved = sorted(
        [
            *_list_recorded_transfers(session, today),
            *from_outside,
            *_make_waiting_transfers(book, today),
        ],
        key=lambda transfer: transfer.on,
    )
    clock = FixedClock(min(now, instant(today, 8, 40)))
    opening_yen = _BANK["closing_yen"] - sum(
        -transfer.yen if transfer.is_out else transfer.yen for transfer in moved
    )
    import_file(
        Work(session, clock, actor),
        statement_csv(moved, opening_yen),
        file_name=f"meisai-{today:%Y%m%d}.csv",
        account=account.choice,
    )
    for row, transfer in zip(
        session.scalars(select(BankTransfer).order_by(BankTransfer.number)).all(),
        moved,
        strict=True,
    ):
        if transfer.payment is not None:
            _note_placed(session, row, transfer.payment, actor)
        elif transfer.aside is not None:
            set_transfer_aside(Work(session, clock, actor), row.id, transfer.aside)
    session.flush()
    _keep_second_account(Work(session, clock, actor), today)
    company = _find_most_indebted(book)
    if company:
        payer = _BANK["company"]["payer"]
        learn_payer(Work(session, clock, actor), payer=payer, reservation_id=company)


def _keep_second_account(work: Work, today: date) -> None:
    """Read in the list of an account that names no number, with headings of its own."""
    second = _BANK["second"]
    lines = [_TEXTS["second_heads"]]
    for row in second["rows"]:
        amounts = f"{row['yen']}," if row.get("is_out") else f",{row['yen']}"
        lines.append(f"{today - timedelta(days=row['days_ago']):%Y/%m/%d},{row['text']},{amounts}")
    import_file(
        work,
        "\n".join(lines).encode(),
        file_name=f"net-{today:%Y%m%d}.csv",
        account=second["name"],
    )


def sample_statement(today: date) -> bytes:
    """Return a statement of today that goes on where the demo's month ends."""
    company = _BANK["company"]
    moved = [
        StatementRowPlan(today, company["next_yen"], company["payer"]),
        *(_build_other_transfer(today, **facts) for facts in _BANK["next"]),
    ]
    return statement_csv(moved, _BANK["closing_yen"], _FIRST_OF_SAMPLE)


def statement_csv(moved: Sequence[StatementRowPlan], opening_yen: int, first: int = 1) -> bytes:
    """Return the rows as the list of a bank, in Shift_JIS with the balance after each."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(_HEADS)
    balance_yen = opening_yen
    for number, transfer in enumerate(moved, first):
        balance_yen += -transfer.yen if transfer.is_out else transfer.yen
        amounts = (transfer.yen, "") if transfer.is_out else ("", transfer.yen)
        named = (transfer.text, transfer.payer, f"{transfer.on:%Y%m%d}{number:04}")
        writer.writerow([f"{transfer.on:%Y/%m/%d}", *amounts, balance_yen, *named])
    return text.getvalue().encode("cp932")


def _build_other_transfer(
    on: date, *, yen: int, payer: str = "", text: str = _TEXTS["transfer"], **value: Any
) -> StatementRowPlan:
    aside = TransferState.KEPT if value.get("is_kept") else None
    if value.get("is_no_rent"):
        aside = TransferState.NOT_OURS
    return StatementRowPlan(on, yen, payer, text, value.get("is_out", False), aside=aside)


def _list_recorded_transfers(session: Session, today: date) -> list[StatementRowPlan]:
    """The transfers of the month that the ledger has already, but for those that went back."""
    found = session.execute(
        select(Payment, Reservation.name_kana, Reservation.name)
        .join(Reservation, refers_to(Payment.reservation_id, Reservation))
        .where(
            Payment.received_on > today - timedelta(days=_MONTH),
            Payment.received_on < today,
            Payment.method == "bank_transfer",
            Payment.id.not_in(select(PaymentReturn.payment_id)),
            # What a settlement counted stays; the month can then be undone as a whole.
            Payment.reservation_id.not_in(select(Settlement.reservation_id)),
        )
        .order_by(Payment.received_on, Payment.id)
    )
    return [
        StatementRowPlan(payment.received_on, payment.amount_yen, kana or name, payment=payment)
        for payment, kana, name in found
    ]


def _make_waiting_transfers(book: MatchingBook, today: date) -> list[StatementRowPlan]:
    """Transfers of the last days for bills that are open: most to the yen, some not quite."""
    bills: defaultdict[str, list[OpenBill]] = defaultdict(list)
    for bill in book.bills:
        bills[bill.resident_id].append(bill)
    company = _find_most_indebted(book)
    # The people whose surname nobody else has, so that a transfer names them alone.
    surnames = Counter(person.names[0].split()[0] for person in book.people)
    of_one_name = [person for person in book.people if surnames[person.names[0].split()[0]] == 1]
    people = [person for person in of_one_name if bills[person.id] and person.id != company]
    # Whoever lives here is billed last.
    people.sort(key=lambda person: (in_order(bills[person.id])[-1].due_on, person.id), reverse=True)
    moved = []
    for number, person in enumerate(people[:9]):
        owed = in_order(bills[person.id])
        on, whole = today - timedelta(days=1 + number % 4), sum(bill.open_yen for bill in owed)
        name = person.names[0]
        if number % 3 == 0:
            moved.append(StatementRowPlan(on, whole, name))
        elif number % 3 == 1:
            # The surname of one, the given name of nobody: a relative perhaps.
            moved.append(StatementRowPlan(on, whole, f"{name.split()[0]} {_SOMEBODY_ELSE}"))
        elif number == 2:  # the third leaves the fee to the office
            moved.append(StatementRowPlan(on, whole - _FEE, name))
        else:
            moved.append(StatementRowPlan(on, whole + _TOO_MUCH, name))
    if company:
        first = in_order(bills[company])[0]
        payer = _BANK["company"]["payer"]
        moved.append(StatementRowPlan(today - timedelta(days=2), first.open_yen, payer))
    return moved


def _find_most_indebted(book: MatchingBook) -> str | None:
    owed = Counter(bill.resident_id for bill in book.bills)
    return max(sorted(owed), key=lambda id_: owed[id_], default=None)


def _note_placed(session: Session, row: BankTransfer, payment: Payment, actor: str) -> None:
    session.add(
        BankPlacement(
            id=new_id(),
            transfer_id=row.id,
            reservation_id=payment.reservation_id,
            payment_id=payment.id,
            yen=payment.amount_yen,
            verdict=MatchCertainty.CERTAIN,
            reason="full_name one_bill",
            placed_at=instant(row.booked_on, 16),
            placed_by=actor,
        )
    )
    row.state = TransferState.PLACED
