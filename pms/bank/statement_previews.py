"""Bank files previewed before they are imported."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.bank.account_copies import AccountCopy, find_copy
from pms.bank.accounts import AccountAsked, ChosenAccount, choose_account
from pms.bank.imports import (
    compare_statement,
    gap_of,
    lacks_payers,
    old_rows,
)
from pms.bank.statement_files import BankFile, BankFileForm, ReadTable
from pms.foundation.clock import Clock
from pms.foundation.files import Files
from pms.foundation.runs import Run
from pms.rules.bank_identity import (
    ComparedRows,
    DoubtfulRow,
    KnownTransfer,
    SameTransfer,
    is_mostly_known,
    known_of_rows,
)
from pms.rules.bank_statements import BankRow, BankStatement
from pms.rules.enumerations import RunKind

KEPT_SUFFIX: Final = ".bank"
"""The suffix of bank files that are stored until they are imported."""
KEPT_FOR: Final = timedelta(days=1)
"""How long a file is stored that was previewed and not imported."""


def forget_previewed_files(session: Session, clock: Clock, files: Files) -> int:
    """Delete the stored bank files that nobody imported within a day; return how many.

    The session reads across workspaces. A file whose import has not ended is kept.
    """
    waiting = select(Run.asked).where(
        Run.kind == RunKind.STATEMENT.value, Run.finished_at.is_(None)
    )
    kept = {asked["kept"] for asked in session.scalars(waiting) if "kept" in asked}
    return files.delete_old(clock.now() - KEPT_FOR, kept, KEPT_SUFFIX)


class StatementPreview(NamedTuple):
    """One account of a file: its days, its movements, and which of them are new.

    `account` is None while a person has to choose it; `choice` names it in a form. `reworded` rows are known in other words,
    `doubtful` ones may be known, and `copy` is another account that most of the payments are of.
    """

    form: BankFileForm
    account: str | None
    choice: str
    number: str
    first_on: date
    last_on: date
    rows: int
    new: Sequence[BankRow]
    reworded: Sequence[SameTransfer]
    doubtful: Sequence[DoubtfulRow]
    paid_in: int
    paid_in_yen: int
    paid_out: int
    paid_out_yen: int
    closing_yen: int | None
    gap_yen: int
    is_mostly_known: bool
    copy: AccountCopy | None
    old: Sequence[BankRow]
    table: ReadTable | None
    unread_sheets: Sequence[str]
    lacks_payers: bool
    places: Mapping[int, str]

    def place_of(self, row: BankRow) -> str:
        """Return the place of a row, the only one in the file."""
        return self.places[row.line]


def preview_file(
    session: Session, today: date, found: BankFile, *, account: str | None = None
) -> Sequence[StatementPreview]:
    """Return what a file that was read would change.

    What a person can still answer, such as the account, is no refusal here. A part of the file, such
    as a sheet, is compared with the parts before it, too: they are imported first.
    """
    previews: list[StatementPreview] = []
    earlier: defaultdict[str, list[BankStatement]] = defaultdict(list)
    taken: defaultdict[str, list[KnownTransfer]] = defaultdict(list)
    for statement in found.statements:
        try:
            of_account = choose_account(session, found, statement, account)
        except AccountAsked:
            of_account = None
        key = of_account.key if of_account else ""
        row_id = of_account.row_id if of_account else None
        compared = compare_statement(session, row_id, statement, taken[key])
        gap_yen = gap_of(session, row_id, statement, compared, earlier[key])
        previews.append(
            _build_preview(
                session,
                found,
                statement,
                of_account,
                compared=compared,
                gap_yen=gap_yen,
                today=today,
            )
        )
        earlier[key].append(statement)
        taken[key] += known_of_rows(str(len(previews)), compared.new)
    return previews


def _build_preview(
    session: Session,
    found: BankFile,
    statement: BankStatement,
    chosen: ChosenAccount | None,
    *,
    compared: ComparedRows,
    gap_yen: int,
    today: date,
) -> StatementPreview:
    row_id = chosen.row_id if chosen is not None else None
    account = statement.account
    paid_in = [movement.yen for movement in statement.rows if movement.is_deposit]
    paid_out = [movement.yen for movement in statement.rows if not movement.is_deposit]
    new = [row for _, row in compared.new]
    return StatementPreview(
        found.form,
        chosen.name if chosen is not None else None,
        (row_id or chosen.key) if chosen is not None else "",
        " ".join(filter(None, (account.bank_name, account.branch_name, account.number))),
        statement.first_on,
        statement.last_on,
        len(statement.rows),
        new,
        compared.reworded,
        compared.doubtful,
        len(paid_in),
        sum(paid_in),
        len(paid_out),
        sum(paid_out),
        statement.closing_yen,
        gap_yen,
        is_mostly_known(statement.rows, compared),
        find_copy(session, row_id, new) if new else None,
        old_rows(new, today),
        found.table_of(statement),
        found.unread_sheets,
        lacks_payers(statement.rows),
        {row.line: found.place_of(statement, row) for row in statement.rows},
    )
