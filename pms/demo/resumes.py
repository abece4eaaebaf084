"""Makes the résumés of the demo: small files of the two kinds that applicants send most."""

import io
import zipfile
from typing import Final
from xml.sax.saxutils import escape

_TYPES: Final = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels"
 ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
</Types>"""
_LINKS: Final = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Target="word/document.xml"
 Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/>
</Relationships>"""
_WORDS: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_LONG_AGO: Final = (2026, 1, 1, 0, 0, 0)


def word_resume(*lines: str) -> bytes:
    """Return a Word file of paragraphs."""
    told = "".join(f"<w:p><w:r><w:t>{escape(line)}</w:t></w:r></w:p>" for line in lines)
    body = f'<w:document xmlns:w="{_WORDS}"><w:body>{told}</w:body></w:document>'
    packed = io.BytesIO()
    parts = {"[Content_Types].xml": _TYPES, "_rels/.rels": _LINKS, "word/document.xml": body}
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), content)
    return packed.getvalue()


def pdf_resume(*lines: str) -> bytes:
    """Return a PDF of one page in Latin letters."""
    shown = "".join(f"({line}) Tj T* " for line in lines)
    text = f"BT /F1 14 Tf 72 760 Td 22 TL {shown}ET".encode("latin-1")
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(text), text),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    written, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return written + head + table + tail % (len(objects) + 1, len(written))
