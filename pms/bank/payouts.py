"""Payouts to owners and deposit refunds: waiting ones, their files, and the files' steps."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import and_, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.bank.mandates import account_columns, account_of
from pms.bank.models import PayeeAccount, PayoutFile, PayoutRow
from pms.bank.orders import (
    bank_account,
    client_of,
    known_file,
    lock_file,
    note_step,
    office_to_order,
    page_of_files,
    state_of,
    stored_office,
)
from pms.bank.second_person import SecondPersonRule, mail_waiting_file, office_names
from pms.bank.statement_files import refused_records
from pms.catalogue.models import Building
from pms.catalogue.owners import handovers, owner_on
from pms.deposits.models import Settlement
from pms.deposits.refunds import send_refund
from pms.deposits.settlement_papers import held_refunds, refuse_held_refund
from pms.deposits.settlement_records import unsent_refunds
from pms.foundation.clock import bank_closure, next_bank_day
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.lists import Paging
from pms.foundation.mail_texts import format_month
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.translations import translate_both
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY, KeptAnswers
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules import bank_orders
from pms.rules.audit_events import AuditEvent
from pms.rules.bank_records import BankFileFault
from pms.rules.days import month_first, month_last
from pms.rules.enumerations import BankOrderState, PayoutKind
from pms.rules.owner_income import parts_of
from pms.rules.settlement_papers import HeldRefund
from pms.statements.owner_figures import read
from pms.statements.owner_statements import last_versions
from pms.workspaces.office_bank import CheckedAccount
from pms.workspaces.queries import counters

_LONG_PAST_DAYS: Final = 40
_REFUND: Final = translate_both("Deposit refund", "bank")
_BEFORE_THE_BANK: Final = (BankOrderState.MADE, BankOrderState.CONFIRMED)


class WaitingPayout(NamedTuple):
    """Money to be sent: the reason, the recipient and the account; without an account it waits.

    A refund that is `held` waits for the resident's answer to the settlement.
    """

    kind: PayoutKind
    source: str
    payee: str
    detail: Bilingual
    payee_id: str
    yen: int
    account: CheckedAccount | None
    held: HeldRefund | None = None

    @property
    def is_payable(self) -> bool:
        """Whether a file may take it: its account is known and it waits for nobody."""
        return self.account is not None and self.held is None

    @property
    def mark(self) -> str:
        """The key by which the check page selects it."""
        return f"{self.kind.value}:{self.source}:{self.yen}"


def waiting_payouts(session: Session, today: date) -> Sequence[WaitingPayout]:
    """Return payouts and refunds that no file in force pays, by the latest owner statements.

    An owner's month whose payout day is more than 40 days past counts as paid in another way.
    """
    return add_accounts(session, unpaid_payouts(session, today))


def unpaid_payouts(session: Session, today: date) -> Sequence[WaitingPayout]:
    """Return the same without their accounts, which a page adds for what it shows.

    What is owed is cached until a statement, a settlement, an owner or the ledger changes.
    """
    state = counters(session, CATALOGUE, OCCUPANCY, LEDGER)
    owed = _OWED.answer(session, today, state, lambda: _list_owed(session, today))
    paid = {
        (kind, source)
        for kind, source in session.execute(
            select(PayoutRow.payout_kind, PayoutRow.source).where(
                PayoutRow.is_in_force, one_of(PayoutRow.source, [each.source for each in owed])
            )
        )
    }
    return [payout for payout in owed if (payout.kind, payout.source) not in paid]


_OWED: Final = KeptAnswers(most=4)


def add_accounts(session: Session, payouts: Sequence[WaitingPayout]) -> Sequence[WaitingPayout]:
    """Return payouts with the accounts that their payees have now."""
    stored = _read_payee_accounts(session, [payout.payee_id for payout in payouts])
    accounts = {id_: account_of(row) for id_, row in stored.items()}
    return [payout._replace(account=accounts.get(payout.payee_id)) for payout in payouts]


def _read_payee_accounts(
    session: Session, payee_ids: Collection[str]
) -> Mapping[str, PayeeAccount]:
    rows = session.scalars(
        select(PayeeAccount).where(
            or_(
                one_of(PayeeAccount.owner_id, payee_ids),
                one_of(PayeeAccount.reservation_id, payee_ids),
            )
        )
    )
    return {row.owner_id or row.reservation_id or "": row for row in rows}


def _list_owed(session: Session, today: date) -> Sequence[WaitingPayout]:
    return [*_owner_payouts(session, today), *_list_waiting_refunds(session, today)]


def _owner_payouts(session: Session, today: date) -> Sequence[WaitingPayout]:
    """Return the payouts of the latest owner statements, to the owners of their month."""
    earliest = today - timedelta(days=_LONG_PAST_DAYS)
    latest = {
        place: (published, owner_now)
        for place, (statement, owner_now) in last_versions(
            session, month_first(earliest - timedelta(days=31))
        ).items()
        if (published := read(statement.figures)).figures.payout_yen > 0
        and published.figures.payout_on >= earliest
    }
    # A month of several owners names them; only another's owner is looked up in the audit.
    alone = {place[0] for place, (published, _now) in latest.items() if not published.shares}
    handed = handovers(session, alone) if alone else {}
    waiting = []
    for (building_id, month_on), (published, owner_now) in latest.items():
        detail = translate_both(
            "{building}, {month}",
            "payout",
            building=Bilingual(published.building_ja, published.building_en),
            month=Bilingual(format_month(month_on, "ja"), format_month(month_on, "en")),
        )
        month = f"{month_on:%Y-%m}"
        source, payout_yen = f"{building_id}/{month}", published.figures.payout_yen
        parts = []
        if published.shares:
            by_owner = parts_of([holder.share for holder in published.shares], payout_yen)
            parts = [
                (f"{source}/{holder.owner_id}", holder.name, holder.owner_id, yen)
                for holder in published.shares
                if (yen := by_owner[holder.owner_id]) > 0
            ]
        elif owner_id := owner_on(month_last(month_on), handed.get(building_id, ()), owner_now):
            parts = [(source, published.owner, owner_id, payout_yen)]
        waiting += [
            WaitingPayout(PayoutKind.OWNER, place, payee, detail, id_, yen, None)
            for place, payee, id_, yen in parts
        ]
    return waiting


def _list_waiting_refunds(session: Session, today: date) -> Sequence[WaitingPayout]:
    unsent = unsent_refunds(session, today)
    ids = [refund.settlement.reservation_id for refund in unsent]
    named = select(Reservation.id, Reservation.name).where(one_of(Reservation.id, ids))
    names = {row.id: row.name for row in session.execute(named)}
    held = held_refunds(session, [refund.settlement.id for refund in unsent], today)
    return [
        WaitingPayout(
            PayoutKind.REFUND,
            f"{refund.settlement.id}/{refund.sent_yen}",
            names[refund.settlement.reservation_id],
            _REFUND,
            refund.settlement.reservation_id,
            refund.unsent_yen,
            None,
            held.get(refund.settlement.id),
        )
        for refund in unsent
    ]


def waiting_refund(session: Session, reservation_id: str, today: date) -> WaitingPayout | None:
    """Return the refund of a reservation that no file pays yet."""
    return next(
        (
            payout
            for payout in waiting_payouts(session, today)
            if payout.kind is PayoutKind.REFUND and payout.payee_id == reservation_id
        ),
        None,
    )


def make_payout_file(
    work: Work,
    *,
    pay_on: date,
    marks: Sequence[str] | None = None,
) -> str:
    """Make a file of the selected payouts, or of all with an account; return its id.

    Who may confirm it is told, in the page and by mail.
    Raises `Refused` when a selected payout is in another file or has another amount by now, and
    on a day on which banks are closed.
    """
    _refuse_day(pay_on, work.clock.today())
    facts = office_to_order(work.session)
    if facts.payout_client is None:
        raise Refused("account: set the client code for payouts in Settings first.")
    payouts = _selected_payouts(work.session, work.clock.today(), marks)
    row = PayoutFile(
        id=new_id(),
        due_on=pay_on,
        **stored_office(work.session, facts, facts.payout_client),
        count=len(payouts),
        total_yen=sum(payout.yen for payout in payouts),
        made_at=work.clock.now(),
        made_by=work.actor,
        needs_second_person=facts.needs_second_person_at(work.clock.now()),
    )
    work.session.add(row)
    work.session.flush()
    _add_payouts(work.session, row.id, payouts)
    _write_file(work.session, row)
    note_step(work, AuditEvent.PAYOUT_FILE_MADE, row)
    if row.needs_second_person:
        rule = _rule_of(row, _read_payout_rows(work.session, row.id), office_names(work.session))
        mail_waiting_file(work, row, rule=rule)
    return row.id


def _refuse_day(pay_on: date, today: date) -> None:
    if pay_on < today:
        raise Refused("payOn: {day} is before today ({today}).", day=pay_on, today=today)
    if closure := bank_closure(pay_on):
        raise Refused(
            "payOn: banks are closed on {day} ({closure}) and pay nothing out. Enter their next "
            "business day, {next}, or a later one.",
            day=pay_on,
            closure=closure,
            next=next_bank_day(pay_on),
        )


def _selected_payouts(
    session: Session, today: date, marks: Sequence[str] | None
) -> Sequence[WaitingPayout]:
    by_mark = {payout.mark: payout for payout in waiting_payouts(session, today)}
    if marks is None:
        marks = [mark for mark, payout in by_mark.items() if payout.is_payable]
    if not marks:
        raise Refused("payouts: choose at least one.")
    if not set(marks) <= by_mark.keys():
        raise Refused(
            "payouts: one of these was paid or changed in the meantime. Check the page again."
        )
    chosen = [by_mark[mark] for mark in dict.fromkeys(marks)]
    for payout in chosen:
        refuse_held_refund(payout.payee, payout.held)
    return chosen


def _add_payouts(session: Session, file_id: str, payouts: Sequence[WaitingPayout]) -> None:
    unpaid, last_paid = _find_unpaid_accounts(session, payouts)
    for position, payout in enumerate(payouts, 1):
        if payout.account is None:
            raise Refused("payouts: {payee} has no bank account on file.", payee=payout.payee)
        changed = unpaid.get(payout.payee_id)
        session.add(
            PayoutRow(
                id=new_id(),
                file_id=file_id,
                position=position,
                payout_kind=payout.kind,
                source=payout.source,
                payee=payout.payee,
                detail=payout.detail.ja,
                yen=payout.yen,
                payee_id=payout.payee_id,
                is_first=changed is not None and payout.payee_id not in last_paid,
                account_changed_at=changed and changed.written_at,
                account_changed_by=changed and changed.written_by,
                **account_columns(session, payout.account),
            )
        )
    try:
        session.flush()
    except IntegrityError as second:
        raise Refused("payouts: another file already pays one of these. Check again.") from second


def _find_unpaid_accounts(
    session: Session, payouts: Sequence[WaitingPayout]
) -> tuple[Mapping[str, PayeeAccount], Collection[str | None]]:
    """Return the accounts that are not those of the last payout that the bank got, by payee.

    The second are the payees whom the bank paid before: to all others it is the first payout. The
    payee of a refund is a tenancy, so that an account of the same name that was paid for another
    tenancy is no new one.
    """
    ids = [payout.payee_id for payout in payouts]
    names = {payout.payee_id: payout.payee for payout in payouts}
    paid = session.scalars(
        select(PayoutRow)
        .join(PayoutFile, refers_to(PayoutRow.file_id, PayoutFile))
        .where(
            or_(
                one_of(PayoutRow.payee_id, ids),
                and_(
                    PayoutRow.payout_kind == PayoutKind.REFUND,
                    one_of(PayoutRow.payee, names.values()),
                ),
            ),
            PayoutFile.handed_over_at.is_not(None),
        )
        .order_by(PayoutFile.handed_over_at, PayoutRow.id)
    ).all()
    last = {row.payee_id: account_of(row) for row in paid if row.payee_id in names}
    of_name = {(row.payee, account_of(row)) for row in paid}
    stored = _read_payee_accounts(session, ids)
    unpaid = {}
    for id_, row in stored.items():
        account = account_of(row)
        is_known = last[id_] == account if id_ in last else (names[id_], account) in of_name
        if not is_known:
            unpaid[id_] = row
    return unpaid, last.keys()


def _rule_of(
    file: PayoutFile, rows: Sequence[PayoutRow], office: Mapping[str, str]
) -> SecondPersonRule:
    """Return who may confirm a file of these rows."""
    noted = [(row.account_changed_by, row.is_first) for row in rows if row.account_changed_by]
    return SecondPersonRule(
        office,
        file.made_by,
        changers={by for by, is_first in noted if not is_first},
        enterers={by for by, is_first in noted if is_first},
    )


def payout_file_bytes(session: Session, file_id: str) -> bytes:
    """Return the bytes of a payout file; one that needs a confirmation must have it."""
    row = known_file(session, PayoutFile, file_id)
    _refuse_unconfirmed(row)
    return _write_file(session, row)


def _write_file(session: Session, row: PayoutFile) -> bytes:
    payouts = [
        bank_orders.Payout(
            bank_account(account_of(record)), record.yen, first_code=f"{record.position}"
        )
        for record in _read_payout_rows(session, row.id)
    ]
    try:
        return bank_orders.payout_file(client_of(row), f"{row.due_on:%m%d}", payouts)
    except BankFileFault as fault:
        raise refused_records(fault) from None


def _read_payout_rows(session: Session, file_id: str) -> Sequence[PayoutRow]:
    return session.scalars(
        select(PayoutRow).where(PayoutRow.file_id == file_id).order_by(PayoutRow.position)
    ).all()


def _refuse_unconfirmed(row: PayoutFile) -> None:
    if row.needs_second_person and row.confirmed_at is None:
        raise Refused("file: a second person must confirm it first.")


def confirm_payouts(work: Work, file_id: str, *, way: str | None = None) -> None:
    """Confirm a payout file as a person other than its maker; `way` is how, if not on its page."""
    if not work.actor.startswith("person/"):
        raise Refused("file: a person confirms it: name who does.")
    row = lock_file(work.session, PayoutFile, file_id, BankOrderState.MADE)
    if row.made_by == work.actor:
        raise Refused("file: the person who created it cannot confirm it. Ask a colleague.")
    rows = _read_payout_rows(work.session, row.id)
    if not _rule_of(row, rows, office_names(work.session)).admits(work.actor):
        # A changed account counts more than one that was entered for a first payout.
        own = min(
            (each for each in rows if each.account_changed_by == work.actor),
            key=lambda each: each.is_first,
        )
        if own.is_first:
            raise Refused(
                "file: you entered the bank account of {payee} for a first payout, so you"
                " cannot confirm it. Ask a colleague.",
                payee=own.payee,
            )
        raise Refused(
            "file: you changed the bank account of {payee}, so you cannot confirm it. Ask a"
            " colleague.",
            payee=own.payee,
        )
    row.confirmed_at, row.confirmed_by = work.clock.now(), work.actor
    note_step(work, AuditEvent.PAYOUT_FILE_CONFIRMED, row, **({"way": way} if way else {}))


def hand_over_payouts(work: Work, file_id: str) -> None:
    """Mark a file as handed to the bank, which also records its refunds as sent."""
    row = lock_file(work.session, PayoutFile, file_id, *_BEFORE_THE_BANK)
    _refuse_unconfirmed(row)
    row.handed_over_at, row.handed_over_by = work.clock.now(), work.actor
    for record in _read_payout_rows(work.session, row.id):
        if record.payout_kind is PayoutKind.REFUND:
            settlement_id = record.source.partition("/")[0]
            reservation_id = work.session.scalars(
                select(Settlement.reservation_id).where(Settlement.id == settlement_id)
            ).one()
            send_refund(
                work,
                reservation_id=reservation_id,
                amount_yen=record.yen,
                reference=f"{row.due_on.isoformat()} {record.position}",
            )
    note_step(work, AuditEvent.PAYOUT_FILE_HANDED_OVER, row)


def drop_payouts(work: Work, file_id: str) -> None:
    """Drop a file that was not handed over, so that its payouts can be in another one."""
    row = lock_file(work.session, PayoutFile, file_id, *_BEFORE_THE_BANK)
    row.dropped_at, row.dropped_by = work.clock.now(), work.actor
    work.session.execute(
        update(PayoutRow)
        .where(PayoutRow.file_id == row.id)
        .values(is_in_force=False)
        .execution_options(synchronize_session=False)
    )
    note_step(work, AuditEvent.PAYOUT_FILE_DROPPED, row)


class PayoutFileLine(NamedTuple):
    """A payout file in a list."""

    id: str
    due_on: date
    state: BankOrderState
    records: int
    total_yen: int
    needs_second_person: bool
    made_at: datetime
    made_by: str
    confirmed_by: str | None


def list_payout_files(session: Session, paging: Paging) -> tuple[Sequence[PayoutFileLine], int]:
    """Return one page of the files, the latest day first, and the number of all."""
    rows, total = page_of_files(session, PayoutFile, paging)
    return [_build_file_line(row) for row in rows], total


class UnconfirmedFile(NamedTuple):
    """A payout file that waits for its second person, and who that may be."""

    line: PayoutFileLine
    rule: SecondPersonRule


def list_unconfirmed_files(session: Session) -> Sequence[UnconfirmedFile]:
    """Return the files that wait for a second person, the earliest day first."""
    found = session.execute(
        select(PayoutFile, PayoutRow)
        .outerjoin(PayoutRow, refers_to(PayoutRow.file_id, PayoutFile))
        .where(
            PayoutFile.needs_second_person,
            PayoutFile.confirmed_at.is_(None),
            PayoutFile.handed_over_at.is_(None),
            PayoutFile.dropped_at.is_(None),
        )
        .order_by(PayoutFile.due_on, PayoutFile.id)
    ).all()
    if not found:
        return []
    office = office_names(session)
    rows: dict[PayoutFile, list[PayoutRow]] = {}
    for file, row in found:
        rows.setdefault(file, []).extend([] if row is None else [row])
    return [
        UnconfirmedFile(_build_file_line(file), _rule_of(file, of_file, office))
        for file, of_file in rows.items()
    ]


def file_of_refund(session: Session, settlement_id: str) -> PayoutFileLine | None:
    """Return the file that pays the refund of a settlement and was not handed over yet."""
    row = session.scalars(
        select(PayoutFile)
        .join(PayoutRow, refers_to(PayoutRow.file_id, PayoutFile))
        .where(
            PayoutRow.is_in_force,
            PayoutRow.payout_kind == PayoutKind.REFUND,
            PayoutRow.source.startswith(f"{settlement_id}/", autoescape=True),
            PayoutFile.handed_over_at.is_(None),
        )
    ).first()
    return _build_file_line(row) if row else None


def _build_file_line(row: PayoutFile) -> PayoutFileLine:
    return PayoutFileLine(
        row.id,
        row.due_on,
        state_of(row),
        row.count,
        row.total_yen,
        row.needs_second_person,
        row.made_at,
        row.made_by,
        row.confirmed_by,
    )


class PayoutFileRecord(NamedTuple):
    """A file of payouts with its records; `rule` is None unless it waits for a second person."""

    line: PayoutFileLine
    payouts: "Sequence[PayoutLine]"
    rule: SecondPersonRule | None


class PayoutLine(NamedTuple):
    """One record of a file: the reason, the recipient and the account.

    `account_changed_at` and `account_changed_by` are set where the account is not that of the last
    payout to the recipient, or `is_first` and was entered then.
    """

    kind: PayoutKind
    payee: str
    detail: Bilingual
    account: CheckedAccount
    yen: int
    is_first: bool
    account_changed_at: datetime | None
    account_changed_by: str | None


def payout_file_record(session: Session, file_id: str) -> PayoutFileRecord:
    """Return a file and its records, in order."""
    row = known_file(session, PayoutFile, file_id)
    rows = _read_payout_rows(session, row.id)
    details = _describe_rows(session, rows)
    lines = [
        PayoutLine(
            record.payout_kind,
            record.payee,
            details[record.id],
            account_of(record),
            record.yen,
            record.is_first,
            record.account_changed_at,
            record.account_changed_by,
        )
        for record in rows
    ]
    line = _build_file_line(row)
    waits = line.needs_second_person and line.state is BankOrderState.MADE
    rule = _rule_of(row, rows, office_names(session)) if waits else None
    return PayoutFileRecord(line, lines, rule)


def _describe_rows(session: Session, rows: Sequence[PayoutRow]) -> Mapping[str, Bilingual]:
    """Return the description of each record: as stored, and in English from its source."""
    months = {
        record.id: (building_id, date.fromisoformat(f"{month}-01"))
        for record in rows
        if record.payout_kind is PayoutKind.OWNER
        for building_id, month in [record.source.split("/")[:2]]
    }
    names = {
        id_: name_en or name
        for id_, name, name_en in session.execute(
            select(Building.id, Building.name, Building.name_en).where(
                one_of(Building.id, [building_id for building_id, _ in months.values()])
            )
        )
    }
    english = {
        id_: f"{names[building_id]}, {format_month(month_on, 'en')}"
        for id_, (building_id, month_on) in months.items()
        if building_id in names
    }
    return {
        record.id: Bilingual(
            record.detail,
            _REFUND.en if record.payout_kind is PayoutKind.REFUND else english.get(record.id),
        )
        for record in rows
    }
