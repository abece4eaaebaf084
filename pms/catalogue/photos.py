"""Photos of buildings and units: sizes, positions and order."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import (
    LONGEST_LINE,
    add_row,
    check_text,
    remove_row,
    write_columns,
)
from pms.catalogue.models import Building, Photo, Unit
from pms.foundation.audit import Subject, audit_events, note_audit_event, note_change
from pms.foundation.errors import Refused, no_such
from pms.foundation.files import Files
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual, join_with_commas
from pms.foundation.prepared import Prepared
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.workspaces.models import Workspace
from pms.workspaces.slugs import is_of_slug

if TYPE_CHECKING:
    from PIL import Image


def subject_of_photo(photo: Photo) -> Subject:
    """Return the unit or the building of a picture."""
    if photo.unit_id is not None:
        return ("unit", photo.unit_id)
    return ("building", str(photo.building_id))


def lock_subject(session: Session, subject: Subject) -> None:
    """Lock the unit or the building; raise `NotFound` for an unknown one."""
    kind, id_ = subject
    if kind == "unit":
        locked(session, Unit, id_)
    else:
        locked(session, Building, id_)


def photos_in_order(session: Session, subject: Subject) -> Sequence[Photo]:
    """Return the pictures of a subject, locked, in their order."""
    question = select(Photo).where(_is_of(subject)).order_by(Photo.position, Photo.id)
    return session.scalars(
        question.with_for_update(key_share=True).execution_options(populate_existing=True)
    ).all()


def number_places(photos: Sequence[Photo]) -> None:
    """Set each picture's position, counted from 1."""
    for place, photo in enumerate(photos, start=1):
        if photo.position != place:
            photo.position = place


def _is_of(subject: Subject) -> ColumnElement[bool]:
    kind, id_ = subject
    return (Photo.unit_id if kind == "unit" else Photo.building_id) == id_


WIDTHS = (400, 800, 1600)
LARGEST_BYTES = 25 * 1024 * 1024
LARGEST_PIXELS = 40_000_000
LARGEST_JPEG_PIXELS = 80_000_000
"""A JPEG is decoded at a fraction of its size: telephones take 48 to 64 million pixels."""
LARGEST_HEIC_PIXELS = 36_000_000
"""A HEIC is decoded whole, in five bytes a pixel."""
SMALLEST_SIDE = 200
_MOST_DECODED = 150_000_000
"""What a picture may take in memory while it is read, in bytes."""
_STRIP = 256
"""How many rows of the smaller picture are made at once."""
_FIRST_TURNED = 5
"""The first orientation in which the stored height is the upright width."""
_READ = ("JPEG", "PNG", "WEBP", "HEIF")


@dataclass(frozen=True)
class SizedPhoto:
    """The largest size in pixels, and the key of the stored WebP file of each width."""

    width: int
    height: int
    files: Mapping[str, str]


def size_photo(content: bytes, files: Files) -> SizedPhoto:
    """Store the sizes of an uploaded JPEG, PNG, WebP or HEIC; raise `Refused` for other files."""
    return store_sizes(_open_checked_image(content), files)


def plain_picture(content: bytes, smallest_side: int = SMALLEST_SIDE) -> bytes:
    """Return an uploaded picture as WebP, checked as `size_photo` does, without storing it."""
    picture = _open_checked_image(content, smallest_side)
    return _encode_picture(_at_most(picture, max(WIDTHS)), "WEBP", quality=82, method=2)


def store_sizes(picture: "Image.Image", files: Files) -> SizedPhoto:
    """Store the sizes of an upright RGB picture; a small one is never enlarged."""
    largest = sized = _at_most(picture, max(WIDTHS))
    stored: dict[str, str] = {}
    for width in sorted(WIDTHS, reverse=True):
        # Each size is made from the next larger one, which is quicker and looks the same.
        sized = _at_most(sized, width)
        stored[str(width)] = files.put(_encode_picture(sized, "WEBP", quality=82, method=2), "webp")
    return SizedPhoto(largest.width, largest.height, stored)


