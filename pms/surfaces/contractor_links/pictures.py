"""Reads pictures from a form: each is looked at and sized before anything is written."""

from typing import Any, Final

from flask_babel import lazy_gettext as _
from wtforms import Form, MultipleFileField
from wtforms.validators import StopValidation

from pms.catalogue.photo_sizes import LARGEST_BYTES, SizedPhoto, size_photo
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.surfaces.fields import HiddenField
from pms.surfaces.refusal_wording import said

MOST_AT_ONCE: Final = 10


class PictureForm(Form):
    """Pictures of this phone; `sized` holds them once the form is valid. None is allowed."""

    photo = MultipleFileField(_("New photos"))
    once = HiddenField()
    needs_one = False

    def __init__(self, *given: Any, files: Files, **values: Any) -> None:
        super().__init__(*given, **values)
        self._files = files
        self.sized: list[SizedPhoto] = []

    def validate_photo(self, field: MultipleFileField) -> None:
        """Size every picture; one that is none is named, and none of them is kept."""
        chosen = [each for each in field.data or () if getattr(each, "filename", "")]
        if self.needs_one and not chosen:
            raise StopValidation(str(_("Choose a photo.")))
        if len(chosen) > MOST_AT_ONCE:
            raise StopValidation(str(_("At most %(most)s photos at once.", most=MOST_AT_ONCE)))
        for each in chosen:
            try:
                self.sized.append(size_photo(each.read(LARGEST_BYTES + 1), self._files))
            except Refused as problem:
                raise StopValidation(f"{each.filename[:60]}: {said(problem)}") from None


class TaskPhotosForm(PictureForm):
    """Pictures of a task; at least one."""

    needs_one = True
