"""What is written of a building, in one form for a new one and for an edit."""

from dataclasses import asdict
from typing import Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.written_facts import WrittenBuilding
from pms.surfaces.fields import FlagField, LongTextField, Optional, Required, TextField

_NAMES = {
    "name": "name",
    "nameKana": "name_kana",
    "nameEn": "name_en",
    "area": "area",
    "areaEn": "area_en",
    "postcode": "postcode",
    "address": "address",
    "addressEn": "address_en",
    "accessJa": "access_ja",
    "accessEn": "access_en",
    "descriptionJa": "description_ja",
    "descriptionEn": "description_en",
}


class BuildingForm(Form):
    """The facts of a building in both languages."""

    name = TextField(_("Name in Japanese"), [Required()])
    nameKana = TextField(_("Reading"), [Optional()])
    nameEn = TextField(_("Name in English"), [Optional()])
    area = TextField(_("Area in Japanese"), [Required()])
    areaEn = TextField(_("Area in English"), [Optional()])
    postcode = TextField(_("Postcode"), [Optional()])
    address = TextField(_("Address in Japanese"), [Required()])
    addressEn = TextField(_("Address in English"), [Optional()])
    accessJa = LongTextField(_("Way there in Japanese"), [Optional()])
    accessEn = LongTextField(_("Way there in English"), [Optional()])
    descriptionJa = LongTextField(_("Description in Japanese"), [Optional()])
    descriptionEn = LongTextField(_("Description in English"), [Optional()])

    @classmethod
    def of(cls, written: WrittenBuilding) -> Self:
        """Return the form as the building is recorded."""
        facts = asdict(written)
        return cls(data={name: facts[column] for name, column in _NAMES.items()})

    @property
    def written(self) -> WrittenBuilding:
        """What a valid form says."""
        return WrittenBuilding(**{column: self[name].data for name, column in _NAMES.items()})


class NewBuildingForm(BuildingForm):
    """A building with the last part of its address on the website, which its names make."""

    slug = TextField(_("Address on the website"), [Optional()])


class AddressForm(Form):
    """The last part of an address."""

    slug = TextField(_("Address on the website"), [Required()])


class BuildingAddressForm(AddressForm):
    """The address of a building, with or without those of its units."""

    withUnits = FlagField(_("Change the addresses of its units in the same way"))
