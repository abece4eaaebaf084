"""A résumé is what its content says; what is two things at once, or acts, is refused by name."""

import io
import struct
import tracemalloc
import zipfile

import pytest

from pms.enquiries.resume_files import MOST_BYTES, MOST_ENTRIES, read_resume, safe_name
from pms.foundation.errors import Refused
from tests.enquiries.made_resumes import doc, docx, locked, sample, zipped

PDF = sample("resume.pdf")
WORDS = ("WordDocument", "1Table")


@pytest.mark.parametrize(
    ("name", "content", "kept_as"),
    [
        ("履歴書.pdf", PDF, "履歴書.pdf"),
        ("resume.docx", sample("resume.docx"), "resume.docx"),
        ("resume.pdf", sample("resume.docx"), "resume.docx"),
        ("photo.jpg", PDF, "photo.jpg.pdf"),
        ("old.doc", doc(*WORDS), "old.doc"),
        ("old.docx", doc(*WORDS), "old.doc"),
        (None, docx(), "resume.docx"),
    ],
)
def test_the_content_tells_the_kind_and_the_name_follows_it(
    name: str | None, content: bytes, kept_as: str
) -> None:
    resume = read_resume(name, content)
    assert resume.name == kept_as
    assert resume.content == content


HOSTILE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "empty"),
    "an empty sample": (sample("empty.pdf"), "empty"),
    "too much": (b"%PDF-1.7" + b"0" * MOST_BYTES, "bytes"),
    "noise under a header": (sample("junk.pdf"), "file starts like a PDF but has no"),
    "a picture": (sample("room_rotated_gps.jpg"), "file is not a PDF, DOC or DOCX"),
    "a page of a website": (sample("html_renamed.jpg"), "file is not a PDF, DOC or DOCX"),
    "a drawing with script": (sample("drawing.svg"), "file is not a PDF, DOC or DOCX"),
    "a spreadsheet": (sample("spreadsheet_renamed.docx"), "file is a ZIP, not a Word file"),
    "a bomb": (sample("bomb.docx"), "unpacks to 157"),
    "a torn PDF": (PDF[:-200], "file starts like a PDF but has no"),
    "a torn Word file": (sample("resume.docx")[:-100], "does not end like one"),
    "a PDF and a ZIP": (PDF + zipped({"run.exe": "MZ"}), "file is also an archive. Upload a plain"),
    "a PDF and a script": (
        PDF + b"<script>alert(1)</script>",
        "file has extra data after the end of",
    ),
    "a page before a PDF": (b"<html>" + PDF, "file is not a PDF, DOC or DOCX"),
    "a PDF that acts": (PDF.replace(b"/Type /Page ", b"/JavaScript "), "programs"),
    "a PDF with files": (PDF.replace(b"/Type /Page ", b"/EmbeddedFile "), "programs"),
    "a picture before a ZIP": (
        sample("floor_plan.png") + docx(),
        "file is also an archive. Upload a plain",
    ),
    "a Word file and more": (docx() + b"MZ", "does not end like one"),
    "a program before a Word file": (
        b"PK\x03\x04MZ" + docx(),
        "file is a ZIP without the contents of",
    ),
    "macros": (docx(word__vbaProject=b"", **{"word__vbaProject.bin": b"x"}), "macros"),
    "a locked ZIP": (locked(docx()), "protected"),
    "any ZIP": (zipped({"word/document.xml": "<w:document/>"}), "file is a ZIP, not a Word file"),
    "a way out": (docx(**{"..__..__etc__passwd": "x"}), "file is a ZIP without the contents of"),
    "a drive": (docx(**{"C:__x": "x"}), "file is a ZIP without the contents of"),
    "too many parts": (docx(**{f"p{n}": "" for n in range(MOST_ENTRIES)}), "parts"),
    "an Office file that is locked": (doc("EncryptedPackage", "EncryptionInfo"), "protected"),
    "an old Word file that is locked": (doc(*WORDS, is_locked=True), "protected"),
    "old macros": (doc(*WORDS, "Macros"), "macros"),
    "an old spreadsheet": (doc("Workbook"), "file is an Office file, but not a"),
    "a name without a document": (doc(*WORDS, marked=b"MZ"), "file is an Office file, but not a"),
    "a torn old Word file": (doc(*WORDS)[:700], "cannot be read"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_no_resume_is_refused_and_told_why(what: str) -> None:
    content, why = HOSTILE[what]
    with pytest.raises(Refused, match=why) as refused:
        read_resume("resume.pdf", content)
    assert refused.value.field == "resume"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_part_that_stands_twice_is_refused() -> None:
    packed = io.BytesIO(docx())
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr("word/document.xml", "<w:document>another</w:document>")
    with pytest.raises(Refused, match="file is a ZIP without the contents of"):
        read_resume("resume.docx", packed.getvalue())


def test_a_bomb_that_lies_about_its_size_is_found_out_without_being_unpacked() -> None:
    content = bytearray(sample("bomb.docx"))
    directory = content.rfind(b"word/document.xml") - 46
    struct.pack_into("<I", content, directory + 24, 1_000)
    with pytest.raises(Refused, match="cannot be read"):
        read_resume("bomb.docx", bytes(content))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_could_only_be_unpacked_whole_is_not_unpacked(method: int) -> None:
    mebibytes = 8
    parts = {"word/document.xml": b"document", "[Content_Types].xml": b" " * (mebibytes << 20)}
    small = zipped(dict(parts), method)
    assert len(small) < 4_000
    tracemalloc.start()
    try:
        with pytest.raises(Refused, match="file is not compressed like a Word file"):
            read_resume("resume.docx", small)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, 9, 93, 99])
