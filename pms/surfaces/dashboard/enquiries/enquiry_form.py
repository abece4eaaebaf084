"""What is written of an enquiry, in one form for a new one and for an edit."""

from typing import Any, Self

from flask_babel import lazy_gettext as _
from flask_babel import lazy_pgettext as worded
from wtforms import Form

from pms.catalogue.building_names import building_names
from pms.enquiries.enquiry_record import EnquiryRecord
from pms.enquiries.room_of import room_of
from pms.enquiries.written_enquiry import WrittenEnquiry
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import EnquirySource, Locale
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    EmailField,
    LongTextField,
    Optional,
    PhoneField,
    Required,
    TextField,
)
from pms.surfaces.reader_choice import chosen_language


class EnquiryForm(Form):
    """Who asks, how to reach them, and for what."""

    name = TextField(_("Name"), [Required()])
    email = EmailField(_("E-mail"), [Optional()])
    phone = PhoneField(_("Phone"), [Optional()])
    locale = ChoiceField(_("Language"), [Required()])
    source = ChoiceField(_("Came in by"), [Required()])
    buildingId = ChoiceField(worded("enquiry", "Asks for"), [Optional()])
    unit = TextField(_("Unit"), [Optional()])
    moveInDate = DayField(_("Wants to move in"), [Optional()])
    message = LongTextField(_("What they ask"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        language = chosen_language()
        houses = [(one.id, one.name.said(language) or "") for one in building_names(reading())]
        self.buildingId.choices = [("", str(_("Any building"))), *houses]
        self.locale.choices = choices(Locale)
        self.source.choices = choices(EnquirySource)

    @classmethod
    def of(cls, record: EnquiryRecord) -> Self:
        """Return the form as the enquiry is recorded."""
        one = record.enquiry
        return cls(
            data={
                "name": one.name,
                "email": one.email,
                "phone": one.phone,
                "locale": one.locale,
                "source": one.source.value,
                "buildingId": one.building_id,
                "unit": one.unit_name,
                "moveInDate": one.move_in_on,
                "message": one.message,
            }
        )

    def written(self, session: WorkspaceSession) -> WrittenEnquiry:
        """What a valid form says; raise `Refused` for a room that is not there."""
        return WrittenEnquiry(
            name=self.name.data,
            source=EnquirySource(self.source.data),
            email=self.email.data,
            phone=self.phone.data,
            message=self.message.data,
            unit_id=room_of(session, self.buildingId.data, self.unit.data),
            building_id=self.buildingId.data or None,
            move_in_on=self.moveInDate.data,
            locale=self.locale.data,
        )
