"""S16: a bank file of a thousand transfers matched against five hundred residents."""

import csv
import json
import time
from collections.abc import Iterable
from datetime import date
from io import StringIO
from itertools import product
from typing import Final

from pms.bank.statement_files import match_statements, read_bank_file, read_book
from pms.rules.transfer_matching import Verdict
from tests.bench.rounds import Figure, spread
from tests.bench.stage import Stage

_TODAY: Final = date(2026, 11, 20)
_RESIDENTS, _TRANSFERS = 500, 1_000
_SURNAMES: Final = (
    *("サトウ", "スズキ", "タカハシ", "タナカ", "イトウ", "ワタナベ", "ヤマモト", "ナカムラ"),
    *("コバヤシ", "カトウ", "ヨシダ", "ヤマダ", "ササキ", "ヤマグチ", "マツモト", "イノウエ"),
    *("キムラ", "ハヤシ", "シミズ", "ヤマザキ", "モリ", "アベ", "イケダ", "ハシモト", "イシカワ"),
)
_NAMES: Final = (
    *("タロウ", "ハナコ", "ケンジ", "ユウコ", "アキラ", "ミサキ", "ショウタ", "メグミ", "ダイスケ"),
    *("ナオミ", "コウジ", "サクラ", "リョウ", "アイ", "マコト", "ヨウコ", "ヒロシ", "ケイコ"),
    *("ツバサ", "ミドリ"),
)


def judge_matching(stage: Stage) -> Iterable[Figure]:
    """Read the file, read who owes what, and answer every transfer, in CPU seconds."""
    statement, residents = _statement(), _residents()

    def match() -> float:
        began = time.process_time()
        book = read_book(residents)
        found = match_statements(read_bank_file(statement, _TODAY).statements, book)
        seconds = time.process_time() - began
        certain = sum(one.verdict is Verdict.CERTAIN for one in found)
        assert certain > _RESIDENTS / 2, certain
        return seconds

    what = f"{_TRANSFERS:,} transfers against {_RESIDENTS} residents, CPU"
    yield Figure("S16", what, spread([match() for _ in range(stage.rounds)]), 2, 0.5, "s")


def _people() -> list[str]:
    return [f"{surname} {name}" for surname, name in product(_SURNAMES, _NAMES)][:_RESIDENTS]


def _rent(number: int) -> int:
    return 48_000 + 500 * (number % 97)


def _residents() -> bytes:
    residents = [
        {
            "id": f"R{number:04}",
            "building": "カワセミ",
            "room": str(number),
            "unit": f"カワセミ {number}",
            "name": {"ja": person, "kana": person, "roman": ""},
            "language": "ja",
            "reference": f"{number:06}",
            "aliases": [],
            "bills": [
                {
                    "id": f"B{number:04}-{month}",
                    "kind": "rent",
                    "period": f"2026-{month}",
                    "issued": f"2026-{month - 1:02}-25",
                    "due": f"2026-{month - 1:02}-27",
                    "amount": _rent(number),
                    "open": _rent(number),
                }
                for month in (11, 12)
            ],
        }
        for number, person in enumerate(_people())
    ]
    return json.dumps({"feesSeen": [330, 440, 660], "residents": residents}).encode()


def _statement() -> bytes:
    """Each resident pays a month, then the other; every tenth name or amount is not as billed."""
    text = StringIO()
    lines, balance = csv.writer(text), 1_000_000
    lines.writerow(["日付", "内容", "出金金額(円)", "入金金額(円)", "残高(円)"])
    people = _people()
    for number in range(_TRANSFERS):
        payer, yen = people[number % _RESIDENTS], _rent(number % _RESIDENTS)
        payer = payer.split()[0] if number % 10 == 3 else payer
        yen -= 440 if number % 10 == 7 else 0
        balance += yen
        lines.writerow(["2026/11/10", f"振込 {payer}", "", yen, balance])
    return text.getvalue().encode()
