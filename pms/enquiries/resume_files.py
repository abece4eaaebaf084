"""Checks of résumé files: PDF, and Word files old and new."""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple
from unicodedata import category, normalize

from pms.foundation.errors import Refused

PDF_START: Final = b"%PDF-"
_VERSION: Final = re.compile(rb"%PDF-[12]\.[0-9]")
_OBJECT: Final = re.compile(rb"\b[0-9]{1,10} [0-9]{1,5} obj\b")
_END: Final = b"%%EOF"
_WITHIN: Final = 1024
_ACTIVE: Final = re.compile(rb"/(?:JavaScript|Launch|EmbeddedFile)\b")


def refuse_unfit_pdf(content: bytes) -> None:
    """Raise `Refused` unless the PDF has objects and an end, and no active content.

    Bytes after the end belong to another file. Names inside compressed streams are not searched:
    the file is sent as a download and never shown here.
    """
    ends_at = content.rfind(_END, -_WITHIN)
    is_whole = (
        _VERSION.match(content) is not None
        and _OBJECT.search(content) is not None
        and b"startxref" in content
        and ends_at >= 0
    )
    if not is_whole:
        raise Refused("resume: the file starts like a PDF but has no content or no end.")
    if content[ends_at + len(_END) :].strip(b"\r\n\t \x00"):
        raise Refused("resume: the file has extra data after the end of the PDF.")
    if _ACTIVE.search(content):
        raise Refused("resume: the PDF contains programs or other files. Upload it without them.")


