"""One month of an account as several forms of a bank's files write it."""

import random
from collections.abc import Sequence
from unicodedata import normalize

from pms.rules.bank_letters import bank_bytes, cut_bytes
from tests.bank.statement_files import Moved, statement_file

FORMS = ("records", "list", "tsv", "nameless")
OPENING_YEN = 100_000


def written(form: str, moved: Sequence[Moved], chance: random.Random) -> bytes:
    """The same movements, in the order of their days, as a file of this form."""
    if form == "records":
        shown = [Moved(_cut(one.payer), one.yen, one.on, one.is_deposit, one.code) for one in moved]
        return statement_file(shown, OPENING_YEN)
    if form == "list":
        return _list(moved, chance)
    if form == "tsv":
        return _tsv(moved, chance)
    lines = ["日付,出金,入金"]
    lines += [f"{one.on:%Y/%m/%d},{_out(one)},{_in(one)}" for one in moved]
    return "\n".join(lines).encode("cp932")


def _list(moved: Sequence[Moved], chance: random.Random) -> bytes:
    """Newest first, full width, 振込＊ before names, the balances of a day listed anew."""
    by_day = sorted(moved, key=lambda one: (one.on, chance.random()))
    balance, rows = OPENING_YEN, []
    for one in by_day:
        balance += one.yen if one.is_deposit else -one.yen
        name = "振込＊" + normalize("NFKC", one.payer).replace(" ", chance.choice(("　", "", " ")))
        rows.append(f'{one.on:%Y/%m/%d},{name},{_out(one)},{_in(one)},"{balance:,}"')
    return "\r\n".join(["日付,内容,出金金額(円),入金金額(円),残高(円)", *rows[::-1]]).encode()


def _tsv(moved: Sequence[Moved], chance: random.Random) -> bytes:
    """Era days, one column of amounts with 受入 or 払出, half width, without balances."""
    lines = ["入出金明細", "", "取引日\t受入/払出\t金額\t摘要\tお振込人"]
    for one in moved:
        day = f"R{one.on.year - 2018}.{one.on.month}.{one.on.day}"
        name = _half(one.payer).replace(" ", chance.choice((" ", "")))
        word = "受入" if one.is_deposit else "払出"
        lines.append(f"{day}\t{word}\t{one.yen:,}円\t振込\t{name}")
    return "\n".join(lines).encode("cp932")


def _half(name: str) -> str:
    return bank_bytes(name).decode("cp932")


def _cut(name: str) -> str:
    return cut_bytes(bank_bytes(name), 48).decode("cp932")


def _out(one: Moved) -> str:
    return "" if one.is_deposit else str(one.yen)


def _in(one: Moved) -> str:
    return str(one.yen) if one.is_deposit else ""
