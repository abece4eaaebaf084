"""What a bank's file leaves open is asked about on one page, with the file kept."""

import random
import re
from datetime import date
from io import BytesIO
from typing import Any

from sqlalchemy import select

from pms.bank.accounts import AccountFacts, add_account, list_accounts
from pms.bank.models import BankTransfer
from pms.bank.transfers import place_on_bills
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.ledger.queries import standings
from pms.rules.enumerations import TransferState
from tests.bank.statement_files import Moved, statement_file
from tests.bank.statement_forms import written
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books

DAY = date(2026, 11, 2)
HEAD = "日付,摘要,出金,入金\n"


def checked(browser: Browser, data: bytes, **said: Any) -> Any:
    return browser.post(
        "/bank?lang=en", {"file": (BytesIO(data), "list.csv"), "check": "y", **said}
    )


def kept_of(text: str) -> dict[str, str]:
    """The hidden fields of the page, as a browser sends them."""
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', text)
    return {name: value for name, value in hidden if name not in {"csrf_token", "columnTitle"}}


def accounts(books: Books) -> list[tuple[str, str | None]]:
    return [(one.name, one.number) for one in books.ask(list_accounts)]


def test_a_list_without_an_account_asks_for_it_and_keeps_the_file(
    office: Browser, books: Books
) -> None:
    books.do(add_account, AccountFacts("Rent", "", "", "1", ""))
    page = checked(office, f"{HEAD}2026/11/02,振込 モガミ テルミ,,700\n".encode())
    assert page.status_code == 200
    assert "The file does not say which account it is of." in page.text
    kept = kept_of(page.text)
    refused = office.post("/bank?lang=en", kept)
    assert refused.status_code == 422
    assert "Choose the account it belongs to." in refused.text
    assert kept["kept"] in refused.text
    (chosen,) = re.findall(r'<option value="([0-9a-f]{32})">Rent', page.text)
    assert office.post("/bank", {**kept, "account": chosen}).status_code == 303
    assert accounts(books) == [("Rent", None)]
    again = checked(office, f"{HEAD}2026/11/03,振込 モガミ テルミ,,5\n".encode())
    assert f'<option selected value="{chosen}">Rent' in again.text


def test_a_file_that_waits_for_an_answer_is_sealed_where_it_lies(
    office: Browser, books: Books, settings: Settings
) -> None:
    books.do(add_account, AccountFacts("Rent", "", "", "1", ""))
    data = f"{HEAD}2026/11/02,振込 モガミ テルミ,,700\n".encode()
    key = kept_of(checked(office, data).text)["kept"]
    (path,) = settings.files_dir.glob("*/*.bank")
    assert path.name in key
    lying = path.read_bytes()
    assert lying.startswith(b"pms-sealed ")
    assert "モガミ".encode() not in lying
    assert Files(settings).get(path.name) == data


def test_another_account_is_named_on_the_page(office: Browser, books: Books) -> None:
    page = checked(office, f"{HEAD}2026/11/02,振込 モガミ テルミ,,700\n".encode())
    sent = {**kept_of(page.text), "account": "new"}
    assert office.post("/bank", sent).status_code == 422
    assert office.post("/bank", {**sent, "accountName": "Net bank"}).status_code == 303
    assert accounts(books) == [("Net bank", None)]


def test_a_file_of_a_known_account_under_another_name_is_shown_as_such(
    office: Browser, books: Books
) -> None:
    moved = [Moved("サトウ ハナコ", 700, DAY), Moved("ヤマダ タロウ", 800, DAY)]
    first = checked(office, written("list", moved, random.Random(1)))
    named = {**kept_of(first.text), "account": "new", "accountName": "Net bank"}
    assert office.post("/bank", named).status_code == 303
    page = checked(office, statement_file(moved))
    assert "These payments are known for another account" in page.text
    assert "2 of 2 payments are already known for Net bank." in page.text
    (account,) = re.findall(r'name="is" value="([0-9a-f]{32})"', page.text)
    same = office.post("/bank?lang=en", {**kept_of(page.text), "is": account})
    assert "0 new of 2" in same.text
    assert office.post("/bank", {**kept_of(same.text), "account": account}).status_code == 303
    assert accounts(books) == [("Net bank", "0021788")]


def test_payments_that_may_be_known_are_listed_and_ticked_where_they_are_new(
    office: Browser, books: Books
) -> None:
    known = f"{HEAD}2026/11/02,振込 ヤマダ タロウ,,700\n2026/11/02,振込 サトウ,,800\n"
    first = kept_of(checked(office, known.encode()).text)
    office.post("/bank", {**first, "account": "new", "accountName": "A"})
    other = f"{HEAD}2026/11/02,振込 山田 太郎,,700\n2026/11/02,振込 鈴木,,800\n"
    page = checked(office, other.encode())
    assert page.text.count('name="distinct"') == 2
    assert "Known as ヤマダ タロウ on" in page.text
    sent = {**kept_of(page.text), "distinct": "3"}
    # A browser sends the account that is chosen on the page, too.
    sent["account"] = sent["doubtsSeen"]
    assert f'<option selected value="{sent["account"]}">' in page.text
    # What was ticked is about that account, not about another name or account.
    again = office.post("/bank", {**sent, "account": "new", "accountName": "A"})
    assert again.status_code == 422
    assert again.text.count('name="distinct"') == 2
    ticked = {**kept_of(again.text), "account": "new", "accountName": "A", "distinct": "3"}
    assert ticked["doubtsSeen"] == "A"
    assert office.post("/bank", ticked).status_code == 303
    shown = office.get("/bank?lang=en").text
    assert "1 new row" in shown
    assert "鈴木" in shown
    assert "山田 太郎" not in shown