MOST_BYTES: Final = 10 * 1024 * 1024
TYPES: Final = {
    "pdf": "application/pdf",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
_LONGEST_STEM: Final = 80
_FORBIDDEN: Final = re.compile(r'[<>:"|?*/\\%;]+')


class Resume(NamedTuple):
    """A file checked to be a résumé by its content, with a safe name to save it as."""

    content: bytes
    suffix: str
    name: str

    @property
    def media_type(self) -> str:
        """The media type it is sent with."""
        return TYPES[self.suffix]


def read_resume(name: str | None, content: bytes) -> Resume:
    """Return the file as a résumé; raise `Refused` naming `resume` for anything else.

    Nothing is unpacked or rendered: it is opened with the reader's own program. Files that are of
    two kinds at once, contain macros or are locked are refused, because what opening them does is
    unknown.
    """
    if not content:
        raise Refused("resume: the file is empty. Upload a PDF, DOC or DOCX.")
    if len(content) > MOST_BYTES:
        raise Refused(
            "resume: the file has {found} bytes. At most {most} are possible.",
            found=len(content),
            most=MOST_BYTES,
        )
    suffix = _judge_content(content)
    return Resume(content, suffix, safe_name(name, suffix))


def _judge_content(content: bytes) -> str:
    if content.startswith(DOCX_START):
        refuse_unfit_docx(content)
        return "docx"
    # A ZIP at the end of another file is a second file, which an unpacking program would read.
    if zipfile.is_zipfile(io.BytesIO(content)):
        raise Refused("resume: the file is also an archive. Upload a plain PDF, DOC or DOCX.")
    if content.startswith(PDF_START):
        refuse_unfit_pdf(content)
        return "pdf"
    if content.startswith(DOC_START):
        refuse_unfit_doc(content)
        return "doc"
    raise Refused("resume: the file is not a PDF, DOC or DOCX.")


def safe_name(name: str | None, suffix: str) -> str:
    """Return a safe name for the file: no folder, only visible characters, the right extension."""
    last = re.split(r"[/\\]", normalize("NFC", name or ""))[-1]
    seen = "".join(letter for letter in last if category(letter)[0] != "C")
    stem = _FORBIDDEN.sub(" ", seen)
    for known in TYPES:
        if stem.lower().endswith(f".{known}"):
            stem = stem[: -len(known) - 1]
            break
    stem = " ".join(stem.split()).strip(". ")[:_LONGEST_STEM].strip(". ")
    return f"{stem or 'resume'}.{suffix}"


COMPOUND_START: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEADER: Final = 512
_ENTRY: Final = 128
_MOST_SECTORS: Final = 4_096
_LAST: Final = 0xFFFF_FFFA
_IN_HEADER: Final = 109
_STORAGE, _STREAM, _ROOT = 1, 2, 5


class BrokenCompoundError(ValueError):
    """The container is inconsistent."""


class DirectoryEntry(NamedTuple):
    """One entry of the directory: a storage or a stream, where it starts, and its size in bytes."""

    name: str
    is_stream: bool
    sector: int
    size: int


class CompoundFile:
    """The sector table and the directory; nothing else is read."""

    def __init__(self, content: bytes) -> None:
        if len(content) < _HEADER or not content.startswith(COMPOUND_START):
            raise BrokenCompoundError
        shift = _u16(content, 30)
        if shift not in (9, 12):
            raise BrokenCompoundError
        self._content, self._shift = content, shift
        self._tables = list(self._table_sectors())

    def parts(self) -> list[DirectoryEntry]:
        """Return the entries of the directory, in its order."""
        found: list[DirectoryEntry] = []
        for sector in self._follow_chain(_u32(self._content, 48)):
            whole = self.sector(sector)
            found.extend(
                part
                for at in range(0, len(whole) - _ENTRY + 1, _ENTRY)
                if (part := _read_part(whole[at : at + _ENTRY])) is not None
            )
        return found

    def sector(self, number: int) -> bytes:
        """Return one sector's bytes; raise `BrokenCompoundError` if it does not exist."""
        begins = (number + 1) << self._shift
        if begins >= len(self._content):
            raise BrokenCompoundError
        return self._content[begins : begins + (1 << self._shift)]

    def _table_sectors(self) -> Iterator[int]:
        yield from _read_sector_numbers(self._content[76 : 76 + 4 * _IN_HEADER])
        following, steps = _u32(self._content, 68), 0
        while following < _LAST:
            steps += 1
            if steps > _MOST_SECTORS:
                raise BrokenCompoundError
            *numbers, following = struct.unpack(
                f"<{(1 << self._shift) // 4}I", self._read_full_sector(following)
            )
            yield from (number for number in numbers if number < _LAST)

    def _follow_chain(self, first: int) -> Iterator[int]:
        number, steps = first, 0
        while number < _LAST:
            steps += 1
            if steps > _MOST_SECTORS:
                raise BrokenCompoundError
            yield number
            table, place = divmod(number, (1 << self._shift) // 4)
            if table >= len(self._tables):
                raise BrokenCompoundError
            number = _u32(self._read_full_sector(self._tables[table]), 4 * place)

    def _read_full_sector(self, number: int) -> bytes:
        whole = self.sector(number)
        if len(whole) != 1 << self._shift:
            raise BrokenCompoundError
        return whole


def _read_part(entry: bytes) -> DirectoryEntry | None:
    length, kind = _u16(entry, 64), entry[66]
    if kind not in (_STORAGE, _STREAM, _ROOT) or not 2 <= length <= 64:
        return None
    name = entry[: length - 2].decode("utf-16-le", "replace")
    return DirectoryEntry(name, kind == _STREAM, _u32(entry, 116), _u32(entry, 120))


def _read_sector_numbers(table: bytes) -> Iterator[int]:
    numbers = struct.unpack(f"<{len(table) // 4}I", table)
    return (number for number in numbers if number < _LAST)


def _u16(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")


def _u32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


DOC_START: Final = COMPOUND_START
_DOC_BODY: Final = "worddocument"
_DOC_LOCKED: Final = ("encryptedpackage", "encryptioninfo")
_DOC_PROGRAMS: Final = ("macros", "vba", "_vba_project", "_vba_project_cur")
_WORDS_MARK: Final = b"\xec\xa5"
_IS_LOCKED: Final = 0x01


def refuse_unfit_doc(content: bytes) -> None:
    """Raise `Refused` unless the container is a Word document, neither locked nor with macros."""
    try:
        container = CompoundFile(content)
        parts = {part.name.lower(): part for part in container.parts()}
        begins = _read_beginning(container, parts.get(_DOC_BODY))
    except BrokenCompoundError as broken:
        raise Refused("resume: the file looks like a DOC but cannot be read.") from broken
    if parts.keys() & set(_DOC_LOCKED) or (begins is not None and begins[11] & _IS_LOCKED):
        raise Refused("resume: the file is protected by a password. Upload it without one.")
    if parts.keys() & set(_DOC_PROGRAMS):
        raise Refused("resume: the Word file contains macros. Upload it without them.")
    if begins is None or not begins.startswith(_WORDS_MARK):
        raise Refused("resume: the file is an Office file, but not a Word document.")


def _read_beginning(container: CompoundFile, body: DirectoryEntry | None) -> bytes | None:
    """Return the first bytes of the document, which is too large for the mini stream."""
    if body is None or not body.is_stream:
        return None
    begins = container.sector(body.sector)
    if len(begins) < 32:
        raise BrokenCompoundError
    return begins


DOCX_START: Final = b"PK\x03\x04"
MOST_ENTRIES: Final = 1_000
MOST_UNPACKED: Final = 60 * 1024 * 1024
_MOST_TYPES: Final = 256 * 1024
_MOST_CONTENTS: Final = 512 * 1024
_ENDING: Final = b"PK\x05\x06"
_ENDING_BYTES: Final = 22
_TYPES: Final = "[Content_Types].xml"
_DOCX_BODY: Final = "word/document.xml"
_MAIN: Final = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_DOCX_LOCKED: Final = 0x1
# With any other method the library unpacks a whole part at once, however little is read.
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DOCX_PROGRAMS: Final = ("vbaproject.bin", "vbadata.xml")
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
    """Raise `Refused` unless the ZIP is a Word file without macros and of limited unpacked size."""
    # Without a comment the central directory ends the file: nothing can follow it.
    if content[-_ENDING_BYTES : -_ENDING_BYTES + 4] != _ENDING:
        raise Refused("resume: the file starts like a DOCX but does not end like one.")
    contents = int.from_bytes(content[-10:-6], "little")
    if contents > _MOST_CONTENTS:
        raise Refused("resume: the file has more parts than a Word file can have.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            entries = packed.infolist()
            _refuse_odd(entries)
            if len(entries) > MOST_ENTRIES:
                raise Refused(
                    "resume: the file has {found} parts. At most {most} are possible.",
                    found=len(entries),
                    most=MOST_ENTRIES,
                )
            unpacked = sum(entry.file_size for entry in entries)
            if unpacked > MOST_UNPACKED:
                raise Refused(
                    "resume: the file unpacks to {found} bytes. At most {most} are possible.",
                    found=unpacked,
                    most=MOST_UNPACKED,
                )
            types = _start_of(packed, _TYPES, _MOST_TYPES)
            body = _start_of(packed, _DOCX_BODY, _MOST_TYPES)
    except KeyError as missing:
        raise Refused("resume: the file is a ZIP, not a Word file.") from missing
    except _BROKEN as broken:
        raise Refused("resume: the file looks like a DOCX but cannot be read.") from broken
    names = (entry.filename.lower().rsplit("/", 1)[-1] for entry in entries)
    has_programs = any(name in _DOCX_PROGRAMS for name in names) or b"macroEnabled" in types
    if has_programs:
        raise Refused("resume: the Word file contains macros. Upload it without them.")
    if _MAIN not in types or b"document" not in body:
        raise Refused("resume: the file is a ZIP, not a Word file.")


def _refuse_odd(entries: list[zipfile.ZipInfo]) -> None:
    names = [entry.filename for entry in entries]
    is_odd = (
        not entries
        or len(set(map(str.lower, names))) < len(names)
        or any(_leads_out(name) for name in names)
        or min(entry.header_offset for entry in entries) != 0
    )
    if is_odd:
        raise Refused("resume: the file is a ZIP without the contents of a Word file.")
    if any(entry.compress_type not in _METHODS for entry in entries):
        raise Refused("resume: the file is not compressed like a Word file. Save it again.")
    if any(entry.flag_bits & _DOCX_LOCKED for entry in entries):
        raise Refused("resume: the file is protected by a password. Upload it without one.")


def _leads_out(name: str) -> bool:
    return (
        name.startswith(("/", "\\"))
        or "\\" in name
        or "\x00" in name
        or ":" in name
        or ".." in name.split("/")
    )


def _start_of(packed: zipfile.ZipFile, name: str, most: int) -> bytes:
    # Read with a limit, because the size that a part states may be false.
    with packed.open(name) as part:
        return part.read(most)
