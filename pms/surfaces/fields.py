"""Form fields for yen, days, names and numbers; a refused text is shown again as it was typed.

A field's `data` is the value that the use cases take. `_value()` is the text shown in the input:
after a refusal, the text as it was typed. The field names are those of the API, because refusals
name them.
"""

import re
import unicodedata
from collections.abc import Iterable
from datetime import date, time
from decimal import Decimal
from typing import Any, Final

from flask_babel import gettext as _
from flask_babel import lazy_gettext
from markupsafe import Markup, escape
from wtforms import (
    BooleanField,
    Field,
    RadioField,
    SelectField,
    SelectMultipleField,
    StringField,
)
from wtforms import HiddenField as _HiddenField
from wtforms import PasswordField as _PasswordField
from wtforms.validators import Optional as _WTFormsOptional
from wtforms.validators import StopValidation
from wtforms.widgets import Select, TextArea, TextInput

from pms.foundation.mail_texts import format_yen
from pms.rules.addresses import AddressProblem, address_problem, plain_address
from pms.rules.days import FIRST_DAY, LAST_DAY, strict_day
from pms.rules.upkeep_cost import plain_hours, read_worked_minutes
from pms.rules.yen import Amount, AmountProblem, read_percent, read_typed_amount
from pms.statements.typesetting import unprintable_letters

_MOST_CHARACTERS: Final = 200
_MOST_LONG_CHARACTERS: Final = 20_000
_MINUTES_OF_A_DAY: Final = 24 * 60
_ADDRESS_PROBLEMS: Final = {
    AddressProblem.SHAPE: lazy_gettext("Enter an email address such as name@example.com."),
    AddressProblem.LETTERS: lazy_gettext(
        "This address cannot be mailed. Use letters without accents, digits and marks."
    ),
    AddressProblem.LENGTH: lazy_gettext(
        "This address cannot be mailed. Enter at most 64 characters before the @ and 254 in all."
    ),
    AddressProblem.DOMAIN: lazy_gettext(
        "This address cannot be mailed. Enter a domain such as example.com after the @."
    ),
}
_TO_KATAKANA: Final = {code: chr(code + 0x60) for code in range(0x3041, 0x3097)}
_NOT_KANA: Final = re.compile(r"[^\u30a0-\u30ff\s・]")


class Required:
    """A validator for a field that must not be empty, with a short message."""

    field_flags = {"required": True}  # noqa: RUF012  # WTForms reads it from the class

    def __call__(self, _form: object, field: Field) -> None:
        if field.raw_data and any(str(given).strip() for given in field.raw_data):
            return
        # An error found while reading the text says more than that the field is empty.
        if field.errors:
            raise StopValidation("")
        is_choice = isinstance(field, _Chosen)
        raise StopValidation(_("Choose one.") if is_choice else _("Please fill this in."))


class Optional(_WTFormsOptional):
    """A validator for a field that may be empty; its `data` is then None."""


class Printable:
    """A validator for a text that papers show: each of its letters is in a font."""

    def __call__(self, _form: object, field: Field) -> None:
        if letters := unprintable_letters(field.data or ""):
            raise StopValidation(
                _(
                    "%(letters)s cannot be printed on papers. Write this with other letters.",
                    letters=letters,
                )
            )


class Either(_WTFormsOptional):
    """A validator for fields of which one must be filled in: the same text in two languages, say.

    They are marked so on the page; the use case refuses when all are empty.
    """

    def __init__(self) -> None:
        super().__init__()
        self.field_flags = {"either": True}


class _Single(Field):
    """A field with one value; refuses several values, which would be ambiguous."""

    def process_formdata(self: Any, valuelist: list[Any]) -> None:
        super().process_formdata(_list_texts(valuelist))

    def pre_validate(self, form: object) -> None:
        _refuse_doubles(self)


def _list_texts(given: list[Any]) -> list[str]:
    """Return the texts that were sent; a file sent under the field's name is not one."""
    return [value for value in given if isinstance(value, str)]


def _refuse_doubles(field: Field) -> None:
    if field.raw_data and len(field.raw_data) > 1:
        raise StopValidation(_("This was sent more than once. Send it once."))


class HiddenField(_Single, _HiddenField):
    """A hidden field, filled by the page."""