def test_noise_under_any_method_is_no_error_of_the_program(method: int) -> None:
    content = bytearray(docx())
    for mark, method_at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = content.find(mark)
        while at >= 0:
            struct.pack_into("<H", content, at + method_at, method)
            at = content.find(mark, at + 4)
    assert not _is_taken(bytes(content))


def _is_taken(content: bytes) -> bool:
    try:
        read_resume("x.docx", content)
    except Refused:
        return False
    return True


def test_a_container_that_leads_in_a_circle_ends() -> None:
    content = bytearray(doc(*WORDS))
    struct.pack_into("<I", content, 512 + 4, 1)
    with pytest.raises(Refused, match="cannot be read"):
        read_resume("x.doc", bytes(content))
    content = bytearray(doc(*WORDS))
    struct.pack_into("<I", content, 512 + 508, 0)
    struct.pack_into("<I", content, 68, 0)
    with pytest.raises(Refused, match="cannot be read"):
        read_resume("x.doc", bytes(content))


@pytest.mark.parametrize("cut", range(0, 1_500, 37))
def test_no_torn_file_is_an_error_of_the_program(cut: int) -> None:
    for whole in (sample("resume.docx"), doc(*WORDS), PDF, docx()):
        for torn in (whole[:cut], whole[cut:], whole[:cut] + b"\xff" * 40 + whole[cut + 40 :]):
            _is_taken(torn)


@pytest.mark.parametrize(
    ("given", "kept_as"),
    [
        ("../../etc/passwd", "passwd.pdf"),
        ("C:\\Users\\me\\cv.PDF", "cv.pdf"),
        ('a"b;c\r\nX: y.pdf', "a b cX y.pdf"),
        ("invoice\u202efdp.exe", "invoicefdp.exe.pdf"),
        ("...", "resume.pdf"),
        ("", "resume.pdf"),
        ("あ" * 300 + ".pdf", "あ" * 80 + ".pdf"),
    ],
)
def test_a_name_leads_nowhere_and_hides_nothing(given: str, kept_as: str) -> None:
    assert safe_name(given, "pdf") == kept_as
