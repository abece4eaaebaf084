"""What the mails are filled with when they are looked at word for word: one entry an occasion.

An entry without an occasion of its own name serves all that begin with it.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from pms.foundation.translations import translate
from pms.notices.wordings import notice_text
from pms.rules.notices_to_people import NoticeKind
from pms.statements.papers import StoreNumber, store_facts

OPERATOR = {"ja": "隅田シェアハウス", "en": "Sumida Share House"}
RECIPIENT = {"ja": "佐藤 花子", "en": "Emma Wilson"}
SUBJECT = {"ja": "2026年12月分 賃料等", "en": "Rent for December 2026"}
HOME = {"ja": "シェアハウス カワセミ荘 101", "en": "Kawasemi House 202"}
SENDER = "714039 サトウ ハナコ"
BANK = "すみれ銀行 墨田支店\n普通 1234567"
ROLE = {"ja": "管理スタッフ", "en": "Office"}
BILLS = {
    "ja": (
        {
            "label": "2026年11月分 賃料等",
            "number": "2026-000001",
            "due_on": date(2026, 10, 31),
            "open_yen": 33_000,
        },
        {
            "label": "鍵の交換",
            "number": "2026-000002",
            "due_on": date(2026, 11, 15),
            "open_yen": 10_000,
        },
    ),
    "en": (
        {
            "label": "Rent for November 2026",
            "number": "2026-000001",
            "due_on": date(2026, 10, 31),
            "open_yen": 33_000,
        },
        {
            "label": "Key exchange",
            "number": "2026-000002",
            "due_on": date(2026, 11, 15),
            "open_yen": 10_000,
        },
    ),
}
TICKET = {"ja": "お湯が出ません", "en": "No hot water"}
WORDS = {
    "ja": "明日の午前10時に伺います。\nご不在でも入室してよろしいでしょうか。",
    "en": "We come tomorrow at 10 in the morning.\nMay we go in if you are out?",
}
TOLD = {
    "task_kind": "cleaning",
    "place": {"ja": "シェアハウス カワセミ荘 101", "en": "Kawasemi House 202"},
}
TO_STAFF: Mapping[str, Mapping[str, Any]] = {
    "mailbox-failing": {
        "address": "office@sumida.example",
        "failure": "MailboxLoginError: Invalid credentials",
        "link": "https://pms.example.jp/dashboard/sumida/mailbox",
    },
    "invitation": {"days": 7, "link": "https://pms.example.jp/invitations/a-link"},
    "address-changed": {
        "changed_on": date(2026, 11, 20),
        "changed_at": "12:05",
        "new_address": "emma@new.example",
    },
    "address-code": {"code": "123456", "minutes": 10},
    "address-taken": {"address": "emma@new.example"},
    "factor-removed": {"changed_on": date(2026, 11, 20), "changed_at": "12:05"},
    "factor-set-up": {"changed_on": date(2026, 11, 20), "changed_at": "12:05"},
    "payout-to-confirm": {
        "link": "https://pms.example.jp/dashboard/sumida/bank/payouts/a-file",
        "count": 3,
        "total_yen": 345_000,
        "pay_on": date(2026, 11, 30),
    },
    "payout-without-confirmer": {
        "link": "https://pms.example.jp/dashboard/sumida/bank/payouts/a-file",
        "count": 3,
        "total_yen": 345_000,
        "pay_on": date(2026, 11, 30),
        "makers": ["田中 一郎", "佐藤 花子"],
    },
    "second-person-off": {
        "by": "田中 一郎",
        "ends_on": date(2026, 11, 21),
        "ends_at": "12:05",
    },
    "password-changed": {"changed_on": date(2026, 11, 20), "changed_at": "12:05"},
    "sign-in-code": {"code": "123456", "minutes": 10},
    "sign-in-link": {"link": "https://pms.example.jp/sign-in/link/a-link", "minutes": 10},
    "sign-up": {"days": 7, "link": "https://pms.example.jp/open/a-link"},
}
GATHERED = {
    language: {
        "subject": translate("{count} notifications about your tasks", language, None, count=22),
        "more": 20,
        "notices": [
            {
                "text": notice_text(kind, TOLD, language),
                "link": f"https://pms.example.jp/sign-in?next=%2Fdashboard%2Fsumida%2Fnotices%2F{n}",
            }
            for n, kind in enumerate((NoticeKind.TASK_GIVEN, NoticeKind.TASK_SENT_BACK))
        ],
    }
    for language in ("ja", "en")
}
DEPARTURE = {
    "is_changed": False,
    "filed_on": date(2026, 11, 20),
    "move_out_on": date(2026, 12, 10),
    "last_rent_yen": 30_000,
    "penalty_yen": 93_000,
    "charged_before_yen": 0,
    "is_early_exit": True,
    "runs_until_on": date(2027, 3, 31),
    "deposit_back_yen": 0,
    "owed_yen": 30_000,
}
CONTRACT = {"ja": "定期建物賃貸借契約書", "en": "Fixed-term lease agreement"}
SIGNING = {
    "start_on": date(2026, 12, 1),
    "link": "https://pms.example.jp/resident/sumida/documents",
    "signer": "Emma Wilson",
    "signed_on": date(2026, 11, 20),
    "signed_at": "12:05",
}
UNLINKED = {
    "address-code": "the code is typed on the screen that asked for it",
    "address-taken": "nothing changed, and who has the address has no page about it",
    "enquiry-answer": "who asked has no account; they answer the mail",
    "lead-answer": "who applied has no account; they answer the mail",
    "message": "it may reach people without an account; they answer the mail",
    "screening-declined": "the application is over, and its reason is never shown outside",
    "sign-in-code": "the code is typed on the screen that asked for it",
    "viewing-booked": "the visitor has no account; the appointment is attached",
    "viewing-cancelled": "the visitor has no account",
    "viewing-changed": "the visitor has no account; the appointment is attached",
}
"""The mails without a link, and why; each other one has a link that opens exactly its page."""
ENDING = {
    "last_on": date(2027, 3, 31),
    "answer_by": date(2026, 12, 4),
    "is_reminder": False,
    "link": "https://pms.example.jp/resident/sumida/term",
}
RENT = {
    "from_on": date(2027, 2, 1),
    "answer_by": date(2026, 12, 4),
    "is_reminder": False,
    "link": "https://pms.example.jp/resident/sumida/rent",
}
END_NOTICE = {
    "ja": "定期建物賃貸借契約終了の通知書",
    "en": "Notice that a fixed-term building lease ends",
}
VISITOR = {
    "time": {
        "ja": "2026年11月24日(火) 14:00〜14:30（日本時間）",
        "en": "Tue 24 November 2026, 14:00–14:30 (Japan time)",
    },
    "was": {"ja": "2026年11月23日(月) 10:00", "en": "Mon 23 November 2026, 10:00"},
    "address": {
        "ja": "東京都墨田区東向島一丁目2番3号",
        "en": "1-2-3 Higashimukojima, Sumida, Tokyo",
    },
    "host": {"ja": "岡田 誠", "en": "岡田 誠"},
}
ASKED = {
    "ja": "土曜日に内見できますか。\n二人で伺います。",
    "en": "Is a viewing on Saturday possible?\nTwo of us would come.",
}
APPLIED = {
    "ja": "清掃の経験が三年あります。\n週に三日働けます。",
    "en": "I have cleaned for three years.\nI could work three days a week.",
}
POSITION = {"ja": "共用部の清掃スタッフ", "en": "Cleaner of shared areas"}
BUILDING = {"ja": "シェアハウス カワセミ荘", "en": "Kawasemi House"}
MONTH = {
    "month_on": date(2026, 10, 1),
    "income_yen": 412_000,
    "deducted_yen": 61_200,
    "payout_yen": 350_800,
    "payout_on": date(2026, 11, 15),
    "is_correction": False,
    "link": "https://pms.example.jp/owner/sumida/sign-in?next=%2Fowner%2Fsumida%2Fstatements%2F1",
}
STAY = {
    "check_in_on": date(2026, 12, 1),
    "check_in_time": "15:00",
    "check_out_on": date(2026, 12, 4),
    "check_out_time": "10:00",
    "address": "https://pms.example.jp/check-in/a-link",
}
OFFER = {
    "move_in_on": date(2026, 12, 20),
    "contract_end_on": date(2027, 5, 31),
    "monthly_yen": 98_000,
    "ends_on": date(2026, 11, 27),
    "ends_time": "12:05",
    "link": "https://pms.example.jp/reserve/a-link",
}
_AT_HOME: Final = (
    "reservation-link",
    "screening-approved",
    "screening-declined",
    "check-in-link",
    "arrival",
    "notice",
    "contract",
    "end-notice",
    "term-question",
    "rent-proposal",
    "viewing",
    "enquiry",
    "ticket",
    "settlement",
    "refund-sent",
    "settlement-objected",
)
_BOTH: Final = ("ja", "en")


def _each(**said: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """Return facts that are said in both languages, by language."""
    return {one: {name: words[one] for name, words in said.items()} for one in _BOTH}


def _same(**facts: Any) -> Mapping[str, Mapping[str, Any]]:
    """Return facts that are the same in both languages."""
    return dict.fromkeys(_BOTH, facts)


_STAFF: Final = _each(name=RECIPIENT, inviter=RECIPIENT, role_name=ROLE)
_BILL: Final = {
    "number": "2026-000001",
    "total_yen": 104_611,
    "open_yen": 43_000,
    "due_on": date(2026, 11, 30),
    "today": date(2026, 12, 3),
    "bank": BANK,
    "sender": SENDER,
}


def _at_stores(yen: int, pay_by_on: date) -> Mapping[str, Mapping[str, Any] | None]:
    """Return the number for a bill that can be paid at a store until a day, by language."""
    number = StoreNumber(yen, {"lawson": {"payment": "123456"}}, pay_by_on)
    return {language: store_facts(number, language) for language in _BOTH}


AT_STORES = _at_stores(104_611, date(2026, 11, 30))
REMINDED_AT_STORES = _at_stores(43_000, date(2026, 12, 6))
_BILLS_WITH_A_NUMBER = {
    language: [
        {**BILLS[language][0], "store": _at_stores(33_000, date(2026, 12, 6))[language]},
        {**BILLS[language][1], "store": None},
    ]
    for language in _BOTH
}
DEBIT = {
    "yen": 86_000,
    "collect_on": date(2026, 11, 27),
    "outcome": "1",
    "is_repeated": True,
    "bank": BANK,
    "sender": SENDER,
}
COLLECTION = {
    "step": "failed",
    "way": "card",
    "yen": 86_000,
    "due_on": date(2026, 11, 27),
    "last_digits": "4242",
    "next_on": date(2026, 11, 30),
    "stores": [],
    "number_url": "",
    "pay_by": None,
    "bank": BANK,
    "sender": SENDER,
}
SETTLED = {
    "settled_on": date(2026, 11, 20),
    "held_yen": 93_000,
    "deducted_yen": 52_200,
    "netted_yen": 4_200,
    "remainder_yen": 36_600,
    "owed_yen": 0,
    "answer_by_on": date(2026, 12, 4),
    "link": "https://pms.example.jp/settlement/a-link",
}
OBJECTED = {
    "ja": ["壁の傷は入居時からありました。"],
    "en": ["The mark on the wall was there when I moved in."],
}
FACTS: Final[Mapping[str, tuple[Mapping[str, Mapping[str, Any]], ...]]] = {
    "arrival": (_same(arrival_on=date(2026, 11, 20), report_by_on=date(2026, 11, 27)),),
    **{occasion: (_STAFF, _same(**facts)) for occasion, facts in TO_STAFF.items()},
    "staff-notices": (GATHERED, _each(name=RECIPIENT)),
    "notice": (_same(**DEPARTURE),),
    "contract": (_each(title=CONTRACT), _same(**SIGNING)),
    "end-notice": (_each(title=END_NOTICE), _same(**ENDING)),
    "term-question": (_same(**ENDING),),
    "rent-proposal": (_same(**RENT),),
    "viewing": (_each(**VISITOR), _same(opening="confirmed", free_on=date(2026, 12, 1))),
    "enquiry": (_each(asked=ASKED, words=WORDS), _same(received_on=date(2026, 11, 20))),
    "lead": (
        _each(asked=APPLIED, words=WORDS, position=POSITION),
        _same(received_on=date(2026, 11, 20)),
    ),
    "check-in-link": (_same(**STAY),),
    "reservation-link": (_same(**OFFER),),
    "screening-approved": (_same(link=OFFER["link"]),),
    "screening-declined": (),
    "message": (_each(words=WORDS),),
    "ticket": (_each(subject=TICKET, words=WORDS),),
    "arrears": (
        _each(bills=_BILLS_WITH_A_NUMBER),
        _same(open_yen=43_000, today=date(2026, 12, 3), bank=BANK, sender=SENDER),
    ),
    "invoice": (_each(subject=SUBJECT, store=AT_STORES), _same(**_BILL)),
    "bill-collection": (_each(subject=SUBJECT), _same(**COLLECTION)),
    "debit-failed": (_same(**DEBIT),),
    "overdue": (_each(subject=SUBJECT, store=REMINDED_AT_STORES), _same(**_BILL)),
    "settlement-objected": (_each(words=OBJECTED), _same(is_held=True)),
    "settlement": (_same(**SETTLED),),
    "refund-sent": (_same(amount_yen=36_600, sent_on=date(2026, 11, 30), unsent_yen=0),),
    "statement": (_each(building=BUILDING), _same(**MONTH)),
}


def facts(occasion: str, language: str) -> dict[str, Any]:
    """Return what a mail of an occasion is told in the tests."""
    name = next(one for one in FACTS if occasion.startswith(one))
    values: dict[str, Any] = {"operator": OPERATOR[language], "recipient": RECIPIENT[language]}
    values["hue"] = 250
    if occasion not in UNLINKED:
        values["link"] = "https://pms.example.jp/resident/sumida/sign-in?next=%2Fa-page"
    if name in _AT_HOME:
        values["home"] = HOME[language]
    for part in FACTS[name]:
        values |= part[language]
    return values