class SeenField(HiddenField):
    """The version, or the number of changes, of the record that the form shows."""

    def __init__(self, *args: Any, unread: int | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._unread = unread

    @property
    def seen_value(self) -> Any:
        """The number that was seen; `unread` for a text that is not a number."""
        text = str(self.data or "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else self._unread


class PasswordField(_Single, _PasswordField):
    """A password, which is never shown again in the form."""


class TextField(_Single, StringField):
    """One line of text, trimmed and in NFC; `data` is `None` when it is empty."""

    most_characters = _MOST_CHARACTERS

    def process_formdata(self, valuelist: list[Any]) -> None:
        typed = _list_texts(valuelist)
        self.data = unicodedata.normalize("NFC", typed[0]).strip() or None if typed else None

    def pre_validate(self, form: object) -> None:
        super().pre_validate(form)
        if not self.data:
            return
        if len(self.data) > self.most_characters:
            raise StopValidation(
                _(
                    "Enter at most %(most)s characters (now %(count)s).",
                    most=self.most_characters,
                    count=len(self.data),
                )
            )
        if any(
            unicodedata.category(character) in ("Cs", "Cc") and character not in "\r\n\t"
            for character in self.data
        ):
            raise StopValidation(_("This contains characters that cannot be saved."))


class LongTextField(TextField):
    """Text of several lines."""

    widget = TextArea()
    most_characters = _MOST_LONG_CHARACTERS


class EmailField(TextField):
    """An email address that can be mailed to; full-width letters become half-width ones."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        super().process_formdata(valuelist)
        self.data = self.data and plain_address(self.data)

    def pre_validate(self, form: object) -> None:
        super().pre_validate(form)
        problem = address_problem(self.data) if self.data else None
        if problem is not None:
            raise StopValidation(str(_ADDRESS_PROBLEMS[problem]))


class PhoneField(TextField):
    """A phone number; full-width digits and marks are converted to half width."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        super().process_formdata(valuelist)
        self.data = self.data and unicodedata.normalize("NFKC", self.data)


class KanaField(TextField):
    """The reading of a name, typed in hiragana or katakana of any width and stored as katakana."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        super().process_formdata(valuelist)
        if self.data:
            self.data = unicodedata.normalize("NFKC", self.data).translate(_TO_KATAKANA)

    def pre_validate(self, form: object) -> None:
        super().pre_validate(form)
        if self.data and _NOT_KANA.search(self.data):
            raise StopValidation(_("Enter hiragana or katakana only."))


class _Typed(_Single):
    """A text input that is converted to a value; a text that is refused is kept with the reason."""

    widget = TextInput()

    def process_data(self, value: Any) -> None:
        self.data = value

    def process_formdata(self, valuelist: list[Any]) -> None:
        texts = _list_texts(valuelist)
        if not texts:
            return
        typed = unicodedata.normalize("NFKC", texts[0]).strip()
        self.data = None
        if typed:
            self.data = self.read(typed, texts[0])

    def read(self, typed: str, given: str) -> Any:
        """Return the value; raise `ValueError` with the reason if the text is not valid."""
        raise NotImplementedError

    def _value(self) -> str:
        if self.raw_data:
            return str(self.raw_data[0])
        return "" if self.data is None else self.format_value(self.data)

    def format_value(self, value: Any) -> str:
        """Return the text that the input shows for a value."""
        return str(value)


class YenField(_Typed):
    """Whole yen: digits, with correctly placed commas, also full width (Money 4)."""

    def __init__(self, *args: Any, minimum_yen: int = 0, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.minimum_yen = minimum_yen

    def read(self, typed: str, given: str) -> int:
        reading = read_typed_amount(given, self.minimum_yen)
        if isinstance(reading, Amount):
            return reading.yen
        if reading.problem == AmountProblem.TOO_SMALL:
            raise ValueError(_("Enter at least %(least)s.", least=format_yen(self.minimum_yen)))
        if reading.problem == AmountProblem.TOO_LARGE:
            raise ValueError(_("This amount is too large."))
        raise ValueError(_("Whole yen only, e.g. 86000."))


class DayField(_Typed):
    """A day, as a date picker or a person writes it: 2026-11-20 or 2026/11/20."""

    def read(self, typed: str, given: str) -> date:
        day = strict_day(re.sub(r"[/.]", "-", typed))
        if day is None:
            raise ValueError(
                _(
                    "Enter a date such as 2026-11-20, from %(first)s to %(last)s.",
                    first=FIRST_DAY,
                    last=LAST_DAY,
                )
            )
        return day


class TimeField(_Typed):
    """A time of the day to the minute: 14:30, 1430 or 14時30分."""

    def read(self, typed: str, given: str) -> time:
        found = re.fullmatch(r"(\d{1,2})(?:[:.時]\s*(\d{2})?分?|(\d{2}))", typed)
        hour, minute = (int(found[1]), int(found[2] or found[3] or 0)) if found else (24, 0)
        if hour > 23 or minute > 59:
            raise ValueError(_("Enter a time such as 14:30."))
        return time(hour, minute)

    def format_value(self, value: time) -> str:
        return f"{value:%H:%M}"


class WholeNumberField(_Typed):
    """A whole number within two inclusive limits."""

    def __init__(self, *args: Any, least: int = 0, most: int = 999_999, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.least, self.most = least, most

    def read(self, typed: str, given: str) -> int:
        if re.fullmatch(r"-?[0-9]{1,9}", typed) and self.least <= int(typed) <= self.most:
            return int(typed)
        raise ValueError(
            _("Enter a whole number from %(least)s to %(most)s.", least=self.least, most=self.most)
        )


class HoursField(_Typed):
    """Time worked, in minutes; typed as 2, 2.5, 1:30 or 90分, at most a day."""

    def read(self, typed: str, given: str) -> int:
        minutes = read_worked_minutes(typed)
        if minutes is None or not 1 <= minutes <= _MINUTES_OF_A_DAY:
            raise ValueError(_("Enter hours such as 2, 2.5 or 1:30, at most 24."))
        return minutes

    def format_value(self, value: int) -> str:
        return plain_hours(value)


class QuantityField(_Typed):
    """An exact quantity with at most three decimals, such as 24 or 18.5."""

    def read(self, typed: str, given: str) -> Decimal:
        plain = typed.replace(",", "")
        if not re.fullmatch(r"[0-9]{1,5}(\.[0-9]{1,3})?", plain) or not Decimal(plain):
            raise ValueError(_("Enter a quantity such as 24 or 18.5, with at most three decimals."))
        return Decimal(plain)

    def format_value(self, value: Decimal) -> str:
        return f"{value.normalize():f}"


class FigureField(_Typed):
    """Yen or a percentage, whichever the choice beside it names: 3,000, or 2.75."""

    def read(self, typed: str, given: str) -> Decimal:
        figure = re.fullmatch(
            r"(?:[0-9]{1,9}|[0-9]{1,3}(?:,[0-9]{3}){1,2})(?:\.[0-9]{1,2})?", typed
        )
        if figure is None:
            raise ValueError(_("Enter whole yen such as 3000, or a percentage such as 2.75."))
        return Decimal(typed.replace(",", ""))

    def format_value(self, value: Decimal) -> str:
        return f"{value:f}"


class PercentField(_Typed):
    """An exact percentage, such as 5 or 2.75."""

    def read(self, typed: str, given: str) -> Decimal:
        percent = read_percent(typed)
        if percent is None:
            raise ValueError(_("Enter a percentage from 0 to 100, such as 5 or 2.75."))
        return percent


class _Chosen:
    """Choices as pairs of value and text, with the product's own message for an invalid one."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        offered = kwargs.pop("choices", None)
        super().__init__(*args, **kwargs)
        _set_choices(self, offered)

    @property
    def offered_data(self: Any) -> Any:
        """The given value, for a form that is read before it is valid; `None` if not offered."""
        return self.data if self.data in {choice[0] for choice in self.iter_choices()} else None

    def pre_validate(self: Any, form: object) -> None:
        if not isinstance(self, SelectMultipleField):
            _refuse_doubles(self)
        offered = {str(choice[0]) for choice in self.iter_choices()}
        given: Iterable[Any] = self.data if isinstance(self.data, list) else [self.data]
        for each in given:
            if each not in (None, "") and str(each) not in offered:
                raise StopValidation(
                    _("%(given)s is not one of the choices.", given=str(each)[:40])
                )


def _set_choices(field: Any, offered: Iterable[tuple[Any, Any]] | None) -> None:
    # Set here because the library's constructor accepts the pairs in another form.
    field.choices = None if offered is None else list(offered)


class PlainSelect(Select):
    """A select whose options have no attributes of their own, of which there may be hundreds."""

    @classmethod
    def render_option(  # type: ignore[override]  # the stubs are of WTForms before 3.3
        cls, choice: Any, **further: Any
    ) -> Markup:
        """Return an option as WTForms does, which takes several times as long for each."""
        if choice.render_kw or further or isinstance(choice.value, bool):
            return Markup(super().render_option(choice, **further))
        chosen = "selected " if choice.selected else ""
        value = escape(choice.value)
        return Markup(f'<option {chosen}value="{value}">{escape(choice.label) or value}</option>')


class ChoiceField(_Chosen, SelectField):
    """A choice from a list, shown as a select; empty text is None."""

    widget = PlainSelect()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("coerce", lambda given: given or None)
        super().__init__(*args, **kwargs)


class PickField(_Chosen, RadioField):
    """A choice from a few, shown as cards or radio buttons."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("coerce", lambda given: given or None)
        super().__init__(*args, **kwargs)


class ManyField(_Chosen, SelectMultipleField):
    """Several choices from a list, shown as checkboxes or a multiple select."""


class FlagField(_Single, BooleanField):
    """Yes or no, shown as one checkbox."""