def as_jpeg(webp: bytes) -> bytes:
    """Return a stored size as JPEG, for mail programs that do not support WebP."""
    # Imported here and below: a worker that receives no picture never loads the library.
    from PIL import Image

    with Image.open(io.BytesIO(webp), formats=("WEBP",)) as picture:
        return _encode_picture(picture.convert("RGB"), "JPEG", quality=84)


def _open_checked_image(content: bytes, smallest_side: int = SMALLEST_SIDE) -> "Image.Image":
    if not 0 < len(content) <= LARGEST_BYTES:
        raise Refused(
            "The photo is {found_bytes} bytes. Choose one of at most {most_bytes} bytes.",
            found_bytes=len(content),
            most_bytes=LARGEST_BYTES,
        )
    return _read(content, smallest_side)


@cache
def _read_telephones() -> None:
    from pillow_heif import register_heif_opener

    # Embedded pictures are never needed.
    register_heif_opener(thumbnails=False, depth_images=False, aux_images=False)


def _read(content: bytes, smallest_side: int) -> "Image.Image":
    from PIL import ExifTags, Image, ImageOps, UnidentifiedImageError

    _read_telephones()
    try:
        with Image.open(io.BytesIO(content), formats=_READ) as opened:
            _check_size(opened, smallest_side)
            is_turned = opened.getexif().get(ExifTags.Base.Orientation, 1) >= _FIRST_TURNED
            # A JPEG is decoded at the fraction that leaves its upright width large enough.
            opened.draft("RGB", (1, max(WIDTHS)) if is_turned else (max(WIDTHS), 1))
            small = _shrink(opened, content, is_turned=is_turned)
            small.getexif()[ExifTags.Base.Orientation] = opened.getexif().get(
                ExifTags.Base.Orientation, 1
            )
            upright = ImageOps.exif_transpose(small)
            upright.info.clear()
            return upright
    except UnidentifiedImageError:
        raise Refused(
            "This is not a picture. Choose {kinds}.", kinds=join_with_commas(_READ)
        ) from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise Refused("The photo is damaged and cannot be read to its end.") from None


def _check_size(picture: "Image.Image", smallest_side: int) -> None:
    # Before decoding: a small file may decompress to gigabytes.
    width, height = picture.size
    most_pixels = _most_pixels(picture)
    if width * height > most_pixels:
        raise Refused(
            "The photo has {width} × {height} pixels. At most {most_pixels} in total are possible.",
            width=width,
            height=height,
            most_pixels=most_pixels,
        )
    if min(width, height) < smallest_side:
        raise Refused(
            "The photo has {width} × {height} pixels. Each side needs {least_pixels}.",
            width=width,
            height=height,
            least_pixels=smallest_side,
        )


def _most_pixels(picture: "Image.Image") -> int:
    """Return the most pixels that are decoded within the memory, for the kind of the picture."""
    if picture.format != "JPEG":
        return LARGEST_HEIC_PIXELS if picture.format == "HEIF" else LARGEST_PIXELS
    if not picture.info.get("progressive"):
        return LARGEST_JPEG_PIXELS
    # The decoder keeps two bytes for each sample of the whole picture.
    layers = [(across, down) for _, across, down, _ in getattr(picture, "layer", [])]
    most = max((across * down for across, down in layers), default=1)
    samples = sum(across * down for across, down in layers) / most
    return min(int(_MOST_DECODED / (2 * max(samples, 1))), LARGEST_JPEG_PIXELS)


