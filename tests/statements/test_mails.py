"""Every mail in both languages, word for word: tests/statements/mails/<occasion>.<language>.txt."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError

from pms.foundation.mail_texts import TEMPLATES, mail_text

WORDED = Path(__file__).parent / "mails"
OPERATOR = {"ja": "隅田シェアハウス", "en": "Sumida Share House"}
RECIPIENT = {"ja": "佐藤 花子", "en": "Emma Wilson"}
SUBJECT = {"ja": "2026年12月分 賃料等", "en": "Rent for December 2026"}
HOME = {"ja": "シェアハウス カワセミ荘 101", "en": "Kawasemi House 202"}
BANK = "すみれ銀行 墨田支店\n普通 1234567"
ROLE = {"ja": "事務", "en": "office"}
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
TO_STAFF = {
    "invitation": {"days": 7, "link": "https://pms.example.jp/invitations/a-link"},
    "password-changed": {"changed_on": date(2026, 11, 20), "changed_at": "12:05"},
    "sign-in-code": {"code": "123456", "minutes": 10},
}
DEPARTURE = {
    "is_changed": False,
    "filed_on": date(2026, 11, 20),
    "move_out_on": date(2026, 12, 10),
    "last_rent_yen": 30_000,
    "penalty_yen": 93_000,
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
LINKED = {"contract-to-sign", "invitation"}
OCCASIONS = sorted({path.name.partition(".")[0] for path in TEMPLATES.glob("*.txt")})


def facts(occasion: str, language: str) -> dict[str, Any]:
    told = {"operator": OPERATOR[language], "recipient": RECIPIENT[language]}
    if occasion.startswith("arrival"):
        days = {"arrival_on": date(2026, 11, 20), "report_by_on": date(2026, 11, 27)}
        return {**told, **days, "home": HOME[language]}
    if occasion in TO_STAFF:
        people = {"name": RECIPIENT[language], "inviter": RECIPIENT[language]}
        return {**told, **people, "role_name": ROLE[language], **TO_STAFF[occasion]}
    if occasion.startswith("notice"):
        return {**told, "home": HOME[language], **DEPARTURE}
    if occasion.startswith("contract"):
        return {**told, "home": HOME[language], "title": CONTRACT[language], **SIGNING}
    if occasion == "ticket":
        said = {"subject": TICKET[language], "words": WORDS[language], "home": HOME[language]}
        return {**told, **said}
    if occasion == "arrears":
        money = {"open_yen": 43_000, "today": date(2026, 12, 3), "bank": BANK}
        return {**told, **money, "bills": BILLS[language]}
    return {
        **told,
        "subject": SUBJECT[language],
        "number": "2026-000001",
        "total_yen": 104_611,
        "open_yen": 43_000,
        "due_on": date(2026, 11, 30),
        "today": date(2026, 12, 3),
        "bank": BANK,
    }


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("occasion", OCCASIONS)
def test_a_mail_says_what_was_agreed_on(occasion: str, language: str) -> None:
    mail = mail_text(occasion, language, **facts(occasion, language))
    worded = (WORDED / f"{occasion}.{language}.txt").read_text(encoding="utf-8")
    assert f"{mail.subject}\n\n{mail.text}" == worded


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("occasion", OCCASIONS)
def test_its_html_carries_the_same_facts_in_its_language(occasion: str, language: str) -> None:
    mail = mail_text(occasion, language, **facts(occasion, language))
    assert f'<html lang="{language}">' in mail.html
    for fact in facts(occasion, language).values():
        if isinstance(fact, str) and fact in mail.text:
            assert all(line in mail.html for line in fact.splitlines())
    # Nothing is loaded from anywhere; a link stands only where the mail is about one.
    assert ("http" in mail.html) == (occasion in LINKED)


def test_a_name_cannot_become_markup_of_a_mail_nor_a_second_header() -> None:
    given = {**facts("invoice", "en"), "recipient": "<b>Bob</b>", "subject": "Rent"}
    mail = mail_text("invoice", "en", **given)
    assert "<b>Bob</b>" in mail.text
    assert "&lt;b&gt;Bob&lt;/b&gt;" in mail.html
    assert "\n" not in mail.subject


def test_without_a_bank_account_none_is_told() -> None:
    mail = mail_text("invoice", "ja", **{**facts("invoice", "ja"), "bank": None})
    assert "お振込先" not in mail.text + mail.html


def test_a_fact_nobody_gave_is_an_error_and_no_blank() -> None:
    with pytest.raises(UndefinedError):
        mail_text("invoice", "ja", operator="隅田")
