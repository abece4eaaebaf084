"""An invoice says who owes what to whom, for which days, with the tax contained once per rate."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.foundation.files import Files
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.enumerations import EntryKind, FeeCategory
from pms.rules.management_forms import ManagementForm
from pms.statements.due_invoices import resend_invoice, send_invoice
from pms.statements.invoices import invoice_pdf, issue_invoice
from pms.statements.models import Invoice
from pms.statements.queries import ChangedInvoice, billed_entries
from pms.workspaces.models import Workspace
from tests.cast import House
from tests.statements.papers import fonts_of, millimetres_of, pages_of, set_form, text_of
from tests.statements.postings import (
    deposit,
    discount,
    line,
    post_entry,
    post_lines,
    rent,
    reservation_fee,
    reversal,
    service,
    utilities,
    void,
)

NOVEMBER = (date(2026, 11, 20), date(2026, 11, 30))


@pytest.fixture
def invoice(database: Database, clock: FixedClock, house: House) -> str:
    lines = [service(5_500), utilities(11_111), discount(5_000), rent(93_000)]
    return issued(database, clock, house, lines)


def issued(
    database: Database,
    clock: FixedClock,
    house: House,
    lines: list[dict[str, Any]],
    *,
    reservation_id: str | None = None,
    **given: Any,
) -> str:
    with database.writing(house.workspace_id) as session:
        entry = post_entry(session, reservation_id or house.resident_id, lines, **given)
        return issue_invoice(Work(session, clock, "office"), entry).id


def paper(database: Database, house: House, invoice_id: str, on: date | None = None) -> bytes:
    with database.reading(house.workspace_id) as session:
        return invoice_pdf(session, invoice_id, on)


def test_it_says_everything_a_qualified_invoice_must(
    database: Database, clock: FixedClock, house: House
) -> None:
    lines = [service(5_500), utilities(11_111), discount(5_000), rent(93_000)]
    set_form(database, clock, house, ManagementForm.OWN)
    text = text_of(paper(database, house, issued(database, clock, house, lines)))
    for said in (
        "請求書",
        "2026-000001",
        "発行日 2026年11月20日",
        "佐藤 花子 様",
        "シェアハウス カワセミ荘 101",
        "隅田シェアハウス",
        "〒131-0032",
        "東京都墨田区東向島1-1",
        "登録番号 T1234567890123",
        "2026年12月分 賃料等",
        "2026年11月30日",
        "インターネット 2026年12月1日〜31日 10% ¥5,500",
        "合計 ¥104,611",
        "10%対象 ¥5,500 ¥500",
        "非課税 ¥99,111",
        "すみれ銀行 墨田支店",
        "1 / 1",
    ):
        assert said in text, said


def test_under_agency_it_names_the_owner_as_lessor_and_is_none_without_their_number(
    database: Database, clock: FixedClock, house: House
) -> None:
    asked = issued(database, clock, house, [service(5_500), rent(93_000)])
    text = text_of(paper(database, house, asked))
    assert "貸主 山本 茂" in text
    assert "貸主代理人 隅田シェアハウス" in text
    assert "適格請求書ではありません。" in text
    assert "登録番号" not in text
    # A form that comes later changes no paper, and rent alone needs no number.
    set_form(database, clock, house, ManagementForm.AGENCY, lessor_number="T8010501234567")
    assert text_of(paper(database, house, asked)) == text
    exempt = issued(database, clock, house, [rent(93_000)], period="2027-01-01")
    assert "適格請求書" not in text_of(paper(database, house, exempt))


def test_under_agency_it_shows_the_owners_number_or_ours_once_they_were_informed(
    database: Database, clock: FixedClock, house: House
) -> None:
    agency, theirs = ManagementForm.AGENCY, "T8010501234567"
    given = {"lessor_number": theirs, "payee_account": "川瀬銀行 普通 7654321"}
    set_form(database, clock, house, agency, **given)
    first = issued(database, clock, house, [service(5_500)])
    text = text_of(paper(database, house, first))
    assert f"登録番号 {theirs}" in text
    assert "支払先 川瀬銀行 普通 7654321" in text
    assert "すみれ銀行" not in text
    set_form(database, clock, house, agency, lessor_number=theirs, informed_on=clock.today())
    second = issued(database, clock, house, [service(5_500)], period="2027-01-01")
    assert "登録番号 T1234567890123" in text_of(paper(database, house, second))
    assert f"登録番号 {theirs}" in text_of(paper(database, house, first))


def test_its_lines_come_in_a_fixed_order_however_they_were_posted(
    database: Database, clock: FixedClock, house: House
) -> None:
    lines = [
        deposit(93_000),
        rent(93_000),
        reservation_fee(33_000),
        service(1_833, NOVEMBER),
        utilities(4_033, NOVEMBER),
        discount(1_833, NOVEMBER),
        rent(34_100, NOVEMBER),
    ]
    text = text_of(paper(database, house, issued(database, clock, house, lines)))
    amounts = ("¥34,100", "−¥1,833", "¥4,033", "10% ¥1,833", "¥93,000", "¥33,000", "敷金 ¥93,000")
    places = [text.index(amount) for amount in amounts]
    assert places == sorted(places)


def test_tax_is_rounded_once_for_all_lines_of_a_rate(
    database: Database, clock: FixedClock, house: House
) -> None:
    # Each alone contains 4.545… yen, so 5; together they contain 13.636…, so 14 and not 15.
    taxed = [service(50, (date(2026, 12, day), date(2026, 12, day))) for day in (1, 2, 3)]
    assert "10%対象 ¥150 ¥14" in text_of(
        paper(database, house, issued(database, clock, house, taxed))
    )


def test_in_english_it_says_the_same(database: Database, clock: FixedClock, house: House) -> None:
    set_form(database, clock, house, ManagementForm.OWN)
    lines = [rent(93_000), service(5_500)]
    english = issued(database, clock, house, lines, reservation_id=house.guest_id)
    text = text_of(paper(database, house, english))
    for said in (
        "Invoice",
        "Emma Wilson",
        "Kawasemi House 202",
        "Sumida Share House",
        "Registration number T1234567890123",
        "Please pay by 30 November 2026",
        "Internet 1 – 31 December 2026 10% ¥5,500",
        "Total ¥98,500",
        "10% consumption tax ¥5,500 ¥500",
    ):
        assert said in text, said


def test_without_number_and_bank_it_leaves_both_out(
    database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        session.execute(update(Workspace).values(qualified_invoice_number=None, bank_details=None))
    text = text_of(paper(database, house, issued(database, clock, house, [rent(93_000)])))
    assert "登録番号" not in text
    assert "お振込先" not in text


def test_a_reversed_line_is_gone_and_the_day_of_the_correction_is_told(
    database: Database, clock: FixedClock, house: House, invoice: str
) -> None:
    first_half = (date(2026, 12, 1), date(2026, 12, 15))
    with database.writing(house.workspace_id) as session:
        entry_id = session.scalars(select(Invoice.entry_id)).one()
        later = clock.today() + timedelta(days=5)
        post_lines(session, entry_id, [reversal(rent(93_000)), rent(45_000, first_half)], later)
    text = text_of(paper(database, house, invoice))
    assert "賃料 2026年12月1日〜15日 ¥45,000" in text
    assert "¥93,000" not in text
    assert "訂正されました: 2026年11月25日" in text
    as_issued = text_of(paper(database, house, invoice, clock.today()))
    assert "¥93,000" in as_issued
    assert "訂正" not in as_issued


def test_a_bill_that_changed_on_the_day_of_its_invoice_is_told_too(
    database: Database, clock: FixedClock, files: Files, house: House, invoice: str
) -> None:
    def changed() -> ChangedInvoice | None:
        with database.reading(house.workspace_id) as session:
            billed = billed_entries(session, house.resident_id).values()
            return next(one.changed for one in billed if one.invoice and one.invoice.id == invoice)

    assert changed() is None
    with database.writing(house.workspace_id) as session:
        send_invoice(Work(session, clock, "office"), invoice, files)
        entry_id = session.scalars(select(Invoice.entry_id)).one()
        lines = [reversal(rent(93_000)), rent(90_000)]
        post_lines(session, entry_id, lines, clock.today())
    assert changed() == (clock.today(), True)
    assert "訂正されました: 2026年11月20日" in text_of(paper(database, house, invoice))
    with database.writing(house.workspace_id) as session:
        resend_invoice(
            Work(session, clock, "office"),
            invoice_id=invoice,
            files=files,
            seen_sent_at=clock.now(),
        )
    assert changed() == (clock.today(), False)


def test_a_voided_invoice_says_so(
    database: Database, clock: FixedClock, house: House, invoice: str
) -> None:
    with database.writing(house.workspace_id) as session:
        entry_id = session.scalars(select(Invoice.entry_id)).one()
        void(session, entry_id, house.resident_id, clock.today())
    assert "取り消されました" in text_of(paper(database, house, invoice))


def test_many_lines_run_over_pages_that_repeat_the_head_and_split_no_row(
    database: Database, clock: FixedClock, house: House
) -> None:
    label = "とても長い名前の備品で、一行には収まらないかもしれない寝具一式のセット その"
    lines = [
        line(f"{label}{n}", f"Set {n}", FeeCategory.OTHER, 1_000 + n, item=f"set{n:02}")
        for n in range(60)
    ]
    pages = pages_of(paper(database, house, issued(database, clock, house, lines)))
    assert len(pages) > 2
    for number, page in enumerate(pages, 1):
        assert f"{number} / {len(pages)}" in page
        assert page.count("とても長い名前") == page.count("その")
        if "とても長い名前" in page:
            assert "項目 期間 税率 金額" in page
    assert "".join(pages).count("合計") == 1


def test_it_is_a_sheet_of_a4_with_fonts_of_our_own_embedded(
    database: Database, house: House, invoice: str
) -> None:
    pdf = paper(database, house, invoice)
    assert millimetres_of(pdf) == (210, 297)
    assert fonts_of(pdf) == {"BIZUDPGothic-Regular", "BIZUDPGothic-Bold"}


def test_the_same_invoice_is_the_same_to_the_byte(
    database: Database, house: House, invoice: str
) -> None:
    assert paper(database, house, invoice) == paper(database, house, invoice)


def test_what_a_person_typed_is_never_markup(
    database: Database, clock: FixedClock, house: House
) -> None:
    name = '#panic("x") *太字* $x$ @ref <label> \\ "引用" `code`'
    with database.writing(house.workspace_id) as session:
        session.scalars(
            select(Reservation).where(Reservation.id == house.resident_id)
        ).one().name = name
    text = text_of(paper(database, house, issued(database, clock, house, [rent(93_000)])))
    assert '#panic("x") *太字* $x$ @ref' in text.replace("\n", " ")


def test_what_bills_nothing_gets_no_invoice(
    database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        zero = post_entry(session, house.resident_id, [rent(93_000), reversal(rent(93_000))])
        voided = post_entry(session, house.resident_id, [rent(93_000)])
        void(session, voided, house.resident_id, clock.today())
        opposite = post_entry(
            session,
            house.resident_id,
            [rent(93_000)],
            kind=EntryKind.OPPOSITE,
            opposes_id=zero,
        )
        for entry_id, message in (
            (zero, "voided"),
            (voided, "voided"),
            (opposite, "voids another one"),
        ):
            with pytest.raises(Refused, match=message):
                issue_invoice(Work(session, clock, "office"), entry_id)
        empty = post_entry(session, house.resident_id, [rent(1), reversal(rent(1))])
        with pytest.raises(Refused, match="total is ¥0"):
            issue_invoice(Work(session, clock, "office"), empty)


def test_an_unknown_entry_and_an_unknown_invoice_are_named(
    database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        with pytest.raises(NotFound):
            issue_invoice(Work(session, clock, "office"), new_id())
        with pytest.raises(NotFound):
            invoice_pdf(session, new_id())


def test_a_damaged_registration_number_is_refused_before_it_is_printed(
    database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        session.execute(update(Workspace).values(qualified_invoice_number="T123"))
    with pytest.raises(Refused, match="T and 13 digits"):
        issued(database, clock, house, [rent(93_000)])
