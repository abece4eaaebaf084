"""Register the guests of the stay: one form and page for each."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

from flask import Response, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from werkzeug.datastructures import FileStorage, MultiDict
from wtforms import FileField

from pms.foundation.errors import NotFound, Problem, Refused
from pms.foundation.work import Work
from pms.rules.enumerations import Locale, RegisterField
from pms.rules.links import GuestRegisterEntry, missing_entries
from pms.stays import guests
from pms.stays.guests import GuestEntry
from pms.surfaces.fields import PickField, Required, TextField
from pms.surfaces.forms import LinkForm, mark_unaccepted, place_problem, read_picture, submitted
from pms.surfaces.guest_checkin.stay import blueprint, holder
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.request_scope import clock, database, files

YES: Final = "yes"
NO: Final = "no"


class PassportForm(LinkForm):
    """A photo of the passport's picture page; `picture` holds it after validation."""

    passport = FileField(_("Photo of the passport"))
    picture: bytes | None = None
    needs_one = True

    @classmethod
    def of(cls, photo: FileStorage | None) -> Self:
        """Return the form with the uploaded file, if any."""
        form = cls(formdata=None)
        form.passport.data = photo
        return form

    def validate_passport(self, field: FileField) -> None:
        """Check the file itself, once; an invalid picture gets an error."""
        if self.picture is None:
            self.picture = read_picture(field, is_needed=self.needs_one)


class GuestForm(PassportForm):
    """One guest; where they live decides which entries the register requires."""

    livesInJapan = PickField(_("Do you live in Japan?"), [Required()])
    name = TextField(_("Full name"))
    nationality = TextField(_("Nationality"))
    passportNumber = TextField(_("Passport number"))
    address = TextField(_("Home address"))
    contact = TextField(_("Phone or email"))

    needs_one = False
    asked: Sequence[RegisterField] = ()
    has_copy = False
    has_new_copy = False

    @property
    def facts(self) -> GuestRegisterEntry:
        """The entered values, as the register takes them."""
        return GuestRegisterEntry(
            name=self.name.data,
            lives_in_japan=self.livesInJapan.data == YES,
            address=self.address.data,
            contact=self.contact.data,
            nationality=self.nationality.data,
            passport_number=self.passportNumber.data,
            has_passport_copy=self.has_copy or self.picture is not None,
            extras={field.value: self[field.value].data or "" for field in self.asked},
        )

    def validate(self, extra_validators: Mapping[str, Sequence[Any]] | None = None) -> bool:
        """Mark each entry that the register requires and that is missing."""
        is_valid = super().validate(extra_validators)
        if self.livesInJapan.data in (YES, NO):
            for name in missing_entries(self.facts, self.asked):
                self[name].errors = [*self[name].errors, gettext("Please fill this in.")]
                is_valid = False
        return bool(is_valid)


def guest_form(
    asked: Sequence[RegisterField],
    *,
    given: MultiDict[str, str] | None = None,
    photo: FileStorage | None = None,
    has_copy: bool = False,
    facts: GuestRegisterEntry | None = None,
) -> GuestForm:
    """Return the form, including the extra entries that the workspace asks for."""
    extras = {field.value: TextField(label_of(field)) for field in asked}
    made = type("AskedGuestForm", (GuestForm,), {**extras, "asked": tuple(asked)})
    if facts:
        data = {
            **facts.extras,
            "livesInJapan": YES if facts.lives_in_japan else NO,
            "name": facts.name,
            "nationality": facts.nationality,
            "passportNumber": facts.passport_number,
            "address": facts.address,
            "contact": facts.contact,
        }
    else:
        data = None
    form: GuestForm = made(given, data=data)
    form.livesInJapan.choices = [(NO, gettext("No")), (YES, gettext("Yes"))]
    form.passport.data = photo
    form.has_copy = has_copy
    return form


def keep_copy(position: int, picture: bytes) -> None:
    """Store the file and delete the one it replaces; if it is refused, delete it again."""
    key = files().put_alone(picture, "webp")
    try:
        freed = database().write(
            holder().workspace_id,
            lambda session: guests.send_passport(
                Work(session, clock(), holder().actor),
                link_id=holder().link.id,
                position=position,
                file_key=key,
            ),
        )
    except Problem:
        files().delete(key)
        raise
    forget(freed)


