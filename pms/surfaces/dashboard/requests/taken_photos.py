"""Pictures that may come with a form: each is looked at and sized before anything is written."""

from typing import Any, Final

from flask import request
from flask_babel import lazy_gettext as _
from werkzeug.datastructures import CombinedMultiDict
from wtforms import Form, MultipleFileField
from wtforms.validators import StopValidation

from pms.catalogue.photo_sizes import LARGEST_BYTES, SizedPhoto, size_photo
from pms.foundation.audit import Subject
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock
from pms.surfaces.refusal_wording import said
from pms.surfaces.request_scope import database
from pms.upkeep.add_upkeep_photo import add_upkeep_photo

MOST_AT_ONCE: Final = 10


class TakenPhotosForm(Form):
    """A form with pictures or without; `sized` holds them once the form is valid."""

    photo = MultipleFileField(_("Photos"))
    is_photo_needed = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sized: list[SizedPhoto] = []

    def validate_photo(self, field: MultipleFileField) -> None:
        """Size every picture; one that is none is named, and none of them is kept."""
        chosen = [each for each in field.data or () if getattr(each, "filename", "")]
        if self.is_photo_needed and not chosen:
            raise StopValidation(str(_("Choose a photo.")))
        if len(chosen) > MOST_AT_ONCE:
            raise StopValidation(str(_("At most %(most)s photos at once.", most=MOST_AT_ONCE)))
        for each in chosen:
            try:
                read = each.read(LARGEST_BYTES + 1)
                self.sized.append(size_photo(read, Files(database().settings)))
            except Refused as problem:
                raise StopValidation(f"{each.filename[:60]}: {said(problem)}") from None

    def keep(self, session: WorkspaceSession, subject: Subject) -> int:
        """Store the pictures of a report, a task or a purchase; return how many."""
        for sized in self.sized:
            add_upkeep_photo(session, clock(), actor(), subject=subject, sized=sized)
        return len(self.sized)


def sent() -> CombinedMultiDict[str, Any]:
    """Return what the request carries: texts and files."""
    return CombinedMultiDict((request.files, request.form))
