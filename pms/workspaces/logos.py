"""The logo of a workspace."""

import io
from typing import TYPE_CHECKING, Final

from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.phrases import join_with_commas

if TYPE_CHECKING:
    from PIL import Image


LARGEST_BYTES: Final = 2 * 1024 * 1024
LARGEST_PIXELS: Final = 10_000_000
LARGEST_SIDES: Final = (640, 320)
SMALLEST_SIDE: Final = 32
_READ: Final = ("JPEG", "PNG", "WEBP")


def store_logo(content: bytes, files: Files) -> str:
    """Store a JPEG, PNG or WebP with its transparency and return its key; refuse other files.

    This takes time: not while a transaction is open to write.
    """
    if not 0 < len(content) <= LARGEST_BYTES:
        raise Refused(
            "logo: The file is {found_bytes} bytes. Choose one of at most {most_bytes} bytes.",
            found_bytes=len(content),
            most_bytes=LARGEST_BYTES,
        )
    # Imported here and below: a worker that receives no picture never loads the library.
    from PIL import Image

    picture = _read_picture(content)
    # Small pictures are never enlarged; a new canvas carries no colour profile and no metadata.
    picture.thumbnail(LARGEST_SIDES, Image.Resampling.LANCZOS)
    plain = Image.new("RGBA", picture.size)
    plain.paste(picture)
    buffer = io.BytesIO()
    plain.save(buffer, "WEBP", lossless=True)
    return files.put(buffer.getvalue(), "webp")


def _read_picture(content: bytes) -> "Image.Image":
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(content), formats=_READ) as opened:
            _check_size(*opened.size)
            return ImageOps.exif_transpose(opened).convert("RGBA")
    except UnidentifiedImageError:
        raise Refused(
            "logo: this is not a picture. Choose {kinds}.", kinds=join_with_commas(_READ)
        ) from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise Refused("logo: the picture is damaged and cannot be read.") from None


def _check_size(width: int, height: int) -> None:
    # Before decoding: a small file may decompress to gigabytes.
    if width * height > LARGEST_PIXELS or min(width, height) < SMALLEST_SIDE:
        raise Refused(
            "logo: {width} × {height} pixels are not possible. Each side needs "
            "{least_pixels}, with at most {most_pixels} in total.",
            width=width,
            height=height,
            least_pixels=SMALLEST_SIDE,
            most_pixels=LARGEST_PIXELS,
        )
