"""The settlement of a deposit as the resident sees and answers it, signed in or by link."""

from collections.abc import Mapping
from typing import Any

from flask import Response, abort
from flask_babel import lazy_gettext

from pms.arrivals import settlement_sheets
from pms.deposits.settlement_papers import PaperRecord, object_to_paper, paper_of
from pms.foundation.errors import no_such
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.surfaces.fields import LongTextField, Optional
from pms.surfaces.forms import LinkForm
from pms.surfaces.hypermedia import pdf_answer
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import files, today

_AS_A_WHOLE = 0


class ObjectionWordsField(LongTextField):
    """What the resident does not agree with."""

    most_characters = 2_000


def sent_paper(session: WorkspaceSession, reservation_id: str) -> PaperRecord:
    """Return the settlement's paper; raise `NotFound` until it is sent."""
    found = paper_of(session, reservation_id, today())
    if found is None or found.paper is None or found.paper.sent_on is None:
        raise no_such("settlement", reservation_id)
    return found


def objection_form(found: PaperRecord, *, is_sent: bool = False) -> LinkForm:
    """Return the form with a field for each line, and one for the settlement as a whole."""
    fields: dict[str, Any] = {
        _name_field(position): ObjectionWordsField(
            lazy_gettext("What do you not agree with?"), [Optional()]
        )
        for position in (*(line.position for line in found.lines), _AS_A_WHOLE)
    }
    form_class = type("ObjectionForm", (LinkForm,), fields)
    form: LinkForm = form_class() if is_sent else form_class(formdata=None)
    return form


def fields_by_position(found: PaperRecord, form: LinkForm) -> Mapping[int, Any]:
    """Return the fields of an objection form by the position of the line; 0 is the whole."""
    return {
        position: form[_name_field(position)]
        for position in (*(line.position for line in found.lines), _AS_A_WHOLE)
    }


def object_as_typed(work: Work, found: PaperRecord, form: LinkForm) -> None:
    """Keep the objections of a form that was sent."""
    reservation_id = found.settled.settlement.reservation_id
    typed = {
        position or None: field.data or ""
        for position, field in fields_by_position(found, form).items()
    }
    object_to_paper(work, reservation_id=reservation_id, objections=typed)


def paper_answer(session: WorkspaceSession, found: PaperRecord) -> Response:
    """Return the PDF in the reader's language."""
    language = chosen_language()
    content = settlement_sheets.settlement_pdf(session, files(), found, language)
    return pdf_answer(content, settlement_sheets.file_name_of(language))


def photo_answer(
    session: WorkspaceSession, found: PaperRecord, photo_id: str, width: int
) -> Response:
    """Return a photo of a place that the settlement is about."""
    for place in settlement_sheets.photos_of_places(session, found):
        for photo in (*place.before, *place.after):
            if photo.id == photo_id and str(width) in photo.files:
                content = files().get(photo.files[str(width)]) or abort(404)
                return Response(content, mimetype="image/webp")
    raise no_such("photo", photo_id)


def _name_field(position: int) -> str:
    return f"objection.{position}"
