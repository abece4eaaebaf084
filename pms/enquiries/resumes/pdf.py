"""Tells a PDF from what only begins like one, and from one that does more than be read."""

import re
from typing import Final

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
