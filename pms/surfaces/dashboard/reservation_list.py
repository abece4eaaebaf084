"""The list of reservations, with its filters."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from enum import StrEnum
from typing import Final, Self, TypeVar

from flask import Response, request, url_for
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import FieldList, Form, FormField

from pms.arrivals import reservation_lists
from pms.arrivals.offered_terms import OfferedFee
from pms.arrivals.reservation_lists import CURRENT, ListedReservation, ReservationSearch
from pms.pricing.agreed_price import MonthlyAmounts, MonthlyFee
from pms.reservations.residents import ResidentSearch
from pms.rules.availability import UnknownKinds, read_excluded_kinds
from pms.rules.enumerations import (
    EsignStatus,
    Lifecycle,
    MonthToMonthState,
    PaymentStatus,
    ReservationKind,
)
from pms.surfaces.dashboard.filter_chips import (
    EXCLUDED,
    LEFT_OUT,
    OWNERS_LEFT_OUT,
    Chip,
    chip_links,
    chip_of,
    value_text,
)
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.listing import (
    ListColumn,
    Listing,
    ListRequest,
    Spot,
    Tags,
    ValueKind,
    ask,
    listing,
    tags_of,
)
from pms.surfaces.dashboard.next_steps import next_tag
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    FlagField,
    HiddenField,
    Optional,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import QueryForm, mark_unaccepted
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today

State = TypeVar("State", bound=StrEnum)

_EVERYTHING: Final = ("", lazy_gettext("All"))
_EXCLUDED: Final = (
    *EXCLUDED,
    ("owner_resident,guest", lazy_gettext("Residents only")),
    ("resident,guest", lazy_gettext("Owner residents only")),
    ("resident,owner_resident", lazy_gettext("Guests only")),
)
_MOST_DAYS: Final = 400
_CURRENT: Final = "current"
_ALL: Final = "all"
_NEXT: Final = "next"


class ReservationFilterForm(QueryForm):
    """The filters of the list; they are named as in the API where it has them."""

    search = TextField(lazy_gettext("Name, reading, phone"), [Optional()])
    building = ChoiceField(lazy_gettext("Building"))
    unit = TextField(lazy_gettext("Unit"), [Optional()])
    email = TextField(lazy_gettext("Email"), [Optional()])
    lifecycle = ChoiceField(lazy_gettext("Status"), default=_CURRENT)
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
        """Fill the lists with their choices."""
        self.building.choices = [_EVERYTHING, *buildings]
        self.lifecycle.choices = [
            (_CURRENT, lazy_gettext("Current and upcoming")),
            (_ALL, lazy_gettext("All, also former")),
            *choices(Lifecycle),
        ]
        self.paymentStatus.choices = [_EVERYTHING, *choices(PaymentStatus)]
        self.esignStatus.choices = [_EVERYTHING, *choices(EsignStatus)]

    def search_for(self) -> ReservationSearch:
        """Return the search of a valid form."""
        kinds = read_excluded_kinds(self.excludeRecords.data)
        return ReservationSearch(
            residents=ResidentSearch(
                building=self.building.data,
                unit=self.unit.data,
                email=self.email.data,
                search=self.search.data,
                payment_status=_read_state(PaymentStatus, self.paymentStatus.data),
                esign_status=_read_state(EsignStatus, self.esignStatus.data),
            ),
            lifecycles=self.lifecycles,
            excluded=frozenset() if isinstance(kinds, UnknownKinds) else kinds,
            is_month_to_month=self.monthToMonth.data,
            moving_in_days=self.movingInDays.data,
            moving_out_days=self.movingOutDays.data,
        )

    @property
    def lifecycles(self) -> frozenset[Lifecycle]:
        """The stages that are wanted; all of them where there is none."""
        chosen = self.lifecycle.data
        if chosen == _CURRENT:
            return CURRENT
        return frozenset({Lifecycle(chosen)}) if chosen and chosen != _ALL else frozenset()

    @property
    def is_current(self) -> bool:
        """Whether former residents are left out."""
        return bool(self.lifecycle.data == _CURRENT)

    def chips(self) -> Iterator[Chip]:
        """Yield each filter that is set, with the query arguments that remove it."""
        for field in self:
            if field.name == self.lifecycle.name and self.is_current:
                continue
            if field.name != self.excludeRecords.name and field.data:
                yield chip_of(field)
        if self.excludeRecords.data == LEFT_OUT:
            yield OWNERS_LEFT_OUT
        else:
            exclusion = self.excludeRecords
            yield Chip(value_text(exclusion), {exclusion.name: None})


def _read_state(states: type[State], text: str | None) -> State | None:
    return states(text) if text else None


def _list_state_tags(row: ListedReservation) -> Tags:
    """Return the tags of the state, and of what is unusual."""
    states: list[StrEnum] = [row.lifecycle]
    if row.kind is not ReservationKind.RESIDENT:
        states.append(row.kind)
    return tags_of(*states)


RESERVATIONS: Final[Listing[ListedReservation]] = listing(
    "reservations",
    lazy_gettext("Residents"),
    ListColumn(
        "resident",
        lazy_gettext("Resident"),
        lambda row: row.name,
        spot=Spot.NAME,
        href=lambda row: url_for("dashboard.reservation", reservation_id=row.id),
    ),
    ListColumn("kana", lazy_gettext("Reading"), lambda row: row.name_kana, is_first_shown=False),
    ListColumn(
        "unit",
        lazy_gettext("Unit"),
        lambda row: f"{row.building.in_language(chosen_language())} {row.unit_name}",
        spot=Spot.PLACE,
    ),
    ListColumn("start", lazy_gettext("Move-in"), lambda row: row.start_on, ValueKind.DAY),
    ListColumn(
        "end", lazy_gettext("End"), lambda row: row.move_out_on or row.end_on, ValueKind.DAY
    ),
    ListColumn("state", lazy_gettext("Status"), _list_state_tags, ValueKind.TAGS, Spot.STATE),
    ListColumn(
        "monthToMonth",
        lazy_gettext("Month to month"),
        # Whether the office forced it is shown on the record; the list shows both alike.
        lambda row: (
            tags_of(MonthToMonthState.DERIVED)
            if row.month_to_month is not MonthToMonthState.NONE
            else ()
        ),
        ValueKind.TAGS,
        is_sortable=False,
        is_first_shown=False,
    ),
    ListColumn("email", lazy_gettext("Email"), lambda row: row.email, is_first_shown=False),
    ListColumn("phone", lazy_gettext("Phone"), lambda row: row.phone, is_first_shown=False),
    ListColumn(
        "owed", lazy_gettext("Balance due"), lambda row: row.owed_yen, ValueKind.YEN, Spot.AMOUNT
    ),
    ListColumn(
        _NEXT,
        lazy_gettext("Next step"),
        lambda row: [tag for tag in [row.way and next_tag(row.way)] if tag],
        ValueKind.TAGS,
        Spot.DAY,
        is_sortable=False,
    ),
)


@dashboard.get("/reservations", roles=OFFICE)
def reservations() -> Response:
    """Show one page of the filtered reservations, or give all of them as a file."""
    form, asked = ReservationFilterForm(request.args), ask(RESERVATIONS)
    form.offer(building_choices())
    is_sound = form.validate()
    found, total = _find_reservations(form, asked) if is_sound else ((), 0)
    if is_sound and asked.file_type:
        return asked.file_of(found)
    response = page_or_block(
        "dashboard/reservations/list.html",
        "results",
        form=form,
        chips=chip_links(form.chips(), "dashboard.reservations") if is_sound else (),
        asked=asked,
        reservations=found,
        total=total,
    )
    return response if is_sound else mark_unaccepted(response)


def _find_reservations(
    form: ReservationFilterForm, asked: ListRequest[ListedReservation]
) -> tuple[Sequence[ListedReservation], int]:
    search = form.search_for()._replace(**asked.sorting)
    return reservation_lists.list_reservations(
        reading(),
        search,
        today(),
        asked.paging,
        has_ways=any(column.key == _NEXT for column in asked.columns),
    )


_MOST_FEES = 40


class ReservationFeeForm(Form):
    """One fee of the catalogue: whether it is charged, and its amount per month."""

    code = HiddenField()
    isCharged = FlagField(lazy_gettext("Charge it"))
    amountYen = YenField(lazy_gettext("Yen a month"))


class PriceForm(FlaskForm):
    """The monthly amounts of a price, in whole yen."""

    baseRentYen = YenField(lazy_gettext("Base rent (¥/month)"))
    utilitiesYen = YenField(lazy_gettext("Utilities (¥/month)"))
    buildingMaintenanceYen = YenField(lazy_gettext("Building maintenance (¥/month)"))
    shortTermSurchargeYen = YenField(lazy_gettext("Short-term surcharge (¥/month)"))
    guestSurchargeYen = YenField(lazy_gettext("Guest surcharge (¥/month)"))
    fees = FieldList(FormField(ReservationFeeForm), max_entries=_MOST_FEES)

    def offer_amounts(self, amounts: MonthlyAmounts) -> None:
        """Fill in the amounts; those of 0 are left empty, except the rent."""
        self.baseRentYen.data = amounts.base_rent_yen
        self.utilitiesYen.data = amounts.utilities_yen or None
        self.buildingMaintenanceYen.data = amounts.building_maintenance_yen or None
        self.shortTermSurchargeYen.data = amounts.short_term_surcharge_yen or None
        self.guestSurchargeYen.data = amounts.guest_surcharge_yen or None

    def offer_fees(self, offered: Iterable[OfferedFee]) -> None:
        """Add a row for each fee of the catalogue, with those that are charged ticked."""
        for fee, is_asked in ((offer.fee, offer.is_asked) for offer in offered):
            row = {"code": fee.code, "isCharged": is_asked, "amountYen": fee.amount_yen}
            self.fees.append_entry(row)

    def name_fees(self, offered: Iterable[OfferedFee]) -> None:
        """Label the row of each fee in the reader's language."""
        labels = {
            offer.fee.code: offer.fee.label.in_language(chosen_language()) for offer in offered
        }
        for row in self.fees.entries:
            code = row.form.code.data or ""
            label = labels.get(code) or code
            row.form.isCharged.label.text = label
            row.form.amountYen.label.text = lazy_gettext("%(fee)s (¥/month)", fee=label)

    @property
    def amounts(self) -> MonthlyAmounts:
        """The monthly amounts; an empty field is 0."""
        return MonthlyAmounts(
            base_rent_yen=self.baseRentYen.data or 0,
            utilities_yen=self.utilitiesYen.data or 0,
            building_maintenance_yen=self.buildingMaintenanceYen.data or 0,
            short_term_surcharge_yen=self.shortTermSurchargeYen.data or 0,
            guest_surcharge_yen=self.guestSurchargeYen.data or 0,
        )

    def charged_fees(self, offered: Iterable[OfferedFee]) -> Sequence[MonthlyFee]:
        """Return the chosen fees with the labels of the catalogue; unknown codes are ignored."""
        known = {offer.fee.code: offer.fee for offer in offered}
        chosen = (row.form for row in self.fees.entries if row.form.isCharged.data)
        priced_fees: list[MonthlyFee] = []
        for row in chosen:
            if row.code.data in known:
                fee = known[row.code.data]
                amount = fee.amount_yen if row.amountYen.data is None else row.amountYen.data
                priced_fees.append(
                    MonthlyFee(fee.code, fee.label, fee.category, fee.tax_treatment, amount)
                )
        return priced_fees


class PriceChangeForm(PriceForm):
    """The first day of a new period, and all its amounts, also the unchanged ones."""

    fromOn = DayField(lazy_gettext("From"), [Required()])

    @classmethod
    def prefill(cls, from_on: date, amounts: MonthlyAmounts, offered: Iterable[OfferedFee]) -> Self:
        """Return the form filled with the price in force."""
        fees = list(offered)
        form = cls(formdata=None, data={"fromOn": from_on})
        form.offer_amounts(amounts)
        form.offer_fees(fees)
        form.name_fees(fees)
        return form
