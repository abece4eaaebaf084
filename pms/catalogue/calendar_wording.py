"""The words, in English and Japanese, for what becomes of an event and of a calendar."""

from typing import Final

from pms.foundation.bilingual import Bilingual
from pms.foundation.errors import Refused

WORDS: Final = {
    "block": ("held", "ブロックします"),
    "cancelled": ("cancelled: holds nothing", "キャンセル済みのため、ブロックしません"),
    "superseded": (
        "superseded by a later version of the same event",
        "同じ予定の新しい版があるため、ブロックしません",
    ),
    "own": (
        "one of our own events come back: holds nothing",
        "当サービスから出力した予定のため、取り込みません",
    ),
    "no_start": ("no start: left out", "開始日がないため、取り込みません"),
    "unreadable_start": (
        "its start cannot be read: left out",
        "開始日を読めないため、取り込みません",
    ),
    "unreadable_end": ("its end cannot be read: left out", "終了日を読めないため、取り込みません"),
    "backwards": (
        "ends before it starts: left out",
        "終了日が開始日より前のため、取り込みません",
    ),
    "out_of_range": (
        "outside the years 1900 to 2200: left out",
        "1900～2200 年の範囲外のため、取り込みません",
    ),
    "unreadable": ("cannot be read: left out", "読めないため、取り込みません"),
    "first_only": (
        "its repetition is not one we read: only the first occurrence is held",
        "対応していない繰り返しのため、最初の一回だけブロックします",
    ),
    "bounded": (
        "repeats: held up to {until}, later occurrences with later readings",
        "繰り返し予定: {until} までブロックします（以降は次回以降の読み込みで）",
    ),
    "unknown_zone": (
        "its time zone {zone} is not known: read as Japan time",
        "タイムゾーン {zone} が不明なため、日本時間として読みました",
    ),
    "not_a_calendar": (
        "This is no calendar: it does not begin with BEGIN:VCALENDAR.",
        "カレンダーではありません（BEGIN:VCALENDAR がありません）。",
    ),
    "cut_off": (
        "The calendar is cut off: its END:VCALENDAR is missing. Nothing was changed.",
        "カレンダーが途中で切れています（END:VCALENDAR がありません）。何も変更していません。",
    ),
    "too_large": (
        "The calendar is larger than {most} MiB.",
        "カレンダーが {most} MiB を超えています。",
    ),
    "too_many_events": (
        "The calendar has more than {most} events.",
        "予定の数が {most} を超えています。",
    ),
}


def say(code: str, language: str, **facts: str | int) -> str:
    """The sentence of a code in `ja`, else in English."""
    english, japanese = WORDS[code]
    return (japanese if language == "ja" else english).format(**facts)


class CalendarRefused(Refused):
    """A calendar that cannot be read at all; nothing of it is taken."""

    def __init__(self, code: str, **facts: str | int) -> None:
        super().__init__(say(code, "en", **facts))
        self.wording = Bilingual(say(code, "ja", **facts), self.message)
