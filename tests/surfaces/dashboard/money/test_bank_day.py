"""The office reads a statement in, records what is certain by one button, and looks at the rest."""

import re
from datetime import date
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from sqlalchemy import select

from pms.bank import transfers, verdicts, whole_imports
from pms.bank.bank_day import match_all_anew
from pms.bank.models import BankTransfer
from pms.bank.payers import learn_payer
from pms.foundation.db import READ_ONLY
from pms.foundation.settings import Settings
from pms.jobs.bank_verdicts import renew_bank_verdicts
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools, do_asked_runs
from pms.ledger.queries import standings
from pms.reservations.models import Reservation
from tests.bank.statement_files import Moved, statement_file
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books

_DAY = date(2026, 11, 2)


def _send(browser: Browser, data: bytes, **text: str) -> str:
    answer = browser.post("/bank", {"file": (BytesIO(data), "statement.txt"), **text})
    assert answer.status_code in {303, 422}, answer.text
    return browser.get("/bank?lang=en").text if answer.status_code == 303 else answer.text


def _open_yen(books: Books) -> int:
    found = books.ask(standings, [books.resident_id], books.clock.today())
    return sum(one.open_yen for one in found[books.resident_id])


def _kana(books: Books) -> str:
    with books.database.reading(books.house.workspace_id) as session:
        return (
            session.get_one(Reservation, (books.house.workspace_id, books.resident_id)).name_kana
            or ""
        )


def _links(text: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"/bank/transfers/[0-9a-f]{32}(?=\")", text)))


def test_what_is_certain_is_recorded_by_one_button(office: Browser, books: Books) -> None:
    owed = _open_yen(books)
    shown = _send(office, statement_file([Moved(_kana(books), owed, _DAY)]))
    assert "Record 1 transfer" in shown
    assert office.post("/bank/certain").status_code == 303
    assert _open_yen(books) == 0
    again = office.get("/bank?lang=en").text
    assert "Record 1 transfer" not in again
    assert "Last recorded" in again