def test_what_was_not_read_is_named(office: Browser) -> None:
    head = "日付,摘要,出金,入金,残高,ラベル\n"
    text = f"{head}2026/11/01,前月繰越,,,500,\n2026/11/02,振込,,7,507,家賃\n合計,,,7,,\n"
    page = checked(office, text.encode()).text
    assert "Columns that were not read:" in page
    assert "<b>ラベル</b> (家賃)" in page
    assert "Line 2 · No amount" in page
    assert "Line 4 · Total" in page
    assert "No payer was found" in page


def test_columns_nobody_knows_are_chosen_and_known_the_next_time(
    office: Browser, books: Books
) -> None:
    text = "口座 1\nいつ,だれ,いくら\n2026/11/02,モガミ テルミ,700\n"
    page = checked(office, text.encode())
    assert page.status_code == 422
    assert "2: いつ | だれ | いくら" in page.text
    titles = re.findall(r'name="columnTitle" value="([^"]*)"', page.text)
    assert titles == ["いつ", "だれ", "いくら"]
    sent = {
        **kept_of(page.text),
        "columnTitle": titles,
        "headLine": "2",
        "column-0": "day",
        "column-1": "payer",
        "column-2": "amount",
        "account": "new",
        "accountName": "A",
    }
    assert "1 new of 1" in office.post("/bank?lang=en", {**sent, "check": "y"}).text
    assert office.post("/bank", sent).status_code == 303
    again = checked(office, text.replace("11/02", "11/03").encode())
    assert "1 new of 1" in again.text
    assert 'option value="payer" selected' in again.text


def test_rows_of_years_ago_are_asked_about(office: Browser) -> None:
    page = checked(office, f"{HEAD}2016/11/02,振込 モガミ,,700\n".encode())
    assert "Dates more than a year ago" in page.text
    sent = {**kept_of(page.text), "account": "new", "accountName": "A"}
    assert office.post("/bank", sent).status_code == 422
    assert office.post("/bank", {**sent, "days": "y"}).status_code == 303


def test_accounts_that_were_one_are_merged_on_their_page(office: Browser, books: Books) -> None:
    moved = [Moved("サトウ ハナコ", 5_000, DAY), Moved("モガミ テルミ", 700, DAY)]

    def entries() -> Any:
        return books.ask(standings, [books.resident_id], books.clock.today())[books.resident_id]

    def paid() -> int:
        return sum(one.paid_yen for one in entries())

    def record() -> None:
        bill = next(one.id for one in entries() if one.open_yen > 5_000)
        with books.database.reading(books.house.workspace_id) as session:
            waits = (BankTransfer.state == TransferState.WAITING) & (BankTransfer.yen == 5_000)
            transfer = session.scalars(select(BankTransfer.id).where(waits)).one()
        books.do(place_on_bills, transfer, [(books.resident_id, bill)], learns=False)

    first = kept_of(checked(office, written("list", moved, random.Random(1))).text)
    office.post("/bank", {**first, "account": "new", "accountName": "A"})
    record()
    second = kept_of(checked(office, statement_file(moved)).text)
    assert office.post("/bank", {**second, "account": "new", "copy": "y"}).status_code == 303
    record()
    before = paid()
    page = office.get("/bank/accounts?lang=en").text
    own, other = re.findall(r"/bank/accounts/([0-9a-f]{32})", page)
    plan = office.get(f"/bank/accounts/{other}?into={own}&lang=en").text
    assert "Transfers in both accounts" in plan
    assert "Payments were recorded twice" in plan
    assert office.post(f"/bank/accounts/{other}/merge", {"into": other}).status_code == 422
    assert office.post(f"/bank/accounts/{other}/merge", {"into": own}).status_code == 303
    assert paid() == before - 5_000
    assert len(accounts(books)) == 1


def test_an_account_is_added_and_renamed_on_its_page(office: Browser, books: Books) -> None:
    assert office.post("/bank/accounts", {"name": ""}).status_code == 422
    numbers = {"bankCode": "9801", "branchCode": "012", "accountNumber": "7"}
    added = {"name": "Rent", "accountKind": "1", **numbers}
    assert office.post("/bank/accounts", added).status_code == 303
    (account,) = re.findall(r"/bank/accounts/([0-9a-f]{32})", office.get("/bank/accounts").text)
    assert office.post(f"/bank/accounts/{account}", {**added, "name": "Rents"}).status_code == 303
    changed = {**added, "accountNumber": "8"}
    assert office.post(f"/bank/accounts/{account}", changed).status_code == 422
    assert accounts(books) == [("Rents", "0000007")]
    assert office.get(f"/bank/accounts/{'0' * 32}").status_code == 404


def test_a_typed_payment_of_years_ago_is_asked_about_and_taken_by_a_tick(
    office: Browser, books: Books
) -> None:
    address = f"/reservations/{books.resident_id}/payments"
    page = office.get(f"{address}/new?lang=en").text
    (seen,) = re.findall(r'name="seen"[^>]*value="(\d+)"', page)
    sent = {"amountYen": "10", "receivedOn": "2016-11-02", "method": "cash", "seen": seen}
    refused = office.post(f"{address}?lang=en", sent)
    assert refused.status_code == 422
    assert "2016-11-02 is more than a year" in refused.text or "2 Nov 2016" in refused.text
    assert "The date is right" in refused.text
    assert office.post(address, {**sent, "dayIsMeant": "y"}).status_code == 303
