"""The page of a reservation says what comes next, does it in one act, and asks little for it."""

import pytest
from sqlalchemy import select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements

MOST_STATEMENTS = 26
TABS = (
    "",
    "/dates",
    "/price",
    "/ledger",
    "/deposit",
    "/documents",
    "/people",
    "/messages",
    "/departure",
    "/history",
)


def mails(database: Database, cast: Cast) -> list[OutboxMail]:
    with database.reading(cast.sumida.workspace_id) as session:
        return list(session.scalars(select(OutboxMail).order_by(OutboxMail.id)))


def test_the_page_before_sending_names_only_what_will_leave(
    office: Browser, booked_id: str
) -> None:
    page = f"/reservations/{booked_id}"
    both = office.get(f"{page}/papers?lang=en").text
    assert "An email with the link to sign, and one with the invoice as a PDF." in both
    assert "Choose another template" in both
    for state in ("sent", "signed"):
        assert office.post(f"{page}/signature", {"esignStatus": state}).status_code == 303
    signed = office.get(f"{page}/papers?lang=en").text
    assert "An email with the invoice as a PDF." in signed
    assert "link to sign" not in signed
    assert "Choose another template" not in signed


def test_contract_and_invoice_leave_in_one_act_and_only_once(
    office: Browser, database: Database, cast: Cast, booked_id: str
) -> None:
    page = f"/reservations/{booked_id}"
    assert f'href="{office.home}{page}/papers"' in office.get(f"{page}?lang=en").text
    check = office.get(f"{page}/papers?lang=en").text
    for text in (
        "sho@example.jp",
        "new document from the standard template",
        "Send contract and invoice",
    ):
        assert text in check, text
    assert office.post(f"{page}/papers", {}).status_code == 303
    sent = mails(database, cast)
    assert [mail.recipient for mail in sent] == ["sho@example.jp"] * 2
    assert [len(mail.attachments or ()) for mail in sent] == [0, 1]
    assert "sign and pay" in office.get(f"{page}?lang=en").text
    again = office.post(f"{page}/papers", {})
    assert again.status_code == 422
    assert "already sent)" in again.text
    assert len(mails(database, cast)) == 2


def test_without_an_address_nothing_leaves_and_the_page_says_why(
    office: Browser, database: Database, cast: Cast, booked_id: str
) -> None:
    page = f"/reservations/{booked_id}"
    typed = {"name": "高橋 翔", "nameKana": "", "email": "", "phone": "", "locale": "ja"}
    version = (
        office.get(f"{page}/people").text.partition('name="version" value="')[2].partition('"')[0]
    )
    office.post(f"{page}/contact", {**typed, "version": version})
    assert "No email address: hand over" in office.get(f"{page}?lang=en").text
    refused = office.post(f"{page}/papers", {})
    assert refused.status_code == 422
    assert mails(database, cast) == []


def test_an_invoice_that_changed_after_it_was_sent_is_named(
    office: Browser, database: Database, cast: Cast, clock: FixedClock, booked_id: str
) -> None:
    page = f"/reservations/{booked_id}"
    office.post(f"{page}/papers", {})
    assert "changed after it was sent" not in office.get(page).text
    dates = {"overrideContractEndDate": "2026-12-28", "version": "2"}
    shown = office.get(f"{page}/dates").text
    dates["version"] = shown.partition('name="version" value="')[2].partition('"')[0]
    assert office.post(f"{page}/dates", dates).status_code == 303
    text = office.get(f"{page}?lang=en").text
    assert "no longer matches the current terms" in text
    assert "changed after it was sent" in text
    assert "Send contract and invoice" in text
    assert office.post(f"{page}/papers", {}).status_code == 303
    assert "no longer matches the current terms" not in office.get(f"{page}?lang=en").text


@pytest.mark.parametrize("tab", TABS)
def test_a_tab_asks_at_most_so_many_questions(
    office: Browser, cast: Cast, booked_id: str, tab: str
) -> None:
    for reservation_id in (booked_id, cast.sumida.resident_id):
        path = f"/reservations/{reservation_id}{tab}"
        assert office.get(path).status_code == 200
        with statements() as sent:
            assert office.get(path).status_code == 200
        # PostgreSQL is given the workspace by a statement of its own.
        asked = [one for one in sent if "set_config" not in one]
        assert len(asked) <= MOST_STATEMENTS, path
