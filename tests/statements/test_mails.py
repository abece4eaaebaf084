"""Every mail in both languages, word for word: tests/statements/mails/<occasion>.<language>.txt."""

from datetime import date
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from pms.foundation.mail_texts import TEMPLATES, mail_text
from pms.rules.brand_colour import brand_colour
from tests.statements.mail_facts import OPERATOR, UNLINKED, facts

WORDED = Path(__file__).parent / "mails"
OCCASIONS = sorted({path.name.partition(".")[0] for path in TEMPLATES.glob("*.txt")})


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
    # Nothing is loaded from anywhere; every mail has a link, or a reason why none.
    assert ("http" in mail.html) == (occasion not in UNLINKED)
    assert mail.text.count("http") == mail.html.count("http")


@pytest.mark.parametrize("occasion", OCCASIONS)
def test_an_occasion_has_its_four_files_and_a_worded_example_in_each_language(
    occasion: str,
) -> None:
    for language in ("ja", "en"):
        for kind in ("txt", "html"):
            assert (TEMPLATES / f"{occasion}.{language}.{kind}").is_file()
        assert (WORDED / f"{occasion}.{language}.txt").is_file()


def test_no_mail_is_written_twice_or_left_without_an_occasion() -> None:
    files = {path.name for path in TEMPLATES.iterdir() if path.is_file()} - {"frame.html"}
    kinds = [f"{language}.{kind}" for language in ("ja", "en") for kind in ("txt", "html")]
    assert files == {f"{occasion}.{kind}" for occasion in OCCASIONS for kind in kinds}
    assert {path.name for path in WORDED.iterdir()} == {
        f"{occasion}.{language}.txt" for occasion in OCCASIONS for language in ("ja", "en")
    }


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("occasion", OCCASIONS)
def test_the_frame_carries_the_workspaces_name_and_colour(occasion: str, language: str) -> None:
    mail = mail_text(occasion, language, **{**facts(occasion, language), "hue": 30})
    assert f"<header>{OPERATOR[language]}</header>" in mail.html
    assert brand_colour(30) in mail.html
    assert brand_colour(30) not in mail_text(occasion, language, **facts(occasion, language)).html


def test_a_visitor_is_promised_no_day_that_is_not_certain() -> None:
    for opening, free_on in (("possible", date(2026, 12, 10)), ("possible", None), ("taken", None)):
        given = {**facts("viewing-booked", "en"), "opening": opening, "free_on": free_on}
        mail = mail_text("viewing-booked", "en", **given)
        assert "is free from" not in mail.text + mail.html
        assert "no move-in date" in mail.text
        assert "no move-in date" in mail.html


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
        mail_text("invoice", "ja", hue=250, operator="隅田")
