"""Many rooms at once: a list with ranges becomes a grid, which is saved as a whole."""

from collections.abc import Collection, Iterator
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from wtforms.validators import StopValidation

from pms.catalogue import units
from pms.catalogue.unit_fields import WrittenUnit
from pms.catalogue.units import NewRoom
from pms.rules.enumerations import UnitType
from pms.rules.room_names import MOST_ROOMS, read_room_names
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.dashboard.units import SizeField
from pms.surfaces.fields import (
    ChoiceField,
    LongTextField,
    Optional,
    Printable,
    Required,
    TextField,
    YenField,
)
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.workspaces.fees import fee_records

_MOST_BYTES: Final = 1_000_000
_FEES: Final = {"utilities": "utilitiesYen", "building_maintenance": "buildingMaintenanceYen"}
COLUMNS: Final = (
    *("name", "type", "layout", "sizeSqm", "rentYen"),
    *_FEES.values(),
    "depositYen",
)


class UnitRowForm(FlaskForm):
    """One row of the grid; a row without a name is left out."""

    class Meta(FlaskForm.Meta):
        csrf = False  # the token is in the form around the rows

    name = TextField(lazy_gettext("Room"), [Optional(), Printable()])
    type = ChoiceField(lazy_gettext("Type"), [Optional()], default=UnitType.SHAREHOUSE.value)
    layout = TextField(lazy_gettext("Layout"), [Optional()])
    sizeSqm = SizeField(lazy_gettext("Size in m²"), [Optional()])
    rentYen = YenField(lazy_gettext("Rent a month (yen)"), [Optional()])
    utilitiesYen = YenField(lazy_gettext("Utilities"), [Optional()])
    buildingMaintenanceYen = YenField(lazy_gettext("Building maintenance"), [Optional()])
    depositYen = YenField(lazy_gettext("Deposit (yen)"), [Optional()])

    def __init__(self, *args: Any, fees: Collection[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.type.choices = choices(UnitType)
        for code, name in _FEES.items():
            if code not in fees:
                del self[name]

    @property
    def shown_fields(self) -> Iterator[Any]:
        """Return the fields in the order of the columns."""
        return (self[name] for name in COLUMNS if name in self)

    @property
    def room(self) -> NewRoom:
        """The room of a valid row."""
        fees = {code: self[name].data for code, name in _FEES.items() if name in self}
        return NewRoom(
            WrittenUnit(
                name=self.name.data or "",
                type=UnitType(self.type.data or UnitType.SHAREHOUSE),
                layout=self.layout.data,
                size_centi_sqm=self.sizeSqm.data,
                rent_yen=self.rentYen.data,
                deposit_yen=self.depositYen.data,
            ),
            fees,
        )


def _monthly_fees() -> Collection[str]:
    """Return the codes of the workspace's monthly fees."""
    return {fee.code for fee in fee_records(reading()) if fee.written.is_monthly}


class RangesForm(QueryForm):
    """The building, its rooms as a list with ranges, and the facts that most of them share."""

    building = ChoiceField(lazy_gettext("Building"), [Required()])
    rooms = LongTextField(lazy_gettext("Rooms"), [Required(), Printable()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = building_choices()
        self.building.choices = [("", _("Choose a building")), *named]
        if len(named) == 1:
            self.building.data = self.building.data or named[0][0]
        self.names: tuple[str, ...] = ()

    def validate_rooms(self, field: LongTextField) -> None:
        """Read the list of rooms; the error names a part that is neither a room nor a range."""
        found = read_room_names(field.data or "")
        if found.unread is not None:
            raise StopValidation(
                _(
                    "'%(part)s' is not an ascending range such as 101-110. At most %(most)s rooms can "
                    "be added at once.",
                    part=found.unread[:40],
                    most=MOST_ROOMS,
                )
            )
        self.names = found.names


class RoomsForm(FlaskForm):
    """The grid with its rows; it is valid if each of them is."""

    building = TextField(lazy_gettext("Building"), [Required()])
    rooms = TextField(lazy_gettext("Rooms"), [Optional(), Printable()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fees = _monthly_fees()
        sent = (name.split("-") for name in request.form if name.endswith("-name"))
        numbers = {parts[1] for parts in sent if len(parts) == 3 and parts[1].isdecimal()}
        self.rows = [
            UnitRowForm(prefix=f"c-{number}-", fees=fees)
            for number in sorted(numbers, key=int)[:MOST_ROOMS]
        ]

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields and every row with a name."""
        wrong = [row for row in self.rows if row.name.data and not row.validate()]
        is_valid = super().validate(extra_validators)
        if wrong:
            self.form_errors.append(
                ngettext(
                    "%(num)s row cannot be read. Nothing was saved.",
                    "%(num)s rows cannot be read. Nothing was saved.",
                    len(wrong),
                )
            )
        if not any(row.name.data for row in self.rows):
            self.form_errors.append(_("No row has a room number."))
        return is_valid and not self.form_errors


@dashboard.get("/units/many", roles=OFFICE)
def new_units() -> Response:
    """Ask for the rooms, then show them as a grid."""
    fees = _monthly_fees()
    ranges, common = RangesForm(request.args), UnitRowForm(request.args, fees=fees)
    is_asked = "rooms" in request.args
    if not (is_asked and ranges.validate() & common.validate()):
        return _render_page(ranges if is_asked else RangesForm(data=request.args), common, None)
    grid = RoomsForm(formdata=None, data={"building": ranges.building.data})
    typed = {name: common[name].data for name in COLUMNS if name in common}
    grid.rows = [
        UnitRowForm(formdata=None, prefix=f"c-{number}-", fees=fees, data=typed | {"name": name})
        for number, name in enumerate(ranges.names)
    ]
    return _render_page(ranges, common, grid)


@dashboard.post("/units/many", roles=OFFICE, most_bytes=_MOST_BYTES)
def add_units() -> Response:
    """Add every room of the grid, or none."""
    form = RoomsForm()
    rooms = [row for row in form.rows if row.name.data]
    return submitted(
        form,
        act=lambda work: units.add_units(
            work, building_id=form.building.data or "", rooms=[row.room for row in rooms]
        ),
        then=lambda ids: go(
            url_for("dashboard.building", building_id=form.building.data),
            message=ngettext("%(num)s unit added.", "%(num)s units added.", len(ids)),
        ),
        again=lambda: _render_page(
            RangesForm(formdata=None, data={"building": form.building.data}),
            UnitRowForm(formdata=None, fees=_monthly_fees()),
            form,
        ),
    )


def _render_page(ranges: RangesForm, common: UnitRowForm, grid: RoomsForm | None) -> Response:
    return page(
        "dashboard/units/many.html", form=grid or ranges, ranges=ranges, common=common, grid=grid
    )
