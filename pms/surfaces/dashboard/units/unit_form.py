"""What is written of a unit, in one form for a new one and for an edit."""

from typing import Any, Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.written_facts import WrittenUnit
from pms.rules.enumerations import UnitType
from pms.surfaces.dashboard.units.size_field import SizeField
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    LongTextField,
    Optional,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)


class UnitForm(Form):
    """The facts of a unit; features stand one a line."""

    name = TextField(_("Room or unit"), [Required()])
    nameKana = TextField(_("Reading"), [Optional()])
    type = ChoiceField(_("Type"), [Required()])
    layout = TextField(_("Layout"), [Optional()])
    bedrooms = WholeNumberField(_("Bedrooms"), [Optional()], most=50)
    sizeSqm = SizeField(_("Size in m²"), [Optional()])
    floor = WholeNumberField(_("Floor"), [Optional()], least=-10, most=200)
    rentYen = YenField(_("Rent a month (yen)"), [Optional()])
    depositYen = YenField(_("Deposit (yen)"), [Optional()])
    reservationFeeYen = YenField(_("Reservation fee (yen)"), [Optional()])
    minimumStayDays = WholeNumberField(_("Minimum stay in days"), [Optional()], least=1, most=3_650)
    features = LongTextField(_("Features in Japanese"), [Optional()])
    featuresEn = LongTextField(_("Features in English"), [Optional()])
    descriptionJa = LongTextField(_("Description in Japanese"), [Optional()])
    descriptionEn = LongTextField(_("Description in English"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.type.choices = choices(UnitType)

    @classmethod
    def of(cls, written: WrittenUnit) -> Self:
        """Return the form as the unit is recorded."""
        return cls(
            data={
                "name": written.name,
                "nameKana": written.name_kana,
                "type": written.type.value,
                "layout": written.layout,
                "bedrooms": written.bedrooms,
                "sizeSqm": written.size_centi_sqm,
                "floor": written.floor,
                "rentYen": written.rent_yen,
                "depositYen": written.deposit_yen,
                "reservationFeeYen": written.reservation_fee_yen,
                "minimumStayDays": written.minimum_stay_days,
                "features": "\n".join(written.features),
                "featuresEn": "\n".join(written.features_en),
                "descriptionJa": written.description_ja,
                "descriptionEn": written.description_en,
            }
        )

    @property
    def written(self) -> WrittenUnit:
        """What a valid form says."""
        return WrittenUnit(
            name=self.name.data or "",
            name_kana=self.nameKana.data,
            type=UnitType(self.type.data),
            layout=self.layout.data,
            bedrooms=self.bedrooms.data,
            size_centi_sqm=self.sizeSqm.data,
            floor=self.floor.data,
            rent_yen=self.rentYen.data,
            deposit_yen=self.depositYen.data,
            reservation_fee_yen=self.reservationFeeYen.data,
            minimum_stay_days=self.minimumStayDays.data,
            features=_lines(self.features.data),
            features_en=_lines(self.featuresEn.data),
            description_ja=self.descriptionJa.data,
            description_en=self.descriptionEn.data,
        )


class NewUnitForm(UnitForm):
    """A unit and the building it is in."""

    building = ChoiceField(_("Building"), [Required()])


def _lines(text: str | None) -> tuple[str, ...]:
    return tuple((text or "").splitlines())
