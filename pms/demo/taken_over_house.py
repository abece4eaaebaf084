"""A small house whose tenancies came from a rent roll, as an operator takes them over."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from pms.arrivals.takeover.going_live import go_live
from pms.arrivals.takeover.guides import keep_totals, start_guide
from pms.foundation.files import Files
from pms.foundation.spreadsheet import Cell, csv_file
from pms.foundation.work import Work
from pms.rules.days import add_months, month_first, month_last

_TAKEN_OVER: Final = (
    ("101", "見本 太郎", "ミホン タロウ", 62_000, None),
    ("102", "手本 花子", "テホン ハナコ", 60_000, 63_000),
    ("103", "例 健一", "レイ ケンイチ", 61_000, None),
)


def take_house_over(work: Work, files: Files) -> None:
    """Take a small house over by the guide, as an operator does who comes from a sheet."""
    sheet = csv_file(_roll(work.clock.today()))
    id_ = start_guide(work, files, sheets=[("rent-roll.csv", sheet)])
    totals = {
        "depositHeld": sum(rent for *_who, rent, _unpaid in _TAKEN_OVER),
        "unpaid": sum(unpaid or 0 for *_who, unpaid in _TAKEN_OVER),
        "overpaid": 0,
    }
    keep_totals(work.session, id_, totals)
    go_live(work, files, id_, leaves_waiting=True)


def _roll(today: date) -> Iterator[Sequence[Cell]]:
    """A rent roll whose last bill was for the month of today."""
    yield (
        *("建物", "部屋", "氏名", "フリガナ", "契約開始日", "契約終了日", "賃料", "共益費"),
        *("預り敷金", "請求済み最終日", "未収金", "未収内訳"),
    )
    start_on, through_on = add_months(month_first(today), -8), month_last(today)
    end_on = month_last(add_months(start_on, 23))
    for room, name, reading, rent, unpaid in _TAKEN_OVER:
        month = f"{today:%Y-%m}" if unpaid else None
        days = (start_on.isoformat(), end_on.isoformat())
        yield (
            *("つばめ荘", room, name, reading, *days, rent, 3_000, rent),
            *(through_on.isoformat(), unpaid, month),
        )
