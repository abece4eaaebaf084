"""Merging two bank accounts of the list that were match; transfers of both are counted once."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from pms.bank.account_copies import select_known
from pms.bank.accounts import AccountShown, list_accounts
from pms.bank.models import BankAccountRow, BankImport, BankPlacement, BankTransfer, FeeWriteOff
from pms.bank.transfers import take_off
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.errors import Refused
from pms.foundation.prepared import one_of
from pms.foundation.work import Work, find_row, locked
from pms.reservations.locks import lock_reservations
from pms.rules.account_numbers import hide_numbers
from pms.rules.audit_events import AuditEvent
from pms.rules.bank_identity import ComparedRows, compare_rows, free_key
from pms.rules.bank_statements import BankRow
from pms.rules.enumerations import TransferState

# Of two rows of match transfer the match that more was decided about stays.
_DECIDED: Final = {
    TransferState.WAITING: 0,
    TransferState.KEPT: 1,
    TransferState.NOT_OURS: 1,
    TransferState.PLACED: 2,
}


class DoubtfulPair(NamedTuple):
    """Two transfers of the accounts that may be match: the same amount, other words or days."""

    transfer_id: str
    row: BankRow
    other: BankRow


class MergePlan(NamedTuple):
    """What merging does: the transfers that move, those that both have, those paid twice."""

    account: AccountShown
    into: AccountShown
    moved: int
    same: int
    paid_twice: int
    doubtful: Sequence[DoubtfulPair]


def plan_merge(session: Session, account_id: str, into_id: str) -> MergePlan:
    """Return what `merge_accounts` would do; nothing is written."""
    _refuse_merge(
        find_row(session, BankAccountRow, account_id), find_row(session, BankAccountRow, into_id)
    )
    transfers, compared = _compare_accounts(session, account_id, into_id)
    states = _states_of(session, account_id, into_id)
    shown = {account.id: account for account in list_accounts(session)}
    return MergePlan(
        shown[account_id],
        shown[into_id],
        len(transfers) - len(compared.same),
        len(compared.same),
        sum(
            states[transfers[match.row.line]] is states[match.known.id] is TransferState.PLACED
            for match in compared.same
        ),
        [
            DoubtfulPair(
                transfers[match.row.line],
                match.row,
                BankRow(
                    0,
                    "",
                    match.known.booked_on,
                    match.known.is_deposit,
                    match.known.move,
                    match.known.yen,
                    match.known.payer,
                    text=match.known.text,
                ),
            )
            for match in compared.doubtful
        ],
    )


class MergedAccounts(NamedTuple):
    """How many transfers moved, how many both accounts had, how many payments were reversed."""

    moved: int
    same: int
    payments: int


def merge_accounts(
    work: Work, account_id: str, into_id: str, *, also_same: Collection[str] = (), reason: str
) -> MergedAccounts:
    """Merge an account into another; return what was moved.

    A transfer that both have is kept once. Where both were recorded as payments, the payments of
    the merged account are reversed. `also_same` has the ids of its doubtful transfers that are the
    same as match of the other account.
    """
    session = work.session
    transfers, compared = _compare_accounts(session, account_id, into_id)
    paid = select(BankPlacement.reservation_id).where(
        one_of(BankPlacement.transfer_id, transfers.values()), BankPlacement.taken_off_at.is_(None)
    )
    lock_reservations(session, session.scalars(paid))
    rows = {id_: locked(session, BankAccountRow, id_) for id_ in sorted({account_id, into_id})}
    account, into = rows[account_id], rows[into_id]
    _refuse_merge(account, into)
    # Compared again under the locks: another import may have ended meanwhile.
    transfers, compared = _compare_accounts(session, account_id, into_id)
    pairs = [(transfers[match.row.line], match.known.id) for match in compared.same] + [
        (transfers[match.row.line], match.known.id)
        for match in compared.doubtful
        if transfers[match.row.line] in also_same
    ]
    payments = _drop_doubles(work, pairs, reason)
    moved = _move_transfers(session, account_id, into_id)
    session.execute(
        update(BankImport).where(BankImport.account_id == account_id).values(account_id=into_id)
    )
    number = account.number
    facts = {"account": account.name, "number": number and hide_numbers(number)}
    shapes = [*(into.heads or "").split("\n"), *(account.heads or "").split("\n")]
    into.heads = "\n".join(dict.fromkeys(filter(None, shapes))) or None
    into.columns = {**(account.columns or {}), **(into.columns or {})} or None
    session.delete(account)
    session.flush()
    if into.number is None and number is not None:
        into.key, into.bank_code, into.branch_code = into.id, account.bank_code, account.branch_code
        into.kind, into.sealed_number = account.kind, account.sealed_number
    after = {"account": into.name, "moved": moved, "same": len(pairs), "reversed": payments}
    note_audit_event(
        work, AuditEvent.BANK_ACCOUNTS_MERGED, of_workspace(session), before=facts, after=after
    )
    session.flush()
    return MergedAccounts(moved, len(pairs), payments)


def _refuse_merge(account: BankAccountRow, into: BankAccountRow) -> None:
    if account.id == into.id:
        raise Refused("into: choose another account.")
    if account.number is not None and into.number is not None:
        raise Refused(
            "into: {account} and {into} have different numbers, so they are two accounts.",
            account=account.name,
            into=into.name,
        )


def _compare_accounts(
    session: Session, account_id: str, into_id: str
) -> tuple[Mapping[int, str], ComparedRows]:
    """Return an account's transfers by place, and as rows compared with those of the other."""
    own = select_known(session, BankTransfer.account_id == account_id)
    rows = [
        BankRow(
            place,
            "",
            transfer.booked_on,
            transfer.is_deposit,
            transfer.move,
            transfer.yen,
            transfer.payer,
            text=transfer.text,
        )
        for place, transfer in enumerate(own)
    ]
    compared = compare_rows(rows, select_known(session, BankTransfer.account_id == into_id))
    return {place: transfer.id for place, transfer in enumerate(own)}, compared


