"""Files that an office gives to its bank: direct debit requests, their results, and payouts."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from unicodedata import normalize

from pms.rules.bank_records import (
    DATA,
    END,
    HEADER,
    LINE_END,
    TRAILER,
    BankFileFault,
    BankRecord,
    FileKind,
    RecordFault,
    read_groups,
    write_record,
)
from pms.rules.bank_statements import BankAccount
from pms.rules.enumerations import DebitOutcome

_FIRST, _OTHER = "1", "0"
_TELEGRAPHIC: Final = "7"


class Client(NamedTuple):
    """Who orders: the code and name that the bank knows, and the account used."""

    code: str
    name: str
    account: BankAccount


class DebitOrder(NamedTuple):
    """Yen to collect from a payer's account; `customer` is the number that its result carries."""

    account: BankAccount
    yen: int
    customer: str
    is_first: bool = False


class Payout(NamedTuple):
    """Yen to pay to an account, with two codes of ours or a message for the payee."""

    account: BankAccount
    yen: int
    first_code: str = ""
    second_code: str = ""
    message: str = ""
    is_first: bool = False


class DebitAnswer(NamedTuple):
    """The result of one debit; `code` is the bank's own, `outcome` its meaning."""

    line: int
    customer: str
    yen: int
    code: str
    outcome: DebitOutcome

    @property
    def is_collected(self) -> bool:
        """Whether the money was collected."""
        return self.outcome is DebitOutcome.COLLECTED


class DebitResult(NamedTuple):
    """A result file: the client, the day as MMDD, and the answers, checked against the totals."""

    client_code: str
    day: str
    answers: tuple[DebitAnswer, ...]

    @property
    def collected_yen(self) -> int:
        """The yen that were collected."""
        return sum(answer.yen for answer in self.answers if answer.is_collected)

    @property
    def failed_yen(self) -> int:
        """The yen that were not collected."""
        return sum(answer.yen for answer in self.answers if not answer.is_collected)


def debit_request(client: Client, day: str, debits: Sequence[DebitOrder]) -> bytes:
    """Return the bytes of a direct debit request (口座振替) for a day MMDD."""
    data: list[dict[str, str | int]] = [
        {
            "引落銀行番号": debit.account.bank,
            "引落銀行名": debit.account.bank_name,
            "引落支店番号": debit.account.branch,
            "引落支店名": debit.account.branch_name,
            "預金種目": debit.account.kind,
            "口座番号": debit.account.number,
            "預金者名": debit.account.holder,
            "引落金額": debit.yen,
            "新規コード": _FIRST if debit.is_first else _OTHER,
            "顧客番号": _twenty_digits(debit.customer, line),
            "振替結果コード": DebitOutcome.COLLECTED.value,
        }
        for line, debit in enumerate(debits, start=2)
    ]
    header = {
        "委託者コード": client.code,
        "委託者名": client.name,
        "引落日": day,
        "取引銀行番号": client.account.bank,
        "取引銀行名": client.account.bank_name,
        "取引支店番号": client.account.branch,
        "取引支店名": client.account.branch_name,
    }
    return _write_bank_file(FileKind.DEBIT, client, header, data, [debit.yen for debit in debits])


def payout_file(client: Client, day: str, payouts: Sequence[Payout]) -> bytes:
    """Return the bytes of a payout file (総合振込) for a day MMDD."""
    data: list[dict[str, str | int]] = [
        {
            "被仕向銀行番号": payout.account.bank,
            "被仕向銀行名": payout.account.bank_name,
            "被仕向支店番号": payout.account.branch,
            "被仕向支店名": payout.account.branch_name,
            "預金種目": payout.account.kind,
            "口座番号": payout.account.number,
            "受取人名": payout.account.holder,
            "振込金額": payout.yen,
            "新規コード": _FIRST if payout.is_first else _OTHER,
            "振込指定区分": _TELEGRAPHIC,
            **_build_customer_codes(payout, line),
        }
        for line, payout in enumerate(payouts, start=2)
    ]
    header = {
        "依頼人コード": client.code,
        "依頼人名": client.name,
        "取組日": day,
        "仕向銀行番号": client.account.bank,
        "仕向銀行名": client.account.bank_name,
        "仕向支店番号": client.account.branch,
        "仕向支店名": client.account.branch_name,
    }
    return _write_bank_file(
        FileKind.PAYOUT, client, header, data, [payout.yen for payout in payouts]
    )


