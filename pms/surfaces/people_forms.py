"""The forms of the people and papers of a contract, as the office and applicants fill them in."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, ClassVar, Final, Self

from flask import Response
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import FileField, ValidationError

from pms.contracts.contract_people import NamedPeople
from pms.contracts.people_changes import FIELDS, WrittenPaper
from pms.foundation.files import loose_file
from pms.foundation.work import Work
from pms.rules.contract_people import IdentityKind, OccupationKind, PeopleKind
from pms.surfaces.fields import (
    DayField,
    KanaField,
    Optional,
    PhoneField,
    PickField,
    Printable,
    Required,
    TextField,
    YenField,
)
from pms.surfaces.forms import LinkForm, read_picture, submitted
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.request_scope import files, today


class PartyForm(LinkForm):
    """Somebody of a contract; its fields are the columns of the piece, as the use case takes them.

    `of_applicant` are the fields that an applicant must fill in, `of_office` those that only the
    office sees.
    """

    of_applicant: ClassVar[Sequence[str]] = ()
    of_office: ClassVar[Sequence[str]] = ()
    is_applicants = False

    @classmethod
    def of(
        cls, row: Any, *, is_sent: bool = False, is_applicants: bool = False, **known: Any
    ) -> Self:
        """Return the form as it was sent, else with what is known."""
        data = dict(known)
        if row is not None:
            data |= {
                name: getattr(row, column)
                for column, name in FIELDS.items()
                if getattr(row, column, None) is not None
            }
        form = cls() if is_sent else cls(formdata=None, data=data)
        form.is_applicants = is_applicants
        if is_applicants:
            for name in cls.of_office:
                del form[name]
            for name in cls.of_applicant:
                form[name].validators = [Required()]
                form[name].flags.optional = False
        return form

    @property
    def written(self) -> Mapping[str, Any]:
        """The typed values by column."""
        return {column: self[name].data for column, name in FIELDS.items() if name in self}


class GuarantorForm(PartyForm):
    """A person who guarantees; the office agrees the highest amount with them."""

    of_applicant = ("address", "phone", "bornOn", "relationship")
    of_office = ("highestYen",)
    name = TextField(lazy_gettext("Full name"), [Required(), Printable()])
    nameKana = KanaField(lazy_gettext("Reading (kana)"), [Optional()])
    address = TextField(lazy_gettext("Home address"), [Optional(), Printable()])
    phone = PhoneField(lazy_gettext("Phone"), [Optional()])
    bornOn = DayField(lazy_gettext("Birthday"), [Optional()])
    relationship = TextField(lazy_gettext("Relationship to the resident"), [Optional()])
    highestYen = YenField(lazy_gettext("Highest amount of the guarantee"), [Optional()])


class GuaranteeCompanyForm(PartyForm):
    """The guarantee company, with its contract and the next renewal."""

    name = TextField(lazy_gettext("Company"), [Required(), Printable()])
    number = TextField(lazy_gettext("Number of its contract"), [Optional(), Printable()])
    plan = TextField(lazy_gettext("Plan"), [Optional(), Printable()])
    fromOn = DayField(lazy_gettext("From"), [Optional()])
    renewsOn = DayField(lazy_gettext("Next renewal on"), [Optional()])
    feeYen = YenField(lazy_gettext("Renewal fee"), [Optional()])


class EmergencyContactForm(PartyForm):
    """Whom to reach when something happens."""

    of_applicant = ("relationship",)
    name = TextField(lazy_gettext("Full name"), [Required()])
    nameKana = KanaField(lazy_gettext("Reading (kana)"), [Optional()])
    relationship = TextField(lazy_gettext("Relationship to the resident"), [Optional()])
    phone = PhoneField(lazy_gettext("Phone"), [Required()])
    address = TextField(lazy_gettext("Home address"), [Optional()])


class OccupationForm(PartyForm):
    """Where the resident works or studies."""

    kind = PickField(lazy_gettext("Employer or school"), [Required()])
    name = TextField(lazy_gettext("Name of the company or school, or the occupation"), [Required()])
    phone = PhoneField(lazy_gettext("Phone"), [Optional()])
    address = TextField(lazy_gettext("Address"), [Optional()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.kind.choices = choices(OccupationKind)


PARTY_FORMS: Final[Mapping[PeopleKind, type[PartyForm]]] = {
    PeopleKind.GUARANTOR: GuarantorForm,
    PeopleKind.GUARANTEE_COMPANY: GuaranteeCompanyForm,
    PeopleKind.EMERGENCY_CONTACT: EmergencyContactForm,
    PeopleKind.OCCUPATION: OccupationForm,
}


def party_of(named: NamedPeople, kind: PeopleKind) -> Any:
    """Return what is known of one piece, or None."""
    return getattr(named, kind.value)


class IdentityPaperForm(LinkForm):
    """An identity paper; an applicant sends a picture of a paper that is still valid."""

    kind = PickField(lazy_gettext("Identity paper"), [Required()])
    number = TextField(lazy_gettext("Number"), [Optional()])
    expiresOn = DayField(lazy_gettext("Expires on"), [Optional()])
    picture = FileField(lazy_gettext("Photo of the paper"))
    content: bytes | None = None
    is_applicants = False

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.kind.choices = choices(IdentityKind)

    def validate_expiresOn(self, field: DayField) -> None:  # noqa: N802 - the field's name
        """Refuse an applicant's paper that has expired; the office may keep one."""
        if self.is_applicants and field.data is not None and field.data < today():
            raise ValidationError(_("This paper has expired. Send one that is valid."))

    def validate_picture(self, field: FileField) -> None:
        """Check the picture itself, once; the office may enter a paper that it saw without one."""
        if self.content is None:
            self.content = read_picture(field, is_needed=self.is_applicants)


def submit_paper(
    form: IdentityPaperForm,
    act: Callable[[Work, WrittenPaper], str | None],
    then: Callable[[], Response],
    again: Callable[[], Response],
) -> Response:
    """Store a paper with its picture sealed; a picture that is refused or replaced is deleted.

    `act` returns the key of the picture that the new one replaces, if it replaces one.
    """
    form.validate()
    store = nullcontext() if form.content is None else loose_file(files(), form.content, "webp")
    with store as loose:

        def follow(freed: str | None) -> Response:
            if loose is not None:
                loose.name()
            if freed is not None:
                files().delete(freed)
            return then()

        return submitted(
            form,
            act=lambda work: act(
                work,
                WrittenPaper(
                    kind=IdentityKind(form.kind.data),
                    number=form.number.data,
                    expires_on=form.expiresOn.data,
                    file_key=None if loose is None else loose.key,
                ),
            ),
            then=follow,
            again=again,
        )
