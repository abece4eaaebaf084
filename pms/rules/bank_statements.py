"""Bank statements read from records, with every count and sum checked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

from pms.rules.bank_records import (
    AccountRecords,
    BankRecord,
    FileKind,
    RecordFault,
    read_groups,
)

_DEPOSIT, _WITHDRAWAL = "1", "2"
_OVERDRAWN: Final = "2"
_REIWA_BEGAN: Final = 2018
_HEISEI_BEGAN: Final = 1988
_LONG_AMOUNT: Final = slice(128, 140)


class MoneyMove(StrEnum):
    """The kind of movement in a bank's row."""

    CASH = "cash"
    TRANSFER = "transfer"
    CHEQUE = "cheque"
    DEBIT = "debit"
    INTEREST = "interest"
    FEE = "fee"
    CORRECTION = "correction"
    OTHER = "other"


MOVES_NOT_OURS: Final = frozenset({MoneyMove.INTEREST, MoneyMove.FEE, MoneyMove.DEBIT})
"""Movements that never pay a bill: interest, fees and the bank's own collections."""


class BankAccount(NamedTuple):
    """The account of a file; tables from banks often do not name it."""

    bank: str = ""
    branch: str = ""
    kind: str = ""
    number: str = ""
    holder: str = ""
    bank_name: str = ""
    branch_name: str = ""


@dataclass(frozen=True, slots=True)
class BankRow:
    """One movement: its line in the file, its number, day, yen and the bank's text."""

    line: int
    number: str
    booked_on: date
    is_deposit: bool
    move: MoneyMove
    yen: int
    payer: str
    message: str = ""
    text: str = ""
    bank_name: str = ""
    branch_name: str = ""
    balance_yen: int | None = None
    is_broken: bool = False

    @property
    def is_awaited(self) -> bool:
        """Whether it may pay a bill."""
        return self.is_deposit and self.move not in MOVES_NOT_OURS

    @property
    def payer_shown(self) -> str:
        """The payer for display: kana in full width, digits in half width."""
        return normalize("NFKC", self.payer)


@dataclass(frozen=True, slots=True)
class BankStatement:
    """The movements of one account, oldest first, with the opening and closing balance."""

    account: BankAccount
    first_on: date
    last_on: date
    opening_yen: int | None
    closing_yen: int | None
    rows: tuple[BankRow, ...]


def read_statements(data: bytes, today: date) -> tuple[BankStatement, ...]:
    """Read the accounts of a file of records (03 or 01); one fault refuses the whole file."""
    kind, groups = read_groups(data)
    if kind is FileKind.STATEMENT:
        return tuple(_read_statement(group, today) for group in groups)
    if kind is FileKind.NOTICE:
        return tuple(_read_notice(group, today) for group in groups)
    raise groups[0].header.fault(RecordFault.UNKNOWN_KIND, "種別コード", wanted="03, 01")


def gap_before(statement: BankStatement, last_known_yen: int | None) -> int:
    """The yen between the last known balance and the opening balance; 0 without either."""
    if last_known_yen is None or statement.opening_yen is None:
        return 0
    return statement.opening_yen - last_known_yen


def _read_statement(group: AccountRecords, today: date) -> BankStatement:
    header, trailer = group.header, group.trailer
    rows = tuple(_read_row(record, today) for record in group.data)
    opening = _read_balance(header, "取引前残高")
    closing = _read_balance(trailer, "取引後残高")
    paid_in = [row.yen for row in rows if row.is_deposit]
    paid_out = [row.yen for row in rows if not row.is_deposit]
    for name, counted in (
        ("入金件数", len(paid_in)),
        ("入金額合計", sum(paid_in)),
        ("出金件数", len(paid_out)),
        ("出金額合計", sum(paid_out)),
        ("データ件数", len(rows)),
    ):
        _check_total(trailer, name, counted)
    # Some banks leave the balances blank.
    if (opening or closing) and opening + sum(paid_in) - sum(paid_out) != closing:
        wanted = opening + sum(paid_in) - sum(paid_out)
        raise trailer.fault(RecordFault.BALANCE, "取引後残高", closing, wanted)
    has_balances = bool(opening or closing)
    return BankStatement(
        _read_account(header),
        _read_day(header, "勘定日自", today),
        _read_day(header, "勘定日至", today),
        opening if has_balances else None,
        closing if has_balances else None,
        with_balances(rows, opening if has_balances else None),
    )


def with_balances(rows: Iterable[BankRow], opening_yen: int | None) -> tuple[BankRow, ...]:
    """Return the rows with the balance after each, where the balance before is known."""
    if opening_yen is None:
        return tuple(rows)
    balance, found = opening_yen, []
    for row in rows:
        balance += row.yen if row.is_deposit else -row.yen
        found.append(replace(row, balance_yen=balance))
    return tuple(found)


def _check_total(record: BankRecord, name: str, counted: int) -> None:
    stated = record.number(name)
    is_count = name.endswith("件数")
    if stated != counted and not (name == "データ件数" and not stated):
        fault = RecordFault.COUNT if is_count else RecordFault.TOTAL
        raise record.fault(fault, name, stated, counted)


def _read_balance(record: BankRecord, name: str) -> int:
    yen = record.number(name)
    return -yen if record.fields["貸越区分"] == _OVERDRAWN else yen