def _twenty_digits(customer: str, line: int) -> str:
    # Some banks allow letters here; we use digits only.
    if not (customer.isascii() and customer.isdigit() and len(customer) <= 20):
        raise BankFileFault(
            RecordFault.NOT_DIGITS, line=line, field="顧客番号", found=customer, wanted=20
        )
    return customer.rjust(20, "0")


def _build_customer_codes(payout: Payout, line: int) -> dict[str, str]:
    """Two codes of ten digits each, or the same twenty bytes as a message."""
    if payout.message:
        # A voiced mark is a byte of its own, and may begin the second code.
        letters = normalize("NFD", normalize("NFKC", payout.message))
        if len(letters) > 20:
            raise BankFileFault(
                RecordFault.TOO_LARGE,
                line=line,
                field="顧客コード1",
                found=payout.message,
                wanted=20,
            )
        return {"顧客コード1": letters[:10], "顧客コード2": letters[10:], "識別表示": "Y"}
    codes = {"顧客コード1": payout.first_code, "顧客コード2": payout.second_code}
    for field, code in codes.items():
        if len(code) > 10 or (code and not (code.isascii() and code.isdigit())):
            raise BankFileFault(
                RecordFault.NOT_DIGITS, line=line, field=field, found=code, wanted=10
            )
    return {field: code.rjust(10, "0") for field, code in codes.items()}


def _write_bank_file(
    kind: FileKind,
    client: Client,
    header: dict[str, str],
    data: Sequence[dict[str, str | int]],
    amounts: Sequence[int],
) -> bytes:
    for line, yen in enumerate(amounts, start=2):
        if yen <= 0:
            raise BankFileFault(RecordFault.TOTAL, line=line, found=yen, wanted=1)
    whole_header: dict[str, str | int] = {
        "種別コード": kind.value,
        "コード区分": "0",
        "預金種目": client.account.kind,
        "口座番号": client.account.number,
        **header,
    }
    totals: dict[str, str | int] = {"合計件数": len(amounts), "合計金額": sum(amounts)}
    records = [
        write_record(kind, HEADER, whole_header, 1),
        *(write_record(kind, DATA, record, line) for line, record in enumerate(data, start=2)),
        write_record(kind, TRAILER, totals, len(data) + 2),
        write_record(kind, END, {}, len(data) + 3),
    ]
    return b"".join(record + LINE_END for record in records)


def read_debit_result(data: bytes) -> DebitResult:
    """Read the answers of a result file; the whole file is refused when its totals do not match."""
    kind, groups = read_groups(data)
    header = groups[0].header
    if kind is not FileKind.DEBIT:
        raise header.fault(RecordFault.UNKNOWN_KIND, "種別コード", wanted=FileKind.DEBIT.value)
    answers = tuple(_read_debit_answer(record) for group in groups for record in group.data)
    result = DebitResult(header.fields["委託者コード"], header.fields["引落日"], answers)
    for group in groups:
        _check_sums(group.trailer, [_read_debit_answer(record) for record in group.data])
    return result


def _read_debit_answer(record: BankRecord) -> DebitAnswer:
    code = record.fields["振替結果コード"].strip()
    known = {outcome.value for outcome in DebitOutcome}
    return DebitAnswer(
        record.line,
        record.fields["顧客番号"].strip().lstrip("0"),
        record.number("引落金額"),
        code,
        DebitOutcome(code) if code in known else DebitOutcome.OTHER,
    )


def _check_sums(trailer: BankRecord, answers: Sequence[DebitAnswer]) -> None:
    collected = [answer.yen for answer in answers if answer.is_collected]
    failed = [answer.yen for answer in answers if not answer.is_collected]
    for name, counted in (
        ("合計件数", len(answers)),
        ("合計金額", sum(answer.yen for answer in answers)),
        ("振替済件数", len(collected)),
        ("振替済金額", sum(collected)),
        ("振替不能件数", len(failed)),
        ("振替不能金額", sum(failed)),
    ):
        stated = trailer.number(name)
        if stated != counted:
            fault = RecordFault.COUNT if name.endswith("件数") else RecordFault.TOTAL
            raise trailer.fault(fault, name, stated, counted)