def _shrink(opened: "Image.Image", content: bytes, *, is_turned: bool) -> "Image.Image":
    """Return the plain pixels, made smaller by a whole number strip by strip.

    So no second copy of a large picture is made; its upright width stays large enough.
    """
    from PIL import Image

    strips = _heif_strips(content) if opened.format == "HEIF" else opened.crop
    width, height = opened.size
    by = max(1, (height if is_turned else width) // max(WIDTHS))
    small = Image.new("RGB", (-(-width // by), -(-height // by)))
    for top in range(0, height, _STRIP * by):
        strip = strips((0, top, width, min(top + _STRIP * by, height)))
        strip.info = opened.info
        small.paste(_plain(strip).reduce(by), (0, top // by))
    return small


def _heif_strips(content: bytes) -> "Callable[[tuple[int, int, int, int]], Image.Image]":
    """Return what cuts strips from a decoded HEIC, which its plugin for Pillow would copy whole."""
    from PIL import Image
    from pillow_heif import HeifFile

    decoded = HeifFile(io.BytesIO(content), convert_hdr_to_8bit=True)  # type: ignore[no-untyped-call]
    picture = decoded[decoded.primary_index]
    rows = memoryview(picture.data)

    def strip(box: tuple[int, int, int, int]) -> "Image.Image":
        _, top, width, bottom = box
        part = rows[top * picture.stride : bottom * picture.stride]
        return Image.frombytes(
            picture.mode, (width, bottom - top), part, "raw", (picture.mode, picture.stride)
        )

    return strip


def _plain(picture: "Image.Image") -> "Image.Image":
    """Return the pixels in sRGB on white: no EXIF, position, profile or transparency."""
    from PIL import Image

    profile = picture.info.get("icc_profile")
    if picture.mode in {"RGBA", "LA", "P", "PA"}:
        layered = picture.convert("RGBA")
        flat = Image.new("RGB", layered.size, "white")
        flat.paste(layered, mask=layered.getchannel("A"))
        return flat
    if picture.mode.startswith("I"):
        # 16-bit grey; Pillow would clip values above 255 instead of scaling them.
        picture = picture.convert("I").point(lambda value: value / 256).convert("L")
    if profile and picture.mode == "RGB":
        picture = _in_srgb(picture, profile)
    return picture.convert("RGB")


def _in_srgb(picture: "Image.Image", profile: bytes) -> "Image.Image":
    from PIL import ImageCms

    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        converted = ImageCms.profileToProfile(picture, source, ImageCms.createProfile("sRGB"))
    except (ImageCms.PyCMSError, OSError):
        # A broken profile affects only the colours.
        return picture
    return picture if converted is None else converted


def _at_most(picture: "Image.Image", width: int) -> "Image.Image":
    from PIL import Image

    if picture.width <= width:
        return picture
    height = max(1, round(picture.height * width / picture.width))
    return picture.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=1.0)


def _encode_picture(picture: "Image.Image", kind: str, **how: int) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **how)
    return buffer.getvalue()


MOST_PHOTOS = 60


def add_photo(
    work: Work,
    *,
    subject: Subject,
    sized: SizedPhoto,
    alt_ja: str | None = None,
    alt_en: str | None = None,
) -> str:
    """Append a picture to those of the subject and return its id.

    `sized` comes from `size_photo`, which is slow and needs no transaction.
    """
    kind, id_ = subject
    lock_subject(work.session, subject)
    hanging = len(photos_in_order(work.session, subject))
    if hanging >= MOST_PHOTOS:
        raise Refused(
            "photo: there are already {most} photos, the most possible.", most=MOST_PHOTOS
        )
    row = Photo(
        building_id=None if kind == "unit" else id_,
        unit_id=id_ if kind == "unit" else None,
        position=hanging + 1,
        width=sized.width,
        height=sized.height,
        files=dict(sized.files),
        alt_ja=check_text("altJa", alt_ja, LONGEST_LINE) or "",
        alt_en=check_text("altEn", alt_en, LONGEST_LINE) or "",
        created_at=work.clock.now(),
    )
    return add_row(work, AuditEvent.PHOTO_ADDED, row)


def move_photo(work: Work, *, photo_id: str, places: int) -> Subject:
    """Move a picture by this many positions, backwards when negative, up to the end of the list."""
    photo = locked(work.session, Photo, photo_id)
    subject = subject_of_photo(photo)
    before = list(photos_in_order(work.session, subject))
    after = [other for other in before if other is not photo]
    after.insert(max(0, before.index(photo) + places), photo)
    if after == before:
        return subject
    number_places(after)
    note_audit_event(
        work,
        AuditEvent.PHOTOS_ORDERED,
        subject,
        before={"photos": [other.id for other in before]},
        after={"photos": [other.id for other in after]},
    )
    work.session.flush()
    return subject


_COLUMNS = (
    "building_id",
    "unit_id",
    "position",
    "width",
    "height",
    "files",
    "alt_ja",
    "alt_en",
)


def put_back_photo(work: Work, *, photo_id: str) -> Subject:
    """Restore a removed picture at its position and return its subject."""
    removals = audit_events(
        work.session, subject=("photo", photo_id), audit_event=AuditEvent.PHOTO_REMOVED, limit=1
    ).audit_events
    hangs = work.session.scalar(select(Photo.id).where(Photo.id == photo_id)) if removals else None
    if not removals or hangs is not None:
        raise no_such("removed photo", photo_id)
    was = removals[0].before
    photo = Photo(
        id=photo_id,
        **{column: was.get(column) for column in _COLUMNS},
        created_at=work.clock.now(),
    )
    subject = subject_of_photo(photo)
    lock_subject(work.session, subject)
    others = list(photos_in_order(work.session, subject))
    work.session.add(photo)
    note_change(work, AuditEvent.PHOTO_ADDED, photo)
    others.insert(photo.position - 1, photo)
    number_places(others)
    work.session.flush()
    return subject


def remove_photo(work: Work, *, photo_id: str) -> Subject:
    """Remove a picture and return its subject; its stored files stay."""
    photo = locked(work.session, Photo, photo_id)
    subject = subject_of_photo(photo)
    remove_row(work, AuditEvent.PHOTO_REMOVED, photo)
    number_places(photos_in_order(work.session, subject))
    work.session.flush()
    return subject


class HungPhoto(NamedTuple):
    """A picture in its order; `width` and `height` are its largest size in pixels."""

    id: str
    subject: Subject
    version: int
    width: int
    height: int
    alt: Bilingual


def photos_hung(session: Session, subject: Subject) -> Sequence[HungPhoto]:
    """Return the pictures of a unit or a building, in their order."""
    kind, id_ = subject
    column = Photo.unit_id if kind == "unit" else Photo.building_id
    rows = session.scalars(select(Photo).where(column == id_).order_by(Photo.position, Photo.id))
    return [_hung(row) for row in rows]


def photo_record(session: Session, photo_id: str) -> HungPhoto:
    """Return one picture; raise `NotFound` for an id that is not of this workspace."""
    row = session.scalar(select(Photo).where(Photo.id == photo_id)) if is_id(photo_id) else None
    if row is None:
        raise no_such("photo", photo_id)
    return _hung(row)


def _hung(row: Photo) -> HungPhoto:
    return HungPhoto(
        row.id,
        subject_of_photo(row),
        row.version,
        row.width,
        row.height,
        Bilingual(row.alt_ja, row.alt_en),
    )


def describe_photo(
    work: Work, *, photo_id: str, alt_ja: str | None, alt_en: str | None, version: int | None = None
) -> int:
    """Set the descriptions of a picture in both languages and return its version."""
    row = locked(work.session, Photo, photo_id, version)
    columns = {
        "alt_ja": check_text("altJa", alt_ja, LONGEST_LINE) or "",
        "alt_en": check_text("altEn", alt_en, LONGEST_LINE) or "",
    }
    write_columns(work, AuditEvent.PHOTO_EDITED, row, columns=columns)
    return row.version


_SLUG = re.compile(r"[\w-]{1,100}")
_FIND: Final = Prepared(
    select(Photo.files)
    .join(Workspace, Workspace.id == Photo.workspace_id)
    .where(is_of_slug(bindparam("slug")), Photo.id == bindparam("photo_id"))
)


def find_photo(
    connection: Connection, workspace_slug: str, photo_id: str, width: int
) -> str | None:
    """Return the file's key; `None` when this workspace has no such picture or width.

    The connection is bound to no workspace: the URL names it, and the statement filters by it.
    """
    if not (_SLUG.fullmatch(workspace_slug) and is_id(photo_id)):
        return None
    found = _FIND.first(connection, slug=workspace_slug, photo_id=photo_id)
    files: Mapping[str, str] = found[0] if found else {}
    return files.get(str(width))
