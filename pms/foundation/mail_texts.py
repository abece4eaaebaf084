"""Renders the texts of mails, with their amounts, days and months."""

from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from babel.dates import format_date
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sqlalchemy import String
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from pms.rules.brand_colour import brand_colour

_WHOLE: Final = {"ja": "y年M月d日", "en": "d MMMM y"}
_MONTH: Final = {"ja": "y年M月", "en": "MMMM y"}
MINUS: Final = "−"


def format_yen(yen: int) -> str:
    """Return whole yen formatted: ¥93,000, −¥1,500."""
    return f"{MINUS if yen < 0 else ''}¥{abs(yen):,}"


@lru_cache(maxsize=1024)
def format_day(day: date, locale: str) -> str:
    """Return a day formatted with its year: 2026年12月1日, 1 December 2026."""
    return format_date(day, _WHOLE[_mail_language(locale)], locale=_mail_language(locale))


@lru_cache(maxsize=256)
def format_month(day: date, locale: str) -> str:
    """Return the month of a day: 2026年12月, December 2026."""
    return format_date(day, _MONTH[_mail_language(locale)], locale=_mail_language(locale))


def format_days(first_on: date | None, last_on: date | None, locale: str) -> str:
    """Return a range of days, without repeating what both ends share; empty without days."""
    if first_on is None or last_on is None:
        known = first_on or last_on
        return format_day(known, locale) if known else ""
    if first_on == last_on:
        return format_day(first_on, locale)
    if _mail_language(locale) == "ja":
        return f"{format_day(first_on, 'ja')}〜{_rest_ja(first_on, last_on)}"
    return f"{_rest_en(first_on, last_on)} – {format_day(last_on, 'en')}"


def _rest_ja(first_on: date, last_on: date) -> str:
    if first_on.year != last_on.year:
        return format_day(last_on, "ja")
    is_one_month = first_on.month == last_on.month
    return format_date(last_on, "d日" if is_one_month else "M月d日", locale="ja")


def _rest_en(first_on: date, last_on: date) -> str:
    if first_on.year != last_on.year:
        return format_day(first_on, "en")
    is_one_month = first_on.month == last_on.month
    return format_date(first_on, "d" if is_one_month else "d MMMM", locale="en")


def _mail_language(locale: str) -> str:
    return "en" if locale == "en" else "ja"


TEMPLATES: Final = Path(__file__).parents[2] / "templates" / "mail"


class MailText(NamedTuple):
    """A mail in one language, as text and as HTML."""

    subject: str
    text: str
    html: str


def mail_text(occasion: str, locale: str, *, hue: int, **facts: Any) -> MailText:
    """Return the mail of an occasion; the first line of the text template is the subject.

    `hue` is the workspace's colour, used in the frame of the HTML. A variable of a template that
    was not given is a programming error and raises.
    """
    language = "en" if locale == "en" else "ja"
    facts = {**facts, "language": language, "brand": brand_colour(hue)}
    written = _build_environment(language).get_template(f"{occasion}.{language}.txt").render(facts)
    html = _build_environment(language).get_template(f"{occasion}.{language}.html").render(facts)
    subject, _, text = written.partition("\n")
    return MailText(subject.strip(), text.strip("\n") + "\n", html)


@cache
def _build_environment(language: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=lambda name: bool(name and name.endswith(".html")),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["yen"] = format_yen
    environment.filters["day"] = lambda day: format_day(day, language)
    environment.filters["month"] = lambda day: format_month(day, language)
    return environment


class month_text(FunctionElement[str]):  # noqa: N801  # it reads as the function of SQL it is
    """SQL expression: the month of a day as text, YYYY-MM."""

    type = String()
    inherit_cache = True


@compiles(month_text, "sqlite")
def _on_sqlite(element: month_text, compiler: Any, **how: Any) -> str:
    # Days are ISO text in SQLite; its own date functions cost ten times as much.
    return f"substr({compiler.process(element.clauses, **how)}, 1, 7)"


@compiles(month_text, "postgresql")
def _on_postgresql(element: month_text, compiler: Any, **how: Any) -> str:
    return f"to_char({compiler.process(element.clauses, **how)}, 'YYYY-MM')"
