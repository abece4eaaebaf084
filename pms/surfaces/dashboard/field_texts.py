"""Says what a field of a form holds: as text to compare, and as a person reads it."""

from typing import Any

from flask_babel import gettext as _
from wtforms import Field, SelectField, SelectMultipleField

from pms.foundation.wording import said_day, said_yen
from pms.surfaces.fields import DayField, YenField
from pms.surfaces.reader_choice import chosen_language


def plain_text(each: Field) -> str:
    """The value of a field as the form carries it: equal values are equal texts."""
    data: Any = each.data
    if data is None or data is False:
        return ""
    if data is True:
        return "1"
    if isinstance(data, list | tuple):
        return "\n".join(map(str, data))
    shown = getattr(each, "shown", str)
    return str(shown(data)).replace("\r\n", "\n").strip()


def shown_text(each: Field) -> str:
    """The value of a field as a person reads it."""
    if isinstance(each, SelectField | SelectMultipleField):
        chosen = [str(text) for _value, text, is_chosen, *_ in each.iter_choices() if is_chosen]
        return ", ".join(chosen)
    if isinstance(each, YenField) and each.data is not None:
        return said_yen(each.data)
    if isinstance(each, DayField) and each.data is not None:
        return said_day(each.data, chosen_language())
    if each.data is True:
        return str(_("Yes"))
    return _("No") if each.data is False else plain_text(each)
