"""The filters of the list of reservations, as they stand in its address."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

from flask_babel import LazyString, lazy_gettext
from wtforms import Field, Form

from pms.arrivals.reservation_search import ReservationSearch
from pms.reservations.list_residents import ResidentSearch
from pms.rules.availability_view import UnknownKinds, read_excluded_kinds
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    FlagField,
    Optional,
    TextField,
    WholeNumberField,
)

State = TypeVar("State", bound=StrEnum)

LEFT_OUT: Final = "owner_resident"
_EVERYTHING: Final = ("", lazy_gettext("All"))
_EXCLUDED: Final = (
    (LEFT_OUT, lazy_gettext("Leave out owner residents")),
    ("", lazy_gettext("Leave out nobody")),
    ("owner_resident,guest", lazy_gettext("Residents only")),
    ("resident,guest", lazy_gettext("Owner residents only")),
    ("resident,owner_resident", lazy_gettext("Guests only")),
)
_MOST_DAYS: Final = 400


class ListForm(Form):
    """Every filter; the names are those of the API where it has them."""

    search = TextField(lazy_gettext("Name, reading, phone"), [Optional()])
    building = ChoiceField(lazy_gettext("Building"))
    unit = TextField(lazy_gettext("Unit"), [Optional()])
    email = TextField(lazy_gettext("E-mail"), [Optional()])
    lifecycle = ChoiceField(lazy_gettext("State"))
    paymentStatus = ChoiceField(lazy_gettext("Payment"))
    esignStatus = ChoiceField(lazy_gettext("Signature"))
    excludeRecords = ChoiceField(
        lazy_gettext("Owner residents"), coerce=str, choices=_EXCLUDED, default=LEFT_OUT
    )
    movingInDays = WholeNumberField(
        lazy_gettext("Moving in within days"), [Optional()], most=_MOST_DAYS
    )
    movingOutDays = WholeNumberField(
        lazy_gettext("Moving out within days"), [Optional()], most=_MOST_DAYS
    )
    monthToMonth = FlagField(lazy_gettext("Month to month only"))

    def offer(self, buildings: Iterable[tuple[str, str]]) -> None:
        """Fill the lists with what there is to choose."""
        self.building.choices = [_EVERYTHING, *buildings]
        self.lifecycle.choices = [_EVERYTHING, *choices(Lifecycle)]
        self.paymentStatus.choices = [_EVERYTHING, *choices(PaymentStatus)]
        self.esignStatus.choices = [_EVERYTHING, *choices(EsignStatus)]

    def search_for(self) -> ReservationSearch:
        """Return what a valid form asks for."""
        kinds = read_excluded_kinds(self.excludeRecords.data)
        return ReservationSearch(
            residents=ResidentSearch(
                building=self.building.data,
                unit=self.unit.data,
                email=self.email.data,
                search=self.search.data,
                payment_status=_one(PaymentStatus, self.paymentStatus.data),
                esign_status=_one(EsignStatus, self.esignStatus.data),
            ),
            lifecycle=_one(Lifecycle, self.lifecycle.data),
            excluded=frozenset() if isinstance(kinds, UnknownKinds) else kinds,
            is_month_to_month=self.monthToMonth.data,
            moving_in_days=self.movingInDays.data,
            moving_out_days=self.movingOutDays.data,
        )

    def chips(self) -> Iterator["Chip"]:
        """Give each filter that hides something, and what the address says without it."""
        for field in self:
            if field.name != self.excludeRecords.name and field.data:
                text = field.label.text
                shown = text if field.data is True else f"{text}: {_shown(field)}"
                yield Chip(shown, {field.name: None})
        if self.excludeRecords.data == LEFT_OUT:
            # Cleared is a state of its own: nobody is left out.
            left_out = lazy_gettext("Owner residents are left out")
            yield Chip(left_out, {self.excludeRecords.name: ""})
        else:
            yield Chip(_shown(self.excludeRecords), {self.excludeRecords.name: None})


class Chip(NamedTuple):
    """One filter in a few words; `without` is the change of the address that takes it away."""

    text: str | LazyString
    without: dict[str, str | None]


def _shown(field: Field) -> str:
    if isinstance(field, ChoiceField):
        return next(
            str(text) for value, text, *_ in field.iter_choices() if value == (field.data or "")
        )
    return str(field.data)


def _one(states: type[State], text: str | None) -> State | None:
    return states(text) if text else None
