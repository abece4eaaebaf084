"""From the settlement to the payout: the paper is sent, answered by link or portal, and paid out."""

import re
from datetime import date
from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pypdf import PdfReader
from sqlalchemy import select

from pms.bank.mandates import set_resident_account
from pms.departures.notices import file_notice
from pms.deposits.restorations import PriceList, set_price_list
from pms.deposits.settlement_papers import PaperRecord, paper_of
from pms.foundation.outbox import OutboxMail
from pms.rules.enumerations import UserKind
from pms.rules.settlement_papers import PaperState
from pms.rules.wear import USEFUL_LIFE_MONTHS, WornItem
from pms.workspaces.office_bank import set_office_bank
from tests.bank.test_debits import account
from tests.portals import open_portal_browser
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books
from tests.surfaces.dashboard.reservations.forms import fields_of

LINE = {
    "deductions-0-item": "wallpaper",
    "deductions-0-label": "居間",
    "deductions-0-quantity": "24",
    "deductions-0-amountYen": "1,200",
    "deductions-0-fittedOn": "2022-11-16",
}


@pytest.fixture
def left(books: Books) -> Books:
    """The resident left on 15 November, and all is paid; four years wear the wallpaper."""
    books.on("2026-10-26")
    books.do(file_notice, reservation_id=books.resident_id, move_out_on=date(2026, 11, 15))
    books.do_pay(300_000)
    books.on("2026-11-20")
    return books


def settle(office: Browser, left: Books, line: dict[str, str] = LINE) -> PaperRecord:
    """Settle as a person does: the form, the page to check, the button."""
    path = f"/reservations/{left.resident_id}"
    fields = fields_of(office.get(f"{path}/deposit").text, "/settlement/draft") | line
    check = office.post(f"{path}/settlement/draft", fields | {"check": "1"})
    assert check.status_code == 200, check.text
    assert (
        office.post(f"{path}/settlement", fields_of(check.text, "/settlement")).status_code == 303
    )
    return paper(left)


def paper(left: Books) -> PaperRecord:
    found = left.ask(paper_of, left.resident_id, left.clock.today())
    assert isinstance(found, PaperRecord)
    return found


def mailed_link(left: Books) -> str:
    with left.database.reading(left.house.workspace_id) as session:
        texts = list(session.scalars(select(OutboxMail.text)))
    (link,) = {found for text in texts for found in re.findall(r"/settlement/\S+", text)}
    return str(link)


def test_settling_sends_the_paper_with_the_part_that_the_rule_works_out(
    office: Browser, left: Books
) -> None:
    found = settle(office, left)
    # 28,800 × (72 − 48) ÷ 72
    assert [(line.cost_yen, line.used_months, line.resident_yen) for line in found.lines] == [
        (28_800, 48, 9_600)
    ]
    assert found.state is PaperState.SENT
    with left.database.reading(left.house.workspace_id) as session:
        mail = session.scalars(
            select(OutboxMail).where(OutboxMail.text.contains("/settlement/"))
        ).one()
    assert "¥9,600" in mail.text
    assert [each["media_type"] for each in mail.attachments] == ["application/pdf"]


@pytest.mark.parametrize(
    ("language", "words"), [("ja", "敷金精算書"), ("en", "Deposit settlement")]
)
def test_the_paper_is_a_pdf_in_both_languages(
    office: Browser, left: Books, language: str, words: str
) -> None:
    settle(office, left)
    answer = office.get(f"/reservations/{left.resident_id}/settlement.pdf?language={language}")
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(answer.data)).pages)
    assert words in text
    assert "¥9,600" in text
    assert "¥28,800" in text


def test_what_is_not_typed_comes_from_the_price_list(office: Browser, left: Books) -> None:
    lives = {**USEFUL_LIFE_MONTHS, WornItem.WALLPAPER: 96}
    left.do(set_price_list, stated=PriceList(lives, {WornItem.WALLPAPER: 1_000}))
    found = settle(office, left, {**LINE, "deductions-0-amountYen": ""})
    (line,) = found.lines
    assert (line.cost_yen, line.life_months, line.resident_yen) == (24_000, 96, 12_000)


def test_a_line_of_ordinary_wear_is_on_the_paper_and_takes_nothing(
    office: Browser, left: Books
) -> None:
    found = settle(office, left, {**LINE, "deductions-0-bearer": "wear"})
    assert [line.resident_yen for line in found.lines] == [0]
    assert not found.settled.deductions


def test_the_link_needs_no_sign_in_and_takes_objections_by_line(
    office: Browser, left: Books, app: Flask
) -> None:
    settle(office, left)
    link, phone = mailed_link(left), app.test_client()
    shown = phone.get(f"{link}?lang=en")
    assert shown.status_code == 200
    assert shown.headers["Cache-Control"] == "no-store"
    token = re.findall(r'name="csrf_token" value="([^"]+)"', shown.text)[0]
    empty = phone.post(f"{link}/objections", data={"csrf_token": token})
    assert empty.status_code == 422
    words = {"csrf_token": token, "objection.1": "入居時からの傷です"}
    assert phone.post(f"{link}/objections", data=words).status_code == 303
    assert paper(left).state is PaperState.OBJECTED
    assert "入居時からの傷です" in office.get(f"/reservations/{left.resident_id}/deposit").text
    assert phone.get(f"{link}/paper").mimetype == "application/pdf"
    assert phone.get(f"{link[:-1]}x").status_code == 404


def test_the_resident_agrees_in_the_portal_and_the_payout_is_one_press(
    office: Browser, left: Books, app: Flask
) -> None:
    settle(office, left)
    prepare_bank(left)
    path = f"/reservations/{left.resident_id}"
    held = office.get(f"{path}/deposit?lang=en").text
    assert 'name="payouts"' not in held
    house = left.house
    resident = open_portal_browser(
        app,
        left.clock,
        UserKind.RESIDENT,
        workspace_id=house.workspace_id,
        slug=house.slug,
        address=house.resident_email,
    )
    own = f"/{left.resident_id}"
    assert f"{own}/settlement" in resident.get(own).text
    assert resident.post(f"{own}/settlement/agreement", {}).status_code == 303
    assert paper(left).state is PaperState.AGREED
    fields = fields_of(office.get(f"{path}/deposit").text, "/bank/payouts")
    made = office.post("/bank/payouts", fields)
    assert made.status_code == 303
    assert "/bank/payouts/" in made.location


def prepare_bank(left: Books) -> None:
    payee = account()
    left.do(
        set_office_bank,
        expected_version=0,
        account=payee,
        debit_client="9000012345",
        payout_client="9000012345",
        needs_second_person=False,
        debit_attempts=2,
    )
    left.do(
        set_resident_account, reservation_id=left.resident_id, account=payee, expected_version=0
    )


def test_an_operator_releases_a_refund_with_a_reason_and_the_office_cannot(
    office: Browser, operator: Browser, left: Books
) -> None:
    settle(office, left)
    path = f"/reservations/{left.resident_id}/settlement/release"
    assert office.post(path, {"reason": "急ぎ"}).status_code == 403
    assert operator.post(path, {"reason": ""}).status_code == 422
    assert operator.post(path, {"reason": "電話で了承"}).status_code == 303
    assert paper(left).state is PaperState.RELEASED


def test_a_settlement_of_another_workspace_s_link_shows_nothing(
    office: Browser, left: Books, client: FlaskClient
) -> None:
    settle(office, left)
    assert client.get("/settlement/nonsense").status_code == 404
