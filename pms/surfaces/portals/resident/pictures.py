"""Pictures sent with a resident's form: checked, and kept when the form is shown again."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from wtforms import MultipleFileField
from wtforms.validators import StopValidation

from pms.catalogue.photo_sizes import LARGEST_BYTES, PhotoSizes, SizedPhoto, size_photo
from pms.foundation.errors import Problem
from pms.surfaces.fields import HiddenField
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.portals.portal import portal
from pms.surfaces.portals.resident import own
from pms.surfaces.request_scope import files
from pms.surfaces.signed_in import auth_context

MOST_AT_ONCE: Final = 10
MOST_BYTES: Final = 100 * 1024 * 1024
_KEPT: Final = "resident-photos"


class PicturesForm(FlaskForm):
    """A form with optional pictures; after validation `sized` holds the valid ones.

    Browsers do not fill file inputs again. So references to the valid pictures are returned signed
    in a hidden field, and need not be chosen again when the text or another file is refused.
    """

    photo = MultipleFileField(_("Photos"))
    kept = HiddenField()
    once = HiddenField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sized: list[SizedPhoto] = _signed_pictures(self.kept.data)
        self._unstored: list[PhotoSizes] = []
        self._refusal: str | None = None
        self._is_read = False

    def validate(self, extra_validators: Mapping[str, Sequence[Any]] | None = None) -> bool:
        """Whether the form is valid; the valid pictures are stored once all of it was checked."""
        is_valid: bool = super().validate(extra_validators)
        self.sized += [picture.store(files()) for picture in self._unstored]
        self._unstored.clear()
        sizes = [(photo.width, photo.height, dict(photo.files)) for photo in self.sized]
        self.kept.data = (
            auth_context().signer.sign_parts(
                _KEPT, portal().workspace_id, own.actor(), json.dumps(sizes)
            )
            if sizes
            else ""
        )
        return is_valid

    def validate_photo(self, field: MultipleFileField) -> None:
        """Resize every picture; an invalid one is named in the error, and the others are kept."""
        if not self._is_read:
            self._is_read = True
            self._refusal = self._read_pictures(field.data or ())
        if self._refusal:
            raise StopValidation(self._refusal)

    def _read_pictures(self, given: Iterable[Any]) -> str | None:
        chosen = [each for each in given if getattr(each, "filename", "")]
        if len(chosen) + len(self.sized) > MOST_AT_ONCE:
            return str(_("At most %(most)s photos at once.", most=MOST_AT_ONCE))
        refused = []
        for each in chosen:
            try:
                self._unstored.append(size_photo(each.read(LARGEST_BYTES + 1)))
            except Problem as problem:
                refused.append(f"{each.filename[:60]}: {refusal_text(problem)}")
        return " ".join(refused) or None


def _signed_pictures(text: str | None) -> list[SizedPhoto]:
    """Return the pictures signed for this resident; none if the signature does not match."""
    parts = auth_context().signer.read(_KEPT, text) if text else None
    if parts is None or parts[:2] != (portal().workspace_id, own.actor()):
        return []
    kept = [SizedPhoto(width, height, named) for width, height, named in json.loads(parts[2])]
    # What no row names is deleted after some days.
    return [photo for photo in kept if files().renew(photo.files.values())]
