"""Makes the stored picture of a logo: checked, no larger than it is shown, freed of what it hides."""

import io
from typing import TYPE_CHECKING, Final

from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.phrases import listed

if TYPE_CHECKING:
    from PIL import Image

LARGEST_BYTES: Final = 2 * 1024 * 1024
LARGEST_PIXELS: Final = 10_000_000
LARGEST_SIDES: Final = (640, 320)
SMALLEST_SIDE: Final = 32
_READ: Final = ("JPEG", "PNG", "WEBP")


def store_logo(content: bytes, files: Files) -> str:
    """Return the key of the stored logo, which keeps what is transparent; refuse no picture."""
    if not 0 < len(content) <= LARGEST_BYTES:
        raise Refused(
            "logo: the file has {found_bytes} bytes; allowed are 1 to {most_bytes}.",
            found_bytes=len(content),
            most_bytes=LARGEST_BYTES,
        )
    # Imported here and below: a worker that is sent no picture never loads the library.
    from PIL import Image

    picture = _read(content)
    # Smaller ones are never enlarged; a new canvas carries no profile and no notes along.
    picture.thumbnail(LARGEST_SIDES, Image.Resampling.LANCZOS)
    plain = Image.new("RGBA", picture.size)
    plain.paste(picture)
    buffer = io.BytesIO()
    plain.save(buffer, "WEBP", lossless=True)
    return files.put(buffer.getvalue(), "webp")


def _read(content: bytes) -> "Image.Image":
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(content), formats=_READ) as opened:
            _check_size(*opened.size)
            return ImageOps.exif_transpose(opened).convert("RGBA")
    except UnidentifiedImageError:
        raise Refused(
            "logo: this is no picture; allowed are {kinds}.", kinds=listed(_READ)
        ) from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise Refused("logo: the picture is damaged and cannot be read to its end.") from None


def _check_size(width: int, height: int) -> None:
    # Before decoding: a small file may unfold to gigabytes.
    if width * height > LARGEST_PIXELS or min(width, height) < SMALLEST_SIDE:
        raise Refused(
            "logo: {width} x {height} pixels are refused; each side needs {least_pixels} and"
            " both together {most_pixels} at most.",
            width=width,
            height=height,
            least_pixels=SMALLEST_SIDE,
            most_pixels=LARGEST_PIXELS,
        )