def _read_row(record: BankRecord, today: date) -> BankRow:
    fields = record.fields
    is_deposit = record.one_of("入払区分", (_DEPOSIT, _WITHDRAWAL)) == _DEPOSIT
    text = fields["摘要内容"].strip()
    return BankRow(
        record.line,
        _own_number(fields["照会番号"]),
        _read_day(record, "勘定日", today),
        is_deposit,
        _read_move(fields["取引区分"], text),
        record.number("取引金額"),
        fields["振込依頼人名"].strip(),
        fields["EDI情報"].strip(),
        text,
        fields["仕向銀行名"].strip(),
        fields["仕向店名"].strip(),
        is_broken="振込依頼人名" in record.broken or "EDI情報" in record.broken,
    )


def _own_number(text: str) -> str:
    """The bank's number of a row; zeros mean none."""
    return text.strip() if text.strip("0 ") else ""


_MOVES: Final = {
    "10": MoneyMove.CASH,
    "11": MoneyMove.TRANSFER,
    "12": MoneyMove.CHEQUE,
    "13": MoneyMove.CHEQUE,
    "14": MoneyMove.DEBIT,
    "19": MoneyMove.CORRECTION,
}


def _read_move(code: str, text: str) -> MoneyMove:
    move = _MOVES.get(code, MoneyMove.OTHER)
    return move_of_words(text, move) if move in {MoneyMove.DEBIT, MoneyMove.OTHER} else move


_WORDS: Final = (
    (MoneyMove.INTEREST, ("ﾘｿｸ", "ﾘｼ", "利息", "リソク", "リシ")),
    (MoneyMove.FEE, ("ﾃｽｳﾘﾖｳ", "手数料", "テスウリヨウ", "テスウリョウ", "ﾘﾖｳﾘﾖｳ", "リヨウリヨウ")),
    (MoneyMove.CORRECTION, ("ｸﾐﾓﾄﾞｼ", "組戻", "クミモドシ", "訂正", "取消")),
    (MoneyMove.DEBIT, ("ｺｳｻﾞﾌﾘｶｴ", "口座振替", "コウザフリカエ")),
    (MoneyMove.CASH, ("ATM", "ＡＴＭ", "ｹﾞﾝｷﾝ", "現金", "ゲンキン")),
)


def move_of_words(text: str, otherwise: MoneyMove) -> MoneyMove:
    """The kind of movement that the bank's text names, if any."""
    for move, words in _WORDS:
        if text.startswith(words) or text.endswith(words):
            return move
    return otherwise


def _read_notice(group: AccountRecords, today: date) -> BankStatement:
    rows = tuple(_row_of_notice(record, today) for record in group.data)
    amounts = [row.yen for row in rows if row.is_deposit]
    cancelled = [row.yen for row in rows if not row.is_deposit]
    for name, counted in (
        ("振込件数", len(amounts)),
        ("振込金額", sum(amounts)),
        ("取消件数", len(cancelled)),
        ("取消金額", sum(cancelled)),
    ):
        _check_total(group.trailer, name, counted)
    header = group.header
    days = [_read_day(header, "勘定日自", today), _read_day(header, "勘定日至", today)]
    return BankStatement(_read_account(header), days[0], days[1], None, None, rows)


def _row_of_notice(record: BankRecord, today: date) -> BankRow:
    fields = record.fields
    is_cancelled = record.one_of("取消区分", ("0", "1", "")) == "1"
    yen = record.number("金額")
    longer = record.raw[_LONG_AMOUNT]
    if not yen and longer.isdigit():
        # The second form of the notice has 12-digit amounts where the first has blanks.
        yen = int(longer)
    return BankRow(
        record.line,
        _own_number(fields["照会番号"]),
        _read_day(record, "勘定日", today),
        not is_cancelled,
        MoneyMove.CORRECTION if is_cancelled else MoneyMove.TRANSFER,
        yen,
        fields["振込依頼人名"].strip(),
        fields["EDI情報"].strip(),
        "",
        fields["仕向銀行名"].strip(),
        fields["仕向店名"].strip(),
        is_broken="振込依頼人名" in record.broken or "EDI情報" in record.broken,
    )


def _read_account(header: BankRecord) -> BankAccount:
    fields = header.fields
    return BankAccount(
        fields["銀行コード"],
        fields["支店コード"],
        fields["預金種目"],
        # Statements write ten digits, notices seven; both identify the same account.
        fields["口座番号"].strip()[-7:],
        fields["口座名"].strip(),
        fields["銀行名"].strip(),
        fields["支店名"].strip(),
    )


def _read_day(record: BankRecord, name: str, today: date) -> date:
    digits = record.digits(name)
    day = _era_day(digits, today) if len(digits) == 6 else None
    if day is None:
        raise record.fault(RecordFault.NO_DAY, name, wanted="YYMMDD")
    return day


@lru_cache(maxsize=1_000)
def _era_day(digits: str, today: date) -> date | None:
    """Read YYMMDD with an era year, choosing the year nearest to today.

    Two digits are also tried as a Western year, which some banks write.
    """
    year, month, day = int(digits[:2]), int(digits[2:4]), int(digits[4:])
    found = []
    for began in (_REIWA_BEGAN, 2000, _HEISEI_BEGAN):
        try:
            found.append(date(began + year, month, day))
        except ValueError:
            continue
    return min(found, key=lambda day: abs((day - today).days), default=None)


def days_of(rows: Sequence[BankRow]) -> tuple[date, date]:
    """The first and the last day of rows in order."""
    return min(row.booked_on for row in rows), max(row.booked_on for row in rows)
