"""What the forms and lists of every surface share: base classes, running a sent form, pages of a list.

@dashboard.post("/fees", roles=OFFICE)
def add_fee() -> Response:
    form = NewFeeForm()
    return submitted(
        form,
        act=lambda work: fees.add_fee(work, ...),
        then=lambda fee_id: go(url_for("dashboard.fees"), message=_("Saved.")),
        again=lambda: page("dashboard/fees/new.html", form=form),
    )

A `FlaskForm` reads the request by itself. A form that is only shown while another one is sent is
made with `formdata=None`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, Self, TypeVar

from flask import Response, g, request
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import (
    FileField,
    Form,
    HiddenField,
    MultipleFileField,
    ValidationError,
)
from wtforms.validators import StopValidation

from pms.catalogue.photo_sizes import (
    LARGEST_BYTES,
    PhotoSizes,
    SizedPhoto,
    plain_picture,
    size_photo,
)
from pms.foundation.errors import Collision, Problem, Refused
from pms.foundation.lists import Paging
from pms.foundation.work import Work
from pms.rules.enumerations import Locale
from pms.rules.search_text import is_same_name
from pms.rules.sign_in_codes import read_code
from pms.surfaces.fields import (
    ChoiceField,
    EmailField,
    FlagField,
    KanaField,
    LongTextField,
    Optional,
    PhoneField,
    Required,
    TextField,
)
from pms.surfaces.hypermedia import UNACCEPTED, Undo, go
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.request_scope import clock, database, files

ONCE: Final = "once"
"""The field with the key of one filling of a form: sent twice, it is executed once."""
Result = TypeVar("Result")


class QueryForm(FlaskForm):
    """A form that the query string may fill in; if posted, `CSRFProtect` checks its token."""

    class Meta(FlaskForm.Meta):
        csrf = False


class TabbedForm(QueryForm):
    """The filters of a list whose tabs set the field `state`."""

    @property
    def narrowing(self) -> dict[str, Any]:
        """The query arguments that keep the other filters while the state changes."""
        return {each.name: each.data for each in self if each.data and each.name != "state"}

    @property
    def is_narrowed(self) -> bool:
        """Whether a filter besides the state is set."""
        return bool(self.narrowing)


class LinkForm(FlaskForm):
    """A form of a page opened by a link; the link gate checks the link's own token.

    In a portal `CSRFProtect` checks the portal's token.
    """

    class Meta(FlaskForm.Meta):
        csrf = False


def submitted(
    form: FlaskForm,
    act: Callable[[Work], Result],
    then: Callable[[Result], Response],
    again: Callable[[], Response],
    *,
    prepare: Callable[[], None] | None = None,
    refusal: Problem | None = None,
    left_to_blueprint: tuple[type[Problem], ...] = (),
) -> Response:
    """Run the form's action in one transaction, or show the form again (422) as it was typed.

    `prepare` is called for a valid form before the transaction: what takes time, such as reading a
    file, keeps nobody from writing.
    The workspace and the actor are those that the surface's gate set. A refusal is shown beside the
    field its message names, else above the form; so is a `refusal` found before. Problems of the
    types in `left_to_blueprint` are raised, for an error handler to answer. `then` is called after
    the transaction is committed.
    """
    is_valid = form.validate_on_submit()
    if is_valid and refusal is None:
        try:
            if prepare is not None:
                prepare()
            result = database().write_as(g.workspace_id, clock(), g.actor, act)
        except left_to_blueprint:
            raise
        except (Refused, Collision) as problem:
            refusal = problem
        else:
            return then(result)
    if refusal is not None:
        place_problem(form, refusal)
    return mark_unaccepted(again())


def submit_archiving(
    act: Callable[[Work, bool], str],
    again: Callable[[FlaskForm], Response],
    *,
    address: str,
    list_address: str,
) -> Response:
    """Archive a record by a request to its `address`, or restore it when that says so.

    `act` takes whether to archive and returns the record's name. The answer is the list, with the
    way to undo an archiving.
    """
    form, is_archived = FlaskForm(), request.form.get("back") != "1"

    def then(name: str) -> Response:
        message = (
            _("%(name)s is archived.", name=name)
            if is_archived
            else _("%(name)s is restored.", name=name)
        )
        undo = Undo(address, {"back": "1"}) if is_archived else None
        return go(list_address, message=message, undo=undo)

    return submitted(
        form, act=lambda work: act(work, is_archived), then=then, again=lambda: again(form)
    )


def mark_unaccepted(response: Response) -> Response:
    """Set the status of a form that was not accepted (422) and return the answer."""
    response.status_code = UNACCEPTED
    return response


def place_problem(form: Form, problem: Problem) -> None:
    """Show a refusal beside the field it names, else above the form."""
    field = form[problem.field] if problem.field and problem.field in form else None
    # A hidden field shows no messages.
    if field is None or isinstance(field, HiddenField):
        form.form_errors.append(refusal_text(problem))
    else:
        field.errors = [*field.errors, refusal_text(problem, with_field=False)]


def key_of_form() -> str | None:
    """Return the key of this filling of the form, for actions that must not run twice."""
    return request.form.get(ONCE) or None


MOST_AT_ONCE: Final = 10


class PhotosForm(FlaskForm):
    """Photos chosen from the device; `sized` has them, stored, once the whole form is valid."""

    photo = MultipleFileField(lazy_gettext("Photos"))
    needs_photo = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sized: list[SizedPhoto] = []
        self._unstored: list[PhotoSizes] = []

    def validate(self, extra_validators: Mapping[str, Sequence[Any]] | None = None) -> bool:
        """Whether the form is valid; only then its photos are stored."""
        if not super().validate(extra_validators):
            return False
        self.sized += [photo.store(files()) for photo in self._unstored]
        self._unstored.clear()
        return True

    def validate_photo(self, field: MultipleFileField) -> None:
        """Resize every photo; a file that is no picture is named in the error, and none is kept."""
        chosen = [each for each in field.data or () if getattr(each, "filename", "")]
        if self.needs_photo and not chosen:
            raise StopValidation(str(lazy_gettext("Choose a photo.")))
        if len(chosen) > MOST_AT_ONCE:
            raise StopValidation(
                str(lazy_gettext("At most %(most)s photos at once.", most=MOST_AT_ONCE))
            )
        for each in chosen:
            try:
                self._unstored.append(size_photo(each.read(LARGEST_BYTES + 1)))
            except Problem as problem:
                raise StopValidation(f"{each.filename[:60]}: {refusal_text(problem)}") from None


def read_picture(field: FileField, *, is_needed: bool) -> bytes | None:
    """Return the chosen picture, checked and as WebP; None when none is chosen and none is needed.

    Raises `StopValidation` naming the file that cannot be used.
    """
    if not getattr(field.data, "filename", ""):
        if is_needed:
            raise StopValidation(_("Choose a photo."))
        return None
    try:
        return plain_picture(field.data.read(LARGEST_BYTES + 1))
    except Problem as problem:
        raise StopValidation(f"{field.data.filename[:60]}: {refusal_text(problem)}") from None


Row = TypeVar("Row")

ROWS_A_PAGE: Final = 50
_is_page = re.compile(r"[1-9][0-9]{0,5}").fullmatch


def asked_page(parameter: str = "page") -> int:
    """Return the number of the requested page, counted from 1."""
    given = request.args.get(parameter, "")
    return int(given) if _is_page(given) else 1


def asked_paging(limit: int = ROWS_A_PAGE, parameter: str = "page") -> Paging:
    """Return the requested page, of `limit` rows."""
    return Paging(asked_page(parameter), limit)


class ListPart(NamedTuple, Generic[Row]):
    """One page of one of several lists on a page, with the list's total rows."""

    rows: Sequence[Row]
    total: int
    paging: Paging
    parameter: str


