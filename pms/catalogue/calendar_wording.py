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


def say(code: str, language: str, **facts: str | int) -> str:
    """The sentence of a code in `ja`, else in English."""
    english, japanese = WORDS[code]
    return (japanese if language == "ja" else english).format(**facts)


class CalendarRefused(Refused):
    """A calendar that cannot be read at all; nothing of it is taken."""

    def __init__(self, code: str, **facts: str | int) -> None:
        super().__init__(say(code, "en", **facts))
        self.code, self.facts = code, facts
        self.wording = Bilingual(say(code, "ja", **facts), self.message)
