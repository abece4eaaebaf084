"""What is typed of a viewing: where, when, by whom, and for whom."""

from datetime import datetime
from typing import Any

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.building_names import building_names
from pms.enquiries.book_viewing import WantedViewing
from pms.enquiries.office_people import office_people
from pms.enquiries.room_of import room_of
from pms.foundation.errors import Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.days import JAPAN
from pms.rules.enumerations import Locale
from pms.rules.viewing_steps import LONGEST_MINUTES, SHORTEST_MINUTES
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    EmailField,
    FlagField,
    HiddenField,
    LongTextField,
    Optional,
    PhoneField,
    Required,
    TextField,
    TimeField,
    WholeNumberField,
)
from pms.surfaces.reader_choice import chosen_language


class TimeForm(Form):
    """When a viewing is, how long, and who shows it; twice at once only when that is meant."""

    onDay = DayField(_("Day"), [Required()])
    atTime = TimeField(_("Time"), [Required()])
    minutes = WholeNumberField(
        _("Minutes"), [Required()], least=SHORTEST_MINUTES, most=LONGEST_MINUTES
    )
    hostId = ChoiceField(_("Shown by"), [Optional()])
    mayOverlap = FlagField(_("Two at the same time are meant"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = [(one.person_id, one.name) for one in office_people(reading())]
        self.hostId.choices = [("", str(_("Nobody yet"))), *people]

    @property
    def starts_at(self) -> datetime:
        """The instant that a valid form means: its time is Japan's."""
        return datetime.combine(self.onDay.data, self.atTime.data, JAPAN)


class ViewingForm(TimeForm):
    """A viewing of a unit, for a visitor; perhaps it comes of an enquiry."""

    enquiryId = HiddenField()
    buildingId = ChoiceField(_("Building"), [Optional()])
    unit = TextField(_("Unit"), [Required()])
    name = TextField(_("Visitor"), [Required()])
    email = EmailField(_("E-mail"), [Optional()])
    phone = PhoneField(_("Phone"), [Optional()])
    locale = ChoiceField(_("Language"), [Required()])
    note = LongTextField(_("Note for colleagues"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        language = chosen_language()
        houses = [(one.id, one.name.said(language) or "") for one in building_names(reading())]
        self.buildingId.choices = [("", str(_("Choose"))), *houses]
        self.locale.choices = choices(Locale)

    def chosen_unit(self, session: WorkspaceSession) -> str | None:
        """The unit as far as it is known while the form is typed."""
        try:
            return room_of(session, self.buildingId.data, self.unit.data)
        except Refused:
            return None

    def wanted(self, session: WorkspaceSession) -> WantedViewing:
        """What a valid form says; raise `Refused` for a room that is not there."""
        return WantedViewing(
            unit_id=room_of(session, self.buildingId.data, self.unit.data) or "",
            starts_at=self.starts_at,
            minutes=self.minutes.data,
            visitor_name=self.name.data,
            visitor_email=self.email.data,
            visitor_phone=self.phone.data,
            visitor_locale=self.locale.data,
            host_id=self.hostId.data or None,
            note=self.note.data,
            enquiry_id=self.enquiryId.data or None,
        )
