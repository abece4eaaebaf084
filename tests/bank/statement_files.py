"""Files as a bank would write them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from pms.rules.bank_records import DATA, END, HEADER, LINE_END, TRAILER, FileKind, write_record


@dataclass(frozen=True)
class Moved:
    """One movement of an account."""

    payer: str
    yen: int
    on: date = date(2026, 10, 1)
    is_deposit: bool = True
    code: str = "11"


def statement_file(
    moved: Sequence[Moved], opening_yen: int = 0, *, first: int = 1, made: str = "081105"
) -> bytes:
    """The bytes of a statement (03) whose counts and sums hold."""
    days = [one.on for one in moved]
    paid_in = [one.yen for one in moved if one.is_deposit]
    paid_out = [one.yen for one in moved if not one.is_deposit]
    header: dict[str, str | int] = {
        "種別コード": "03",
        "コード区分": "0",
        "作成日": made,
        "勘定日自": _era(min(days)),
        "勘定日至": _era(max(days)),
        "銀行コード": "9801",
        "銀行名": "ミドリノ",
        "支店コード": "012",
        "支店名": "ワカバチョウ",
        "預金種目": "1",
        "口座番号": "21788",
        "貸越区分": "1",
        "取引前残高": opening_yen,
    }
    data = [
        {
            "照会番号": number,
            "勘定日": _era(one.on),
            "預入払出日": _era(one.on),
            "入払区分": "1" if one.is_deposit else "2",
            "取引区分": one.code,
            "取引金額": one.yen,
            "振込依頼人名": one.payer,
        }
        for number, one in enumerate(moved, first)
    ]
    trailer: dict[str, str | int] = {
        "入金件数": len(paid_in),
        "入金額合計": sum(paid_in),
        "出金件数": len(paid_out),
        "出金額合計": sum(paid_out),
        "貸越区分": "1",
        "取引後残高": opening_yen + sum(paid_in) - sum(paid_out),
        "データ件数": len(moved),
    }
    end: dict[str, str | int] = {"レコード総件数": len(moved) + 3, "口座数": 1}
    records = [(HEADER, header), *((DATA, one) for one in data), (TRAILER, trailer), (END, end)]
    kind = FileKind.STATEMENT
    return b"".join(
        write_record(kind, place, fields, line) + LINE_END
        for line, (place, fields) in enumerate(records, 1)
    )


def _era(day: date) -> str:
    return f"{day.year - 2018:02d}{day.month:02d}{day.day:02d}"
