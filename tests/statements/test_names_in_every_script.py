"""A paper is made whatever script its words are written in."""

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.statements.invoices import invoice_pdf, issue_invoice
from tests.cast import House
from tests.statements.papers import text_of
from tests.statements.postings import post_entry, rent


@pytest.mark.parametrize(
    "written", ["Trần Quốc Bảo", "김민준", "王晓明", "محمد", "สมชาย", "太郎 🎌"]
)
def test_a_letter_the_papers_fonts_lack_costs_no_paper(
    database: Database, clock: FixedClock, house: House, written: str
) -> None:
    with database.writing(house.workspace_id) as session:
        entry = post_entry(session, house.resident_id, [rent(93_000)], label_ja=written)
        invoice = issue_invoice(Work(session, clock, "office"), entry)
        text = text_of(invoice_pdf(session, invoice.id))
    assert "¥93,000" in text
