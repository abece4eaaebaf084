"""The texts, in English and Japanese, of the results for an event and for a calendar."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual

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
    "no_start": (
        "no start: left out; days held before stay held",
        "開始日がないため取り込みません（以前にブロックした日はそのままです）",
    ),
    "unreadable_start": (
        "its start cannot be read: left out; days held before stay held",
        "開始日を読めないため取り込みません（以前にブロックした日はそのままです）",
    ),
    "unreadable_end": (
        "its end cannot be read: its first night is held",
        "終了日を読めないため、最初の一泊だけブロックします",
    ),
    "backwards": (
        "ends before it starts: left out; days held before stay held",
        "終了日が開始日より前のため取り込みません（以前にブロックした日はそのままです）",
    ),
    "out_of_range": (
        "outside the years 1900 to 2200: left out",
        "1900～2200 年の範囲外のため、取り込みません",
    ),
    "unreadable": (
        "cannot be read: left out; days held before stay held",
        "読めないため取り込みません（以前にブロックした日はそのままです）",
    ),
    "first_only": (
        "its repetition is not one we read: only the first occurrence is held",
        "対応していない繰り返しのため、最初の一回だけブロックします",
    ),
    "all_later": (
        "changes all later occurrences, which is not read: they stay held as they were",
        "以降すべての回を変更する予定には対応していないため、以降の回は元の日程のままブロックします",
    ),
    "window": (
        "not on sale at the channel: left out, as set for this calendar",
        "予約サイトで販売していない日のため、このカレンダーの設定により取り込みません",
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
    "not_an_address": (
        "The address is none that can be read: it begins with https:// or http://.",
        "読み込める URL ではありません。https:// または http:// で始まる URL を入力してください。",
    ),
    "has_password": (
        "The address holds a user name or a password. Use the calendar's secret address instead.",
        "URL にユーザー名やパスワードが含まれています。カレンダーの非公開 URL を使ってください。",
    ),
    "inside": (
        "The address leads into a private network. Only calendars on the internet are read.",
        "URL が社内や家庭内のネットワークを指しています。"
        "インターネット上のカレンダーだけを読み込みます。",
    ),
    "unknown_host": (
        "No server of that name was found. Check the address.",
        "その名前のサーバーが見つかりません。URL を確認してください。",
    ),
    "no_connection": (
        "The server could not be reached.",
        "サーバーに接続できませんでした。",
    ),
    "bad_certificate": (
        "The server's certificate is not valid.",
        "サーバーの証明書が正しくありません。",
    ),
    "bad_answer": (
        "The server's answer could not be understood.",
        "サーバーの応答を読み取れませんでした。",
    ),
    "less_safe": (
        "The server sends us on from https:// to an address without encryption.",
        "サーバーが暗号化されていない URL へ転送しています。",
    ),
    "too_many_redirects": (
        "The server sends us on again and again.",
        "サーバーの転送が多すぎます。",
    ),
    "too_slow": (
        "The server took too long.",
        "サーバーの応答に時間がかかりすぎました。",
    ),
    "status": (
        "The server answered {status}: the calendar may have been moved or ended there.",
        "サーバーの応答は {status} でした。カレンダーが移動または終了した可能性があります。",
    ),
    "raced": (
        "The calendar was being read by somebody else. It is read again soon.",
        "同じカレンダーを別の処理が読み込んでいました。まもなく再度読み込みます。",
    ),
}


_WINDOW: Final = re.compile(r"(?:airbnb )?\(?(?:not available|unavailable)\)?", re.IGNORECASE)
_CLOSED: Final = re.compile(r"blocked|closed", re.IGNORECASE)


def is_window(summary: str | None) -> bool:
    """Whether a channel says by itself that it does not sell these days: no guest comes.

    Booking.com calls the stays of its guests "CLOSED - Not available"; that never counts.
    """
    return summary is not None and _WINDOW.fullmatch(summary) is not None


def is_closure(summary: str | None) -> bool:
    """Whether a channel's event is no guest's stay: days not on sale, or closed by hand."""
    return is_window(summary) or (summary is not None and _CLOSED.fullmatch(summary) is not None)


def say(code: str, language: str, **facts: str | int) -> str:
    """Return the sentence of a code in `ja`, else in English."""
    english, japanese = WORDS[code]
    return (japanese if language == "ja" else english).format(**facts)


class CalendarRefused(Refused):
    """A calendar that cannot be read at all; nothing of it is imported."""

    def __init__(self, code: str, **facts: str | int) -> None:
        super().__init__(say(code, "en", **facts))
        self.code, self.facts = code, facts
        self.wording = Bilingual(say(code, "ja", **facts), self.message)


# A broken event does not affect the others. Lines are unfolded as bytes, because exporters fold in
# the middle of a character, and decoded afterwards. Definitions of time zones are skipped: their
# rules may expand without end, and the zones that channels name are known anyway.
MOST_BYTES: Final = 2 * 1024 * 1024
MOST_EVENTS: Final = 2_000

_FOLD: Final = re.compile(rb"\r?\n[ \t]")
_LINE: Final = re.compile(r"\r\n?|\n")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LONGEST_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class Components:
    """A calendar's name and producer, and the lines of each of its events."""

    name: str | None
    product: str | None
    events: tuple[str, ...]


