"""Forms with photos chosen from the device; they are resized when the form is checked."""

from typing import Any, Final

from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import MultipleFileField
from wtforms.validators import StopValidation

from pms.catalogue.photos import LARGEST_BYTES, SizedPhoto, size_photo
from pms.foundation.errors import Refused
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.request_scope import files

MOST_AT_ONCE: Final = 10


class PhotosForm(FlaskForm):
    """Photos chosen from the device; `sized` has them resized once the form is valid."""

    photo = MultipleFileField(lazy_gettext("Photos"))
    needs_photo = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sized: list[SizedPhoto] = []

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
                self.sized.append(size_photo(each.read(LARGEST_BYTES + 1), files()))
            except Refused as problem:
                raise StopValidation(f"{each.filename[:60]}: {refusal_text(problem)}") from None
