"""Tells a Word file of the old kind from all else that comes in the same container."""

from typing import Final

from pms.enquiries.resumes.compound_file import (
    COMPOUND_START,
    BrokenCompoundError,
    CompoundFile,
    Part,
)
from pms.foundation.errors import Refused

DOC_START: Final = COMPOUND_START
_BODY: Final = "worddocument"
_LOCKED: Final = ("encryptedpackage", "encryptioninfo")
_PROGRAMS: Final = ("macros", "vba", "_vba_project", "_vba_project_cur")
_WORDS_MARK: Final = b"\xec\xa5"
_IS_LOCKED: Final = 0x01


def refuse_unfit_doc(content: bytes) -> None:
    """Raise `Refused` unless the container holds a Word document, neither locked nor with macros."""
    try:
        container = CompoundFile(content)
        parts = {part.name.lower(): part for part in container.parts()}
        begins = _beginning(container, parts.get(_BODY))
    except BrokenCompoundError as broken:
        raise Refused("resume: the file begins like a DOC and cannot be read.") from broken
    if parts.keys() & set(_LOCKED) or (begins is not None and begins[11] & _IS_LOCKED):
        raise Refused("resume: the file is locked by a password; send it without one.")
    if parts.keys() & set(_PROGRAMS):
        raise Refused("resume: the Word file carries macros; send it without them.")
    if begins is None or not begins.startswith(_WORDS_MARK):
        raise Refused("resume: the file is an Office file and no Word document.")


def _beginning(container: CompoundFile, body: Part | None) -> bytes | None:
    """The first bytes of the document; each is larger than what a container packs elsewhere."""
    if body is None or not body.is_stream:
        return None
    begins = container.sector(body.sector)
    if len(begins) < 32:
        raise BrokenCompoundError
    return begins
