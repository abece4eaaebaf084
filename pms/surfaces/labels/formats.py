"""Format yen, days and instants for pages, in the reader's language, as template filters."""

import re
from datetime import date, datetime
from functools import lru_cache
from unicodedata import normalize
from urllib.parse import quote

from babel import dates
from flask import Flask, request
from flask_babel import gettext as _
from markupsafe import Markup

from pms.foundation.mail_texts import format_day, format_days, format_month, format_yen
from pms.foundation.translations import translate
from pms.rules.days import JAPAN, CorruptDay
from pms.rules.unit_words import describe_layout
from pms.statements.typesetting import unprintable_letters
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today

_WITH_WEEKDAY = {"ja": "y年M月d日(E)", "en": "E d MMM y"}
_SHORT = {"ja": "M/d(E)", "en": "E d MMM"}
_ZONE = " JST"
_WEEKDAY = {"ja": "E", "en": "EEEEE"}
_NOTHING = "–"


@lru_cache(maxsize=1024)
def format_date(value: date, form: str, locale: str) -> str:
    """Format a day; cached, because the same few days are on every card and in every row."""
    return dates.format_date(value, form, locale=locale)


def install(app: Flask) -> None:
    """Give templates the filters."""
    app.jinja_env.filters.update(
        yen=yen,
        layout=layout,
        day=day,
        short_day=short_day,
        short_month=short_month,
        axis_day=axis_day,
        near_day=near_day,
        list_day=list_day,
        list_days=list_days,
        year_day=year_day,
        list_instant=list_instant,
        plain_day=plain_day,
        month=month,
        instant=instant,
        days=days,
        weekday=weekday,
        work_time=work_time,
        mail_link=mail_link,
        phone_link=phone_link,
        contact_link=contact_link,
        map_link=map_link,
        unprintable_letters=unprintable_letters,
        unbroken=keep_unbroken,
    )


_MAPS = "https://www.google.com/maps/search/?api=1&query="


def mail_link(address: str | None) -> Markup | None:
    """Return a `mailto:` link that may break after its "@", or None without an address."""
    if not address:
        return None
    text = Markup("@<wbr>").join(address.split("@"))
    return Markup('<a href="mailto:{}">{}</a>').format(quote(address, safe="@"), text)


def phone_link(number: str | None) -> Markup | None:
    """Return a `tel:` link, or None without a number."""
    if not number:
        return None
    called = re.sub(r"[^0-9+]", "", normalize("NFKC", number))
    return Markup('<a href="tel:{}">{}</a>').format(called, number)


_KEPT_ON_ONE_LINE = re.compile(r"([^\s-]+(?:-[^\s-]+)+|[−-]?¥[\d,]+)")


def keep_unbroken(text: str | None) -> Markup:
    """Return a text whose units ("A-02") and amounts ("−¥1,000") each stay on one line."""
    kept = Markup('<span class="unbroken">{}</span>')
    parts = _KEPT_ON_ONE_LINE.split(text or "")
    # Every second part is one that stays on its line.
    return Markup().join(kept.format(part) if at % 2 else part for at, part in enumerate(parts))


def contact_link(contact: str | None) -> Markup | None:
    """Return a link for an email address or a phone number, whichever was typed."""
    return mail_link(contact) if "@" in (contact or "") else phone_link(contact)


def map_link(address: str | None) -> Markup | None:
    """Return a link to a map of an address, or None without one."""
    if not address:
        return None
    to = f"{_MAPS}{quote(address)}"
    return Markup('<a href="{}" rel="noreferrer">{}</a>').format(to, address)


def yen(amount: int | None) -> str:
    """Format yen (¥93,000) with a true minus sign; None is a dash."""
    return _NOTHING if amount is None else format_yen(amount)


def layout(value: str | None) -> Markup | str:
    """Return a layout in the reader's language; text that stays Japanese is marked so."""
    if not value:
        return ""
    text = describe_layout(value, chosen_language())
    return (
        Markup('<span lang="{}">{}</span>').format(text.lang, text.text) if text.lang else text.text
    )


def day(value: date | CorruptDay | None) -> Markup:
    """Return a day with its weekday as `<time>`; a corrupt one as it was recorded."""
    return _format_time_element(value, _WITH_WEEKDAY)


def short_day(value: date | CorruptDay | None) -> Markup:
    """Return a day without its year."""
    return _format_time_element(value, _SHORT)


def brief_day(value: date, today: date) -> Markup:
    """Return a day for a list, with its year if it is another: 12/10, in English 10 Dec."""
    return _brief_time(value, value.year != today.year, chosen_language())


