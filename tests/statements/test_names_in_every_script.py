"""A paper prints names in the scripts of residents, and letters that no font has are told before."""

import unicodedata

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.statements import typesetting
from pms.statements.invoices import invoice_pdf, issue_invoice
from pms.statements.typesetting import typeset, unprintable_letters
from tests.cast import House
from tests.statements.papers import text_of
from tests.statements.postings import post_entry, rent

NAMES = (
    "𠮷野 德子",
    "김민준",
    "สมชาย ใจดี",
    "ကျော်ဇော",
    "राम श्रेष्ठ",
    "محمد علي",
    "Trần Quốc Bảo",
    "王晓明",
    "Бат-Эрдэнэ",
    "ශ්‍රී ලංකා",
    "সুমাইয়া",
    "សុខា",
    "நந்தினி",
    "Łukasz Ōtsuka",
)
PROOF = b"pdfuaid"
"""What only a PDF in which every letter has a glyph holds: accessibility is promised for it."""


@pytest.mark.parametrize("name", NAMES)
def test_every_letter_of_a_residents_name_is_printed(
    database: Database, clock: FixedClock, house: House, name: str
) -> None:
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        row.name = name
        entry = post_entry(session, house.resident_id, [rent(93_000)])
        invoice = issue_invoice(Work(session, clock, "office"), entry)
        paper = invoice_pdf(session, invoice.id)
    assert PROOF in paper
    assert "¥93,000" in text_of(paper)
    assert unprintable_letters(name) == ""


@pytest.mark.parametrize(("written", "letters"), [("太郎 🎌", "🎌"), ("ᠮᠣᠩᠭᠣᠯ", "ᠮᠣᠩᠭᠯ")])
def test_a_letter_that_no_font_has_costs_no_paper_and_is_named(
    database: Database, clock: FixedClock, house: House, written: str, letters: str
) -> None:
    with database.writing(house.workspace_id) as session:
        entry = post_entry(session, house.resident_id, [rent(93_000)], label_ja=written)
        invoice = issue_invoice(Work(session, clock, "office"), entry)
        paper = invoice_pdf(session, invoice.id)
    assert "¥93,000" in text_of(paper)
    # A machine may have fonts of its own for them.
    assert (PROOF in paper) or set(unprintable_letters(written)) <= set(letters)


@pytest.mark.parametrize(
    "block", typesetting._COVERED, ids=lambda block: f"{block[0]:X}-{block[1]:X}"
)
def test_blocks_that_ask_no_font_are_covered_by_the_fonts_beside_the_templates(
    block: tuple[int, int],
) -> None:
    letters = " ".join(
        chr(code)
        for code in range(block[0], block[1] + 1)
        if unicodedata.category(chr(code))[0] in "LN"
    )
    facts = {
        "language": "ja",
        "hue": 200,
        "operator": "-",
        "address": [],
        "registration": None,
        "parties": None,
        "recipient": letters,
        "home": "-",
        "number": "1",
        "issued": "-",
        "received": "-",
        "voided": None,
        "total": "¥1",
        "purpose": "-",
        "parts": [],
        "has_invoices": False,
    }
    assert PROOF in typeset("receipt", facts)