def forget(key: str | None) -> None:
    """Delete a file that no row refers to any more, if there is one."""
    if key is not None:
        files().delete(key)


@blueprint.get("/people", endpoint="people")
def first() -> Response:
    """Show the first guest with missing entries."""
    return show(holder().first_missing() or 1)


@blueprint.get("/people/<int:position>", endpoint="person")
def show(position: int) -> Response:
    """Show a guest's entry; it can be edited until the stay begins."""
    entry = _find_guest_entry(position)
    if entry:
        facts = entry.facts
    else:
        # What is known from the booking, for the first guest in whose name it is.
        link = holder().link
        lives_in_japan = link.locale == Locale.JA
        if position > 1:
            facts = GuestRegisterEntry(lives_in_japan=lives_in_japan)
        else:
            facts = GuestRegisterEntry(
                name=link.guest_name, lives_in_japan=lives_in_japan, contact=link.email
            )
    return _render_guest(position, entry, guest_form(holder().terms.register_fields, facts=facts))


@blueprint.post("/people/<int:position>", endpoint="register_guest")
def register(position: int) -> Response:
    """Save the entry; a valid photo is kept even if other entries are missing."""
    entry = _find_guest_entry(position)
    form = guest_form(
        holder().terms.register_fields,
        given=request.form,
        photo=request.files.get("passport"),
        has_copy=entry is not None and entry.facts.has_passport_copy,
    )
    form.validate()
    refusal = _keep_photo(position, form)
    return submitted(
        form,
        act=lambda work: guests.register_guest(
            work, link_id=holder().link.id, position=position, guest=form.facts
        ),
        then=_go_to_next_step,
        again=lambda: _render_guest(position, entry, form, is_photo_kept=form.has_new_copy),
        refusal=refusal,
    )


@blueprint.post("/people/<int:position>/passport", endpoint="send_passport")
def send(position: int) -> Response:
    """Store a copy of the passport that was missing before."""
    entry = _find_guest_entry(position)
    form = PassportForm.of(request.files.get("passport"))
    if form.validate() and form.picture:
        try:
            keep_copy(position, form.picture)
        except Refused as problem:
            place_problem(form, problem)
        else:
            return go(url_for("guest_checkin.ready", message="photo"))
    empty = guest_form(holder().terms.register_fields, facts=entry.facts if entry else None)
    return mark_unaccepted(_render_guest(position, entry, empty, photo_form=form))


def _keep_photo(position: int, form: GuestForm) -> Refused | None:
    if form.picture is None or form.facts.lives_in_japan:
        return None
    try:
        keep_copy(position, form.picture)
    except Refused as problem:
        return problem
    form.has_copy = form.has_new_copy = True
    return None


def _go_to_next_step(freed: str | None) -> Response:
    forget(freed)
    session_holder = holder().again()
    missing = session_holder.first_missing()
    if missing is not None:
        return go(url_for("guest_checkin.person", position=missing))
    planned = session_holder.is_arrival_planned
    return go(url_for("guest_checkin.ready" if planned else "guest_checkin.arrival"))


def _find_guest_entry(position: int) -> GuestEntry | None:
    if not 1 <= position <= holder().link.guests:
        raise NotFound("This stay has no guest {position}.", position=position)
    return holder().guest(position)


def _render_guest(
    position: int,
    entry: GuestEntry | None,
    form: GuestForm,
    *,
    is_photo_kept: bool = False,
    photo_form: PassportForm | None = None,
) -> Response:
    is_open = holder().is_editable or entry is None or not entry.is_complete
    return page(
        "guest_checkin/person.html" if is_open else "guest_checkin/written.html",
        holder=holder(),
        stay=holder().link,
        terms=holder().terms,
        position=position,
        entry=entry,
        form=form,
        photo_form=photo_form or PassportForm(formdata=None),
        is_photo_kept=is_photo_kept,
    )