def cut(data: bytes, most_bytes: int = MOST_BYTES, most_events: int = MOST_EVENTS) -> Components:
    """Return the parts of a calendar; refuse files that are none, truncated, or too large."""
    if len(data) > most_bytes:
        raise CalendarRefused("too_large", most=most_bytes // (1024 * 1024))
    text = _CONTROL.sub("\ufffd", _FOLD.sub(b"", data).decode("utf-8-sig", "replace"))
    lines = [line for line in _LINE.split(text) if line.strip()]
    if not lines or lines[0].strip().upper() != "BEGIN:VCALENDAR":
        raise CalendarRefused("not_a_calendar")
    # Half a feed would release the days of the other half.
    if lines[-1].strip().upper() != "END:VCALENDAR":
        raise CalendarRefused("cut_off")
    events = tuple(_split_events(lines))
    if len(events) > most_events:
        raise CalendarRefused("too_many_events", most=most_events)
    return Components(
        _find_property(lines, "X-WR-CALNAME"), _find_property(lines, "PRODID"), events
    )


def _split_events(lines: list[str]) -> Iterator[str]:
    """Return the text of each event with its nested parts; a new event ends one left open."""
    event: list[str] | None = None
    for line in lines:
        word = line.strip().upper()
        if word in _BEGINS:
            if event is not None:
                yield from _close_component(event)
            event = [line]
        elif event is not None:
            event.append(line)
            if word in _ENDS:
                yield from _close_component(event)
                event = None


_BEGINS: Final = frozenset({"BEGIN:VEVENT", "BEGIN:VFREEBUSY"})
_ENDS: Final = frozenset({"END:VEVENT", "END:VFREEBUSY", "END:VCALENDAR"})


def _close_component(lines: list[str]) -> Iterator[str]:
    if lines[0].strip().upper() == "BEGIN:VEVENT":
        yield _close_event(lines)
    else:
        yield from _busy_events(lines)


def _busy_events(lines: list[str]) -> Iterator[str]:
    """Return the busy periods of a VFREEBUSY, each as the text of an event."""
    uid = next((line for line in lines if line.upper().startswith("UID")), None)
    for line in lines:
        head, _, values = line.partition(":")
        name, *params = head.upper().split(";")
        if name.strip() != "FREEBUSY" or "FBTYPE=FREE" in params:
            continue
        for value in values.split(","):
            start, _, end = value.strip().partition("/")
            ends = "DURATION" if end[:1] in ("P", "+", "-") else "DTEND"
            facts = [uid] if uid else []
            yield _close_event(
                ["BEGIN:VEVENT", *facts, f"DTSTART:{start}", f"{ends}:{end}", "END:VEVENT"]
            )


_READ: Final = frozenset(
    {"BEGIN", "END", "UID", "SEQUENCE", "STATUS", "SUMMARY", "DESCRIPTION"}
    | {"DTSTAMP", "LAST-MODIFIED", "DTSTART", "DTEND", "DURATION"}
    | {"RECURRENCE-ID", "RRULE", "RDATE", "EXDATE"}
)


def _close_event(event: list[str]) -> str:
    """Return the text of an event with the properties that are read: others may be of any length."""
    event = [
        line for line in event if re.split("[:;]", line, maxsplit=1)[0].strip().upper() in _READ
    ]
    if event[-1].strip().upper() != "END:VEVENT":
        lines = event[:-1] if event[-1].strip().upper() == "END:VCALENDAR" else event
        event = [*lines, "END:VEVENT"]
    return "\r\n".join(event) + "\r\n"


def _find_property(lines: list[str], name: str) -> str | None:
    """Return a property of the calendar itself; those of its events follow the first BEGIN."""
    for line in lines[1:]:
        head, colon, value = line.partition(":")
        if head.strip().upper() == "BEGIN":
            continue
        if colon and head.split(";")[0].strip().upper() == name:
            return value.replace("\\,", ",").replace("\\;", ";").strip()[:_LONGEST_NAME] or None
    return None
