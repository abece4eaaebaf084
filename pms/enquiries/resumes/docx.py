"""Tells a Word file from any other ZIP, without unpacking more of it than its table of contents."""

import io
import struct
import zipfile
import zlib
from typing import Final

from pms.foundation.errors import Refused

DOCX_START: Final = b"PK\x03\x04"
MOST_ENTRIES: Final = 1_000
MOST_UNPACKED: Final = 60 * 1024 * 1024
_MOST_TYPES: Final = 256 * 1024
_MOST_CONTENTS: Final = 512 * 1024
_ENDING: Final = b"PK\x05\x06"
_ENDING_BYTES: Final = 22
_TYPES: Final = "[Content_Types].xml"
_BODY: Final = "word/document.xml"
_MAIN: Final = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_LOCKED: Final = 0x1
# Of any other method the library unpacks a whole part at once, however little is asked for.
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_PROGRAMS: Final = ("vbaproject.bin", "vbadata.xml")
_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
    struct.error,
)


def refuse_unfit_docx(content: bytes) -> None:
    """Raise `Refused` unless the ZIP is a Word file without macros that unpacks to bearable size."""
    # Without a comment the table of contents ends the file: nothing hides behind it.
    if content[-_ENDING_BYTES : -_ENDING_BYTES + 4] != _ENDING:
        raise Refused("resume: the file begins like a DOCX and does not end like one.")
    contents = int.from_bytes(content[-10:-6], "little")
    if contents > _MOST_CONTENTS:
        raise Refused("resume: the file holds more parts than any Word file.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            entries = packed.infolist()
            _refuse_odd(entries)
            _refuse_large(entries)
            types = _start_of(packed, _TYPES, _MOST_TYPES)
            body = _start_of(packed, _BODY, _MOST_TYPES)
    except KeyError as missing:
        raise Refused("resume: the file is a ZIP and no Word file.") from missing
    except _BROKEN as broken:
        raise Refused("resume: the file begins like a DOCX and cannot be read.") from broken
    if _has_programs(entries, types):
        raise Refused("resume: the Word file carries macros; send it without them.")
    if _MAIN not in types or b"document" not in body:
        raise Refused("resume: the file is a ZIP and no Word file.")


def _refuse_odd(entries: list[zipfile.ZipInfo]) -> None:
    names = [entry.filename for entry in entries]
    is_odd = (
        not entries
        or len(set(map(str.lower, names))) < len(names)
        or any(_leads_out(name) for name in names)
        or min(entry.header_offset for entry in entries) != 0
    )
    if is_odd:
        raise Refused("resume: the file is a ZIP whose names no Word file has.")
    if any(entry.compress_type not in _METHODS for entry in entries):
        raise Refused("resume: the file is packed in a way no Word file is; save it anew.")
    if any(entry.flag_bits & _LOCKED for entry in entries):
        raise Refused("resume: the file is locked by a password; send it without one.")


def _refuse_large(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MOST_ENTRIES:
        raise Refused(
            "resume: the file holds {found} parts; {most} at most.",
            found=len(entries),
            most=MOST_ENTRIES,
        )
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > MOST_UNPACKED:
        raise Refused(
            "resume: the file unpacks to {found} bytes; {most} at most.",
            found=unpacked,
            most=MOST_UNPACKED,
        )


def _leads_out(name: str) -> bool:
    return (
        name.startswith(("/", "\\"))
        or "\\" in name
        or "\x00" in name
        or ":" in name
        or ".." in name.split("/")
    )


def _start_of(packed: zipfile.ZipFile, name: str, most: int) -> bytes:
    # Read in a bounded piece: what a part says of its size may be a lie.
    with packed.open(name) as part:
        return part.read(most)


def _has_programs(entries: list[zipfile.ZipInfo], types: bytes) -> bool:
    names = (entry.filename.lower().rsplit("/", 1)[-1] for entry in entries)
    return any(name in _PROGRAMS for name in names) or b"macroEnabled" in types
