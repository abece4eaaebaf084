"""The filters that are set on a list, each shown as a chip that removes it."""

from collections.abc import Iterable
from typing import Final, NamedTuple
from urllib.parse import urlencode

from flask import request, url_for
from flask_babel import LazyString, lazy_gettext
from wtforms import Field

from pms.surfaces.dashboard.merging import plain_text
from pms.surfaces.fields import ChoiceField

LEFT_OUT: Final = "owner_resident"
EXCLUDED: Final = (
    (LEFT_OUT, lazy_gettext("Exclude owner residents")),
    ("", lazy_gettext("Include all")),
)
_EXCLUDE: Final = "excludeRecords"
"""The filter that is set at first; its empty value is a state of its own: nobody is left out."""


class Chip(NamedTuple):
    """The label of a set filter; `without` is the change of the query that removes it."""

    text: str | LazyString
    without: dict[str, str | None]


OWNERS_LEFT_OUT: Final = Chip(lazy_gettext("Owner residents are excluded"), {_EXCLUDE: ""})


def chip_of(field: Field) -> Chip:
    """Return the chip of a filter: its label, and its value unless that is just yes."""
    label = str(field.label.text)
    text = label if field.data is True else f"{label}: {value_text(field)}"
    return Chip(text, {field.name: None})


def value_text(field: Field) -> str:
    """Return the value of a filter as a person reads it."""
    if not isinstance(field, ChoiceField):
        return plain_text(field)
    chosen = (text for value, text, *_ in field.iter_choices() if value == (field.data or ""))
    return str(next(chosen, ""))


def chip_links(chips: Iterable[Chip], endpoint: str) -> list[tuple[str | LazyString, str]]:
    """Return each chip's text with the address of the list without its filter."""
    kept = {name: text for name, text in request.args.items() if name != "page"}
    return [(chip.text, _build_address({**kept, **chip.without}, endpoint)) for chip in chips]


def _build_address(query: dict[str, str | None], endpoint: str) -> str:
    stays = {
        name: text
        for name, text in query.items()
        if text is not None and (text or name == _EXCLUDE)
    }
    return f"{url_for(endpoint)}?{urlencode(stays)}"
