"""Files that are sent as a résumé, made here byte by byte: sound ones and hostile ones."""

import io
import struct
import zipfile

from tests.sample_uploads import UPLOADS

_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
    'content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.'
    'openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_BODY = "<w:document/>"
_FREE, _LAST, _TABLE = 0xFFFF_FFFF, 0xFFFF_FFFE, 0xFFFF_FFFD
_SECTOR = 512


def sample(name: str) -> bytes:
    """Return one of the samples."""
    return (UPLOADS / name).read_bytes()


def docx(**more: str | bytes) -> bytes:
    """Return a Word file with further parts, by their names; `/` is written as `__`."""
    parts: dict[str, str | bytes] = {"[Content_Types].xml": _TYPES, "word/document.xml": _BODY}
    return zipped(parts | {name.replace("__", "/"): content for name, content in more.items()})


def zipped(parts: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a ZIP of parts by name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue()


def locked(archive: bytes) -> bytes:
    """Return the ZIP with every part marked as locked by a password."""
    content = bytearray(archive)
    for mark, flags_at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.find(mark)
        while at >= 0:
            content[at + flags_at] |= 1
            at = content.find(mark, at + 4)
    return bytes(content)


def doc(*names: str, is_locked: bool = False, marked: bytes = b"\xec\xa5") -> bytes:
    """Return a compound file with streams of these names, the first of them with a body."""
    header = bytearray(_SECTOR)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    struct.pack_into("<HHHH", header, 24, 0x3E, 3, 0xFFFE, 9)
    # One table of sectors in sector 0, the directory in sector 1, the first body in sector 2.
    struct.pack_into("<IIIIIIII", header, 44, 1, 1, 0, 4096, _LAST, 0, _LAST, 0)
    struct.pack_into("<109I", header, 76, 0, *[_FREE] * 108)
    table = struct.pack("<128I", _TABLE, _LAST, _LAST, *[_FREE] * 125)
    entries = b"".join([_entry("Root Entry", 5), *(_entry(name, 2) for name in names)])
    body = bytearray(_SECTOR)
    body[:2] = marked
    body[11] = int(is_locked)
    return bytes(header) + table + entries.ljust(_SECTOR, b"\x00") + bytes(body)


def _entry(name: str, kind: int) -> bytes:
    text = f"{name}\0".encode("utf-16-le")
    entry = bytearray(128)
    entry[: len(text)] = text
    struct.pack_into("<HB", entry, 64, len(text), kind)
    struct.pack_into("<II", entry, 116, 2, _SECTOR)
    return bytes(entry)