@lru_cache(maxsize=4096)
def _brief_time(value: date, is_with_year: bool, locale: str) -> Markup:
    text = _brief_text(value, is_with_year, locale)
    return Markup('<time datetime="{}">{}</time>').format(value.isoformat(), text)


def _brief_text(value: date, is_with_year: bool, locale: str) -> str:
    if locale == "ja":
        return f"{value.year}/" * is_with_year + f"{value.month}/{value.day}"
    return format_date(value, "d MMM y" if is_with_year else "d MMM", locale)


def near_day(value: date) -> str:
    """Return a day without its year, as plain text: 12/10, in English 10 Dec."""
    return _brief_text(value, False, chosen_language())


def axis_day(value: date) -> str:
    """Return a day for the narrow head of a chart: the month is named on its first day alone."""
    if value.day != 1:
        return str(value.day)
    return near_day(value) if chosen_language() == "ja" else short_month(value)


def brief_instant(value: datetime, today: date) -> Markup:
    """Return an instant for a list: 09:45 today, else the day."""
    there = value.astimezone(JAPAN)
    if there.date() != today:
        return brief_day(there.date(), today)
    return Markup('<time datetime="{}">{:%H:%M}</time>').format(there.isoformat(), there)


def list_day(value: date | CorruptDay | None) -> Markup:
    """Return a day for a row of a list, as short as possible."""
    return (
        brief_day(value, today())
        if isinstance(value, date)
        else _format_time_element(value, _SHORT)
    )


def list_days(
    first_on: date | None, last_on: date | None, *, with_year: bool = True
) -> Markup | str:
    """Return days for a row of a list, the year once: 2025/12/1 – 12/31, in English 1 – 31 Dec 2025."""
    if first_on is None or last_on is None:
        return ""
    this_on = today() if with_year else first_on
    if first_on == last_on:
        return brief_day(first_on, this_on)
    if chosen_language() == "ja":
        return Markup("{} – {}").format(brief_day(first_on, this_on), brief_day(last_on, first_on))
    if (first_on.year, first_on.month) == (last_on.year, last_on.month):
        first = Markup('<time datetime="{}">{}</time>').format(first_on.isoformat(), first_on.day)
    else:
        first = brief_day(first_on, last_on)
    known_on = this_on if first_on.year == last_on.year else first_on
    return Markup("{} – {}").format(first, brief_day(last_on, known_on))


def year_day(value: date | CorruptDay | None) -> Markup:
    """Return a day, always with its year."""
    return (
        brief_day(value, date.min)
        if isinstance(value, date)
        else _format_time_element(value, _SHORT)
    )


def list_instant(value: datetime | None) -> Markup:
    """Return an instant for a row of a list."""
    return Markup(_NOTHING) if value is None else brief_instant(value, today())


def plain_day(value: date) -> str:
    """Return a day for running text."""
    return format_day(value, chosen_language())


def month(value: date) -> str:
    """Return the month of a day."""
    return format_month(value, chosen_language())


def short_month(value: date) -> str:
    """Return the month of a day without its year, for the foot of a chart."""
    return format_date(value, "MMM", locale=chosen_language())


def weekday(value: date) -> str:
    """Return the weekday as one letter, for the head of a chart."""
    locale = chosen_language()
    return format_date(value, _WEEKDAY[locale], locale=locale)


def work_time(minutes: int) -> str:
    """Format the time worked: 2 h 30 min."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return str(_("%(minutes)s min", minutes=rest))
    if not rest:
        return str(_("%(hours)s h", hours=hours))
    return str(_("%(hours)s h %(minutes)s min", hours=hours, minutes=rest))


def days(first_on: date | None, last_on: date | None) -> str:
    """Format a range of days by its first and last day."""
    return format_days(first_on, last_on, chosen_language())


def instant(value: datetime | None) -> Markup:
    """Return an instant in Japan time to the minute; readers of English outside the desk see its zone."""
    if value is None:
        return Markup(_NOTHING)
    there = value.astimezone(JAPAN)
    locale = chosen_language()
    written_day = format_date(there.date(), _WITH_WEEKDAY[locale], locale=locale)
    text = translate("{day}, {time}", locale, day=written_day, time=f"{there:%H:%M}")
    zone = "" if locale == "ja" or request.blueprint == "dashboard" else _ZONE
    return Markup('<time datetime="{}">{}</time>').format(there.isoformat(), text + zone)


def _format_time_element(value: date | CorruptDay | None, forms: dict[str, str]) -> Markup:
    if not isinstance(value, date):
        return Markup('<span class="unknown-day">{}</span>').format(
            _NOTHING if value is None else value.text
        )
    locale = chosen_language()
    text = format_date(value, forms[locale], locale=locale)
    return Markup('<time datetime="{}">{}</time>').format(value.isoformat(), text)
