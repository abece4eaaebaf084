"""One line of the worklist: who or what, where, how much, and the action of its button."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import IntEnum
from typing import Any

from flask import url_for
from flask_babel import gettext as _
from markupsafe import Markup

from pms.arrivals.days_work import DueStay
from pms.foundation.phrases import Bilingual
from pms.surfaces.labels.formats import brief_day
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today


class When(IntEnum):
    """The three parts of the list, the most urgent first."""

    NOW = 0
    TODAY = 1
    WEEK = 2


@dataclass(frozen=True)
class Act:
    """The action of a line's button: opens an address, or sends `fields` to it as a form."""

    text: str
    href: str
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """One line of the list."""

    when: When
    subject: str
    """The kind of thing, in a word or two."""
    what: str | Markup
    href: str
    act: Act
    place: str = ""
    fact: str | Markup = ""
    tags: Sequence[tuple[str, str]] = ()
    is_late: bool = False
    task_id: str | None = None


def place_text(building: Bilingual, unit: str | None) -> str:
    """Return building and unit as one text."""
    return f"{building.in_language(chosen_language()) or ''} {unit or ''}".strip()


def dashboard_address(endpoint: str, **values: Any) -> str:
    """Return an address of the dashboard."""
    return url_for(f"dashboard.{endpoint}", **values)


def stay_address(endpoint: str, stay: DueStay) -> str:
    """Return the address of one of the pages of a stay."""
    return dashboard_address(endpoint, reservation_id=stay.reservation_id)


def day_text(on: date) -> str | Markup:
    """Return a day as a line shows it: "Today", or the date."""
    return _("Today") if on == today() else brief_day(on, today())


def text_with_day(text: str, on: date) -> Markup:
    """Return a text with the day filled in."""
    return Markup(text) % {"day": brief_day(on, today())}


def when_due(on: date) -> When:
    """Return the part for a day: NOW if it is due, else WEEK."""
    return When.NOW if on <= today() else When.WEEK