def part_of(rows: Sequence[Row], parameter: str, limit: int = ROWS_A_PAGE) -> ListPart[Row]:
    """Return the page of a list that its own parameter requests; past the end, the last page."""
    paging = asked_paging(limit, parameter).within(len(rows))
    return ListPart(rows[paging.offset : paging.offset + limit], len(rows), paging, parameter)


class PinForm(FlaskForm):
    """A form for six digits, also full width, also with blanks and dashes between."""

    pin = TextField(lazy_gettext("Verification code"), [Required()])

    def validate_pin(self, field: TextField) -> None:
        """Refuse a text that cannot be a code, without counting it as a try."""
        if read_code(field.data or "") is None:
            raise StopValidation(_("Enter the six digits of the code."))


class RecipientForm(FlaskForm):
    """Name, addresses, language and note of a person that the office writes to."""

    name = TextField(lazy_gettext("Name"), [Required()])
    nameKana = KanaField(lazy_gettext("Reading (kana)"), [Optional()])
    email = EmailField(lazy_gettext("Email"), [Optional()])
    phone = PhoneField(lazy_gettext("Phone"), [Optional()])
    locale = ChoiceField(lazy_gettext("Language of emails and documents"), [Required()])
    note = LongTextField(lazy_gettext("Note"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.locale.choices = choices(Locale)


class ConsentForm(LinkForm):
    """Consent to receive the document as an electronic record."""

    agreed = FlagField(
        lazy_gettext(
            "I agree to receive the prior explanation on this page and as a PDF instead of on "
            "paper."
        )
    )
    documentHash = HiddenField()

    def validate_agreed(self, field: FlagField) -> None:
        """Require the tick before anything is shown."""
        if not field.data:
            raise ValidationError(_("Tick this to show it here."))


class ReadForm(LinkForm):
    """Confirmation that the document was read."""

    agreed = FlagField(
        lazy_gettext(
            "I have read the explanation: the lease is not renewed and ends with its term."
        )
    )
    documentHash = HiddenField()

    def validate_agreed(self, field: FlagField) -> None:
        """Require the tick before the next step."""
        if not field.data:
            raise ValidationError(_("Tick this to continue to the contract."))


class SignatureForm(LinkForm):
    """The name, the consent, and the hash of the text that was read.

    A name other than those of the contract holder asks first; `asks_about_name` shows the tick
    that answers.
    """

    signature = TextField(lazy_gettext("Type your full name to sign"), [Required()])
    otherName = FlagField(lazy_gettext("This is my name. Sign the contract with it."))
    agreed = FlagField(lazy_gettext("I have read the contract and agree to it."))
    documentHash = HiddenField()
    asks_about_name = False
    holder_names: Sequence[str | None] = ()

    @classmethod
    def of(cls, *holder_names: str | None, is_sent: bool = False) -> Self:
        """Return the form of a contract in these names, empty unless it was sent."""
        form = cls() if is_sent else cls(formdata=None)
        form.holder_names = holder_names
        return form

    def validate_signature(self, field: TextField) -> None:
        """Ask about a name that is none of the contract holder's."""
        names = [name for name in self.holder_names if name]
        if not names or any(is_same_name(field.data or "", name) for name in names):
            return
        self.asks_about_name = True
        if not self.otherName.data:
            raise ValidationError(
                _(
                    "The contract is in the name of %(name)s. Correct the name, or tick below to "
                    "sign with this one.",
                    name=names[0],
                )
            )

    def validate_agreed(self, field: FlagField) -> None:
        """Require the tick before signing."""
        if not field.data:
            raise ValidationError(_("Tick this to sign."))
