"""The label of every enumeration in the reader's language, and the tone of each state."""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final

from flask import Flask
from flask_babel import LazyString

from pms.surfaces.labels.bank import BANK_LABELS
from pms.surfaces.labels.catalogue import CATALOGUE_LABELS
from pms.surfaces.labels.channels import CHANNEL_LABELS
from pms.surfaces.labels.failures import failure_text
from pms.surfaces.labels.money import MONEY_LABELS
from pms.surfaces.labels.people import PEOPLE_LABELS
from pms.surfaces.labels.reservations import RESERVATION_LABELS
from pms.surfaces.labels.tones import TONES, Tone
from pms.surfaces.page_templates import language_of_page

LABELS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
    **CATALOGUE_LABELS,
    **BANK_LABELS,
    **RESERVATION_LABELS,
    **MONEY_LABELS,
    **PEOPLE_LABELS,
    **CHANNEL_LABELS,
}


def install(app: Flask) -> None:
    """Give templates `state|label`, `state|tone` and `reason|failure_text`."""
    app.jinja_env.filters.update(label=label_of, tone=tone, failure_text=failure_text)


def label_of(value: StrEnum) -> str:
    """Return the label of an enumeration's member, for a tag or a choice."""
    return _label(type(value), value, language_of_page())


@lru_cache(maxsize=4096)
def _label(kind: type[StrEnum], value: StrEnum, _language: str) -> str:
    # The same few labels are used on every card and in every list.
    return str(LABELS[kind][value])


def choices(kind: type[StrEnum]) -> list[tuple[str, str]]:
    """Return the choices of an enumeration for a form: each value with its label."""
    return [(member.value, label_of(member)) for member in kind]


def tone(value: StrEnum) -> Tone:
    """Return the tone of a state's tag; a state that needs no attention is plain."""
    return TONES.get(type(value), {}).get(value, "plain")