def test_what_is_not_matched_again_yet_is_told_and_neither_certain_nor_likely(
    office: Browser, books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    paid = [Moved(_kana(books), _open_yen(books), _DAY), Moved("カ）アオバ", 500, _DAY)]
    with monkeypatch.context() as long_list:
        long_list.setattr(verdicts, "MADE_AT_ONCE", 0)
        shown = _send(office, statement_file(paid))
        assert "2 transfers are being matched again" in shown
        assert "Record 1 transfer" not in shown
        assert not _links(shown)
        with books.database.reading(books.house.workspace_id) as session:
            transfer_id = session.scalars(select(BankTransfer.id)).first()
        opened = office.get(f"/bank/transfers/{transfer_id}?lang=en").text
        assert "This transfer is being matched again" in opened
        settings = books.database.settings
        tools = Tools(settings, books.database, books.clock, choose_postbox(settings))
        renew_bank_verdicts(tools)
        shown = office.get("/bank?lang=en").text
        assert "being matched again" not in shown
        assert "Record 1 transfer" in shown


def test_recording_matches_nobody_while_others_wait_to_write(
    office: Browser, books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    _send(office, statement_file([Moved(_kana(books)[:-1], _open_yen(books), _DAY)]))
    shown = office.get("/bank").text
    reading: list[bool] = []

    def match(session: Any, on: date) -> Any:
        reading.append(session.connection().get_execution_options().get(READ_ONLY, False))
        return match_all_anew(session, on)

    monkeypatch.setattr(verdicts, "match_all_anew", match)
    (offer,) = re.findall(r'name="offer" value="([^"]+)"', shown)
    answer = office.post(f"{_links(shown)[0]}/offer", {"offer": unescape(offer)})
    assert answer.status_code == 303, answer.text
    assert reading == [True], "matched once, before the transaction"


def test_a_long_list_is_recorded_by_a_run_that_shows_its_progress(
    office: Browser, books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfers, "PLACED_AT_ONCE", 0)
    _send(office, statement_file([Moved(_kana(books), _open_yen(books), _DAY)]))
    answer = office.post("/bank/certain")
    assert answer.status_code == 303
    assert "/runs/" in answer.headers["Location"]
    assert "Recording of certain transfers" in office.get("/runs?lang=en").text


def _run_of(browser: Browser, data: bytes) -> str:
    answer = browser.post("/bank", {"file": (BytesIO(data), "statement.txt")})
    (run,) = re.findall(r"/runs/[0-9a-f]{32}$", answer.headers["Location"])
    return str(run)


def test_a_long_file_is_imported_by_a_run_that_shows_its_progress(
    office: Browser, books: Books, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_imports, "LONG_FILE_BYTES", 0)
    data = statement_file([Moved(_kana(books), _open_yen(books), _DAY)])
    run = _run_of(office, data)
    assert "The rows appear under Bank matching" in office.get(f"{run}?lang=en").text
    worker = Tools(settings, books.database, books.clock, choose_postbox(settings))
    do_asked_runs(worker)
    assert "Open bank matching" in office.get(f"{run}?lang=en").text
    assert "Record 1 transfer" in office.get("/bank?lang=en").text
    record = 202 + 21
    faulty = data[:record] + b"3" + data[record + 1 :]
    for language, words in (("en", "Record 2, byte 22"), ("ja", "2件目のレコードの22バイト目")):
        sent = {"file": (BytesIO(faulty), "statement.txt")}
        refused = office.post(f"/bank?lang={language}", sent)
        assert (refused.status_code, words in refused.text) == (422, True)


def test_what_is_likely_is_recorded_as_it_is_offered(office: Browser, books: Books) -> None:
    owed = _open_yen(books)
    surname = _kana(books).split()[0]
    shown = _send(office, statement_file([Moved(f"{surname} テルミ", owed, _DAY)]))
    mark = unescape(re.findall(r'name="offer" value="([^"]+)"', shown)[0])
    (link,) = _links(shown)
    assert office.post(f"{link}/offer", {"offer": "another"}).status_code == 422
    assert _open_yen(books) == owed
    assert office.post(f"{link}/offer", {"offer": mark}).status_code == 303
    assert _open_yen(books) == 0
    record = office.get(f"{link}?lang=en").text
    assert "Undo the payment" in record
    assert office.post(f"{link}/off", {"reason": "twin"}).status_code == 303
    assert _open_yen(books) == owed


def test_what_is_unknown_is_placed_by_a_search_and_remembered(
    office: Browser, books: Books
) -> None:
    owed = _open_yen(books)
    shown = _send(office, statement_file([Moved("モガミ テルミ", 10_000, _DAY)]))
    (link,) = _links(shown)
    shown = office.get(f"{link}?lang=en").text
    assert "No open bill has this amount." in shown
    assert not _is_ticked(shown, "learns")
    found = office.get(f"{link}?q={_kana(books).split()[0]}&lang=en").text
    bill = unescape(re.findall(r'name="bill" value="([^"]+)"', found)[0])
    assert office.post(f"{link}/place", {"bill": bill, "learns": "y"}).status_code == 303
    assert _open_yen(books) == owed - 10_000
    more = [Moved("モガミ テルミ", owed - 10_000, date(2026, 11, 4))]
    assert "Record 1 transfer" in _send(office, statement_file(more, 10_000, first=7))


def _add_bill(office: Browser, link: str, sent: dict[str, Any]) -> str:
    shown = office.post(f"{link}/place", sent).location.partition(office.home)[2]
    return office.get(f"{shown}&lang=en").text


def _is_ticked(text: str, name: str) -> bool:
    (box,) = re.findall(rf'<input[^>]* id="{name}"[^>]*>', text)
    return " checked" in box


def test_bills_of_several_are_added_one_after_the_other(office: Browser, books: Books) -> None:
    owed = _open_yen(books)
    (link,) = _links(_send(office, statement_file([Moved("カ)アオバ", owed + 500, _DAY)])))
    searched = office.get(f"{link}?lang=en&q={_kana(books).split()[0]}").text
    bills = re.findall(r'name="bill" value="([^"]+)"', searched)
    one = _add_bill(office, link, {"add": bills[0], "q": "x", "learns": "y"})
    assert "Record for 1 bill" in one
    assert _is_ticked(one, "learns")
    both = _add_bill(office, link, {"bill": bills[0], "add": bills[1]})
    assert "Record for 2 bills" in both
    assert not _is_ticked(both, "learns")
    fewer = _add_bill(office, link, {"bill": bills[:2], "without": bills[1]})
    assert "Record for 1 bill" in fewer
    assert not _is_ticked(fewer, "learns")
    one = office.get(f"{link}?lang=en&bill={bills[0]}").text
    assert f'name="bill" value="{bills[0]}"' in one
    gone = office.get(f"{link}?lang=en&bill=x/y&bill=&bill={'0' * 32}/{'0' * 32}").text
    assert "Chosen bills" not in gone
    theirs = [bill for bill in bills if bill.startswith(books.resident_id)]
    answer = office.post(f"{link}/place", {"bill": theirs, "learns": "y"})
    assert answer.status_code == 303
    assert _open_yen(books) == 0
    assert office.post(f"{link}/place", {"bill": []}).status_code == 422


def test_a_search_for_bills_keeps_what_was_ticked_and_chosen(office: Browser, books: Books) -> None:
    (link,) = _links(_send(office, statement_file([Moved("カ)アオバ", _open_yen(books), _DAY)])))
    searched = office.get(f"{link}?q={_kana(books).split()[0]}").text
    bill = re.findall(r'name="add" value="([^"]+)"', searched)[0]
    sought = {"search": "y", "q": "nobody of that name"}
    found = _add_bill(office, link, sought)
    assert not _is_ticked(found, "learns")
    assert 'value="nobody of that name"' in found
    assert "No open bill under that name." in found
    found = _add_bill(office, link, {**sought, "bill": bill, "learns": "y"})
    assert _is_ticked(found, "learns")
    assert "Record for 1 bill" in found
    cleared = _add_bill(office, link, {**sought, "search": "all", "bill": bill})
    assert not _is_ticked(cleared, "learns")
    assert "nobody of that name" not in cleared
    assert "Record for 1 bill" in cleared


def test_a_transfer_is_kept_as_suspense_or_is_no_rent(office: Browser, books: Books) -> None:
    (link,) = _links(_send(office, statement_file([Moved("モガミ テルミ", 10_000, _DAY)])))
    assert office.post(f"{link}/state", {"state": "kept"}).status_code == 303
    assert "In suspense" in office.get("/bank?lang=en").text
    assert office.post(f"{link}/state", {"state": "not_ours"}).status_code == 303
    assert f'{link}"' not in office.get("/bank").text
    assert office.post(f"{link}/state", {"state": "sold"}).status_code == 422
    assert "Move back to unprocessed" in office.get(f"{link}?lang=en").text


def test_a_file_is_taken_out_again_until_something_rests_on_it(
    office: Browser, books: Books
) -> None:
    shown = _send(office, statement_file([Moved(_kana(books), _open_yen(books), _DAY)]))
    (undo,) = re.findall(r"/bank/imports/[0-9a-f]{32}/undo", shown)
    office.post("/bank/certain")
    assert office.post(undo).status_code == 422
    assert f'{undo}"' not in office.get("/bank").text


def test_everything_of_a_file_is_undone_by_one_button(office: Browser, books: Books) -> None:
    owed = _open_yen(books)
    shown = _send(office, statement_file([Moved(_kana(books), owed, _DAY)]))
    assert "Undo everything" not in shown
    office.post("/bank/certain")
    shown = office.get("/bank?lang=en").text
    assert "The payment of 1 recorded transfer is undone" in shown
    (undo_all,) = re.findall(r"/bank/imports/[0-9a-f]{32}/undo-all", shown)
    assert office.post(undo_all).status_code == 303
    assert _open_yen(books) == owed
    shown = office.get("/bank?lang=en").text
    assert "1 payment was reversed. 1 row was removed." in shown
    assert "Imported statements" not in shown


def test_today_tells_the_office_what_waits_and_leads_there(
    office: Browser, housekeeper: Browser, books: Books
) -> None:
    assert "Unmatched transfers" not in office.get("/?lang=en").text
    moved = [Moved("モガミ テルミ", 10_000, _DAY), Moved("シノダ マドカ", 500, _DAY)]
    kept, _ = _links(_send(office, statement_file(moved)))
    office.post(f"{kept}/state", {"state": "kept"})
    day = office.get("/?lang=en").text
    assert "Unmatched transfers" in day
    assert "Transfers in suspense" in day
    assert day.count("1 transfer<") == 2
    assert '/bank"' in day
    assert "Unmatched transfers" not in housekeeper.get("/?lang=en").text
    for link in _links(office.get("/bank?lang=en").text):
        office.post(f"{link}/state", {"state": "not_ours"})
    assert "transfer<" not in office.get("/?lang=en").text


def test_remembered_payers_are_listed_and_forgotten(office: Browser, books: Books) -> None:
    assert "There are no remembered payers." in office.get("/bank/payers?lang=en").text
    books.do(learn_payer, payer="カ）アオバ", reservation_id=books.resident_id)
    shown = office.get("/bank/payers?lang=en").text
    assert "カ）アオバ" in shown
    assert f"/reservations/{books.resident_id}/ledger" in shown
    (forget,) = re.findall(r"/bank/payers/[0-9a-f]{32}/forget", shown)
    assert office.post(forget).status_code == 303
    assert "カ）アオバ" not in office.get("/bank/payers").text
    assert office.post(forget).status_code == 404


def test_a_file_that_cannot_be_read_is_told_beside_its_field(office: Browser) -> None:
    data = statement_file([Moved("モガミ テルミ", 10_000, _DAY)])
    assert "131" in _send(office, data[: 202 + 131])
    assert "the file from the bank" in _send(office, b"")
    text = b"Tag,Wer,Betrag\n2026/10/01,A,100\n"
    assert office.post("/bank", {"file": (BytesIO(text), "a.csv")}).status_code == 422


def test_the_page_answers_a_housekeeper_nothing(housekeeper: Browser) -> None:
    assert housekeeper.get("/bank").status_code in {403, 404}
    assert housekeeper.get("/bank/payers").status_code in {403, 404}


def test_a_statement_is_looked_at_before_it_is_read_in(office: Browser, books: Books) -> None:
    data = statement_file([Moved(_kana(books), 5_000, _DAY), Moved("モガミ テルミ", 700, _DAY)])
    sent = {"file": (BytesIO(data), "october.txt"), "check": "y"}
    checked = office.post("/bank?lang=en", sent)
    assert checked.status_code == 200
    assert all(words in checked.text for words in ("2 new of 2", "¥5,700", "october.txt"))
    assert "Imported statements" not in office.get("/bank?lang=en").text
    (kept,) = re.findall(r'name="kept" value="([^"]+)"', checked.text)
    assert office.post("/bank", {"kept": kept, "keptName": "october.txt"}).status_code == 303
    assert "Imported statements" in office.get("/bank?lang=en").text
    # The file is kept no longer than until it was read in.
    assert office.post("/bank", {"kept": kept}).status_code == 422


def test_a_statement_that_cannot_be_read_is_told_at_the_look(office: Browser) -> None:
    sent = {"file": (BytesIO(b"hello"), "x.txt"), "check": "y"}
    assert office.post("/bank", sent).status_code == 422
    assert office.post("/bank", {"check": "y"}).status_code == 422


def test_each_part_of_a_long_day_has_pages_of_its_own(office: Browser) -> None:
    moved = [Moved("モガミ テルミ", 10_000 + number, _DAY) for number in range(30)]
    _send(office, statement_file(moved))
    first, second = (office.get(f"/bank?lang=en&unknown={page}").text for page in (1, 2))
    assert "1–25 of 30" in first
    assert len(_links(first)) == 25
    assert len(_links(second)) == 5
    assert not set(_links(first)) & set(_links(second))
    assert len(_links(office.get("/bank?unknown=99").text)) == 5
