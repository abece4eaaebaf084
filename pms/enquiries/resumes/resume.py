"""Text of a résumé file of any kind."""

import io
import re
import zipfile
from typing import Final, NamedTuple
from unicodedata import category, normalize

from pms.enquiries.resumes.office_files import (
    DOC_START,
    DOCX_START,
    refuse_unfit_doc,
    refuse_unfit_docx,
)
from pms.foundation.errors import Refused

PDF_START: Final = b"%PDF-"
_VERSION: Final = re.compile(rb"%PDF-[12]\.[0-9]")
_OBJECT: Final = re.compile(rb"\b[0-9]{1,10} [0-9]{1,5} obj\b")
_END: Final = b"%%EOF"
_WITHIN: Final = 1024
_ACTIVE: Final = re.compile(rb"/(?:JavaScript|Launch|EmbeddedFile)\b")


def refuse_unfit_pdf(content: bytes) -> None:
    """Raise `Refused` unless the file has objects and an end, and nothing that acts when opened.

    What is behind the end belongs to another file. Names inside compressed parts are not searched:
    the file is handed out as a download and never shown here.
    """
    ends_at = content.rfind(_END, -_WITHIN)
    is_whole = (
        _VERSION.match(content) is not None
        and _OBJECT.search(content) is not None
        and b"startxref" in content
        and ends_at >= 0
    )
    if not is_whole:
        raise Refused("resume: the file begins like a PDF and has no objects or no end.")
    if content[ends_at + len(_END) :].strip(b"\r\n\t \x00"):
        raise Refused("resume: something follows the end of the PDF.")
    if _ACTIVE.search(content):
        raise Refused("resume: the PDF carries programs or other files; send it without them.")


MOST_BYTES: Final = 10 * 1024 * 1024
TYPES: Final = {
    "pdf": "application/pdf",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
_LONGEST_STEM: Final = 80
_FORBIDDEN: Final = re.compile(r'[<>:"|?*/\\%;]+')


class Resume(NamedTuple):
    """A file that is a résumé by its content, under a name that is safe to save it as."""

    content: bytes
    suffix: str
    name: str

    @property
    def media_type(self) -> str:
        """What it is sent as."""
        return TYPES[self.suffix]


def read_resume(name: str | None, content: bytes) -> Resume:
    """Return the file as a résumé; raise `Refused` naming `resume` for anything else.

    Nothing is unpacked and nothing rendered: whoever opens it does so with their own program. What
    is two kinds of file at once, carries macros or is locked is refused, because nobody could tell
    what opening it does.
    """
    if not content:
        raise Refused("resume: the file is empty; a PDF, DOC or DOCX is wanted.")
    if len(content) > MOST_BYTES:
        raise Refused(
            "resume: the file has {found} bytes; {most} at most.",
            found=len(content),
            most=MOST_BYTES,
        )
    suffix = _judged(content)
    return Resume(content, suffix, safe_name(name, suffix))


def _judged(content: bytes) -> str:
    if content.startswith(DOCX_START):
        refuse_unfit_docx(content)
        return "docx"
    # A ZIP at the end of another file is a second file, which an unpacking program would meet.
    if zipfile.is_zipfile(io.BytesIO(content)):
        raise Refused("resume: the file is an archive besides; a PDF, DOC or DOCX alone is wanted.")
    if content.startswith(PDF_START):
        refuse_unfit_pdf(content)
        return "pdf"
    if content.startswith(DOC_START):
        refuse_unfit_doc(content)
        return "doc"
    raise Refused("resume: the content of the file is no PDF, DOC or DOCX.")


def safe_name(name: str | None, suffix: str) -> str:
    """Return a name to save the file as: no folder, nothing unseen, and the ending of its content."""
    last = re.split(r"[/\\]", normalize("NFC", name or ""))[-1]
    seen = "".join(letter for letter in last if category(letter)[0] != "C")
    stem = _FORBIDDEN.sub(" ", seen)
    for known in TYPES:
        if stem.lower().endswith(f".{known}"):
            stem = stem[: -len(known) - 1]
            break
    stem = " ".join(stem.split()).strip(". ")[:_LONGEST_STEM].strip(". ")
    return f"{stem or 'resume'}.{suffix}"