def _states_of(session: Session, *account_ids: str) -> Mapping[str, TransferState]:
    found = session.execute(
        select(BankTransfer.id, BankTransfer.state).where(BankTransfer.account_id.in_(account_ids))
    )
    return {row.id: row.state for row in found}


def _drop_doubles(work: Work, pairs: Sequence[tuple[str, str]], reason: str) -> int:
    """Keep match transfer of each pair, the match that more was decided about; return the payments
    that were reversed because both were recorded."""
    session, payments = work.session, 0
    for own_id, other_id in pairs:
        own, other = locked(session, BankTransfer, own_id), locked(session, BankTransfer, other_id)
        if own.state is other.state is TransferState.PLACED:
            payments += take_off(work, own_id, reason=reason)
        kept, dropped = (
            (own, other) if _DECIDED[own.state] > _DECIDED[other.state] else (other, own)
        )
        keys = dict.fromkeys(
            (*(other.other_keys or ()), *(own.other_keys or ()), other.key, own.key)
        )
        imported = session.scalars(
            select(BankImport).where(BankImport.id == dropped.import_id)
        ).one()
        imported.new_rows -= 1
        for table in (FeeWriteOff, BankPlacement):
            session.execute(delete(table).where(table.transfer_id == dropped.id))
        session.delete(dropped)
        session.flush()
        kept.other_keys = [key for key in keys if key != kept.key] or None
    session.flush()
    return payments


def _move_transfers(session: Session, account_id: str, into_id: str) -> int:
    """Move the transfers that are left; equal ones of both accounts are counted on."""
    known = select_known(session, BankTransfer.account_id == into_id)
    taken = {key for transfer in known for key in transfer.keys}
    rows = session.execute(
        select(BankTransfer.id, BankTransfer.key)
        .where(BankTransfer.account_id == account_id)
        .order_by(BankTransfer.id)
    ).all()
    for id_, key in rows:
        new_key = free_key(key, taken)
        taken.add(new_key)
        session.execute(
            update(BankTransfer)
            .where(BankTransfer.id == id_)
            .values(account_id=into_id, key=new_key)
        )
    return len(rows)
