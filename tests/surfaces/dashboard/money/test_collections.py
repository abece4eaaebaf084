"""The office sees what was collected by card and at stores, and ends a choice for a resident."""

import pytest
from sqlalchemy import select

from pms.collections import choices
from pms.collections.choices import choice_of, collection_terms
from pms.collections.models import Collection
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.ledger.queries import standings
from pms.rules.bill_collection import CollectionTerms
from pms.rules.enumerations import CollectionState, IntegrationKind
from pms.workspaces.integrations import set_integration
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.dashboard.bank_records import failed_collection
from tests.surfaces.dashboard.money.conftest import Books

TERMS = {
    "version": "0",
    "offersCards": "y",
    "attempts": "2",
    "retryDays": "4",
    "noticeDays": "5",
    "storeDays": "7",
}


def test_an_operator_decides_what_is_offered(
    operator: Browser, cast: Cast, database: Database
) -> None:
    saved = operator.post("/bank/collections/terms", TERMS)
    assert saved.status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        assert collection_terms(session) == (CollectionTerms(True, False, 2, 4, 5, 7), 1)
    stale = operator.post("/bank/collections/terms", TERMS)
    assert stale.status_code == 422, "somebody else wrote it meanwhile"
    out = operator.post("/bank/collections/terms", {**TERMS, "version": "1", "attempts": "9"})
    assert out.status_code == 422


@pytest.mark.parametrize("path", ["/bank/collections", "/bank/collections/choices"])
def test_the_office_sees_the_lists(office: Browser, path: str) -> None:
    assert office.get(path).status_code == 200


@pytest.fixture
def failed_id(cast: Cast, database: Database, clock: FixedClock, books: Books) -> str:
    """A card of Hanako Sato's that was declined for the first open bill."""
    bills = books.ask(standings, [books.resident_id], clock.today())[books.resident_id]
    open_bill = next(one for one in bills if one.open_yen > 0)
    with database.writing(cast.sumida.workspace_id) as session:
        return failed_collection(session, clock, books.resident_id, open_bill.id)


def test_a_failed_collection_stands_on_today_with_its_act(office: Browser, failed_id: str) -> None:
    again = f"/bank/collections/{failed_id}/again"
    assert f"{again}?back=today" in office.get("/?lang=en").text
    shown = office.get("/bank/collections?lang=en").text
    assert "The card was declined." in shown
    assert again in shown
    assert office.post(f"/bank/collections/{failed_id}/give-up", {}).status_code == 422
    asked = office.post(f"{again}?back=today", {})
    assert (asked.status_code, asked.headers["Location"].rstrip("/").endswith("/sumida")) == (
        303,
        True,
    )
    assert again not in office.get("/?lang=en").text
    assert office.post(again, {}).status_code == 422


def test_a_collection_of_another_amount_says_what_to_do(
    office: Browser, cast: Cast, database: Database, failed_id: str
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        row = session.scalars(select(Collection).where(Collection.id == failed_id)).one()
        row.state, row.ended_at, row.intent = CollectionState.ASKED, None, "pi_1"
        row.failure = "amount: 1 were paid instead of the 1000 requested."
    shown = office.get("/bank/collections?lang=en").text
    assert "¥1 was paid instead of the ¥1,000 requested." in shown
    assert "so nothing was recorded" in shown
    assert "No payment received" not in shown
    assert "請求額¥1,000に対し、支払額は¥1です。" in office.get("/bank/collections?lang=ja").text
    on_today = office.get("/?lang=en").text
    assert "Another amount" in on_today
    assert f"/bank/collections/{failed_id}/again" not in on_today
    ended = office.post(f"/bank/collections/{failed_id}/give-up", {})
    assert ended.status_code == 303
    assert "so nothing was recorded" not in office.get("/bank/collections?lang=en").text


def test_the_office_ends_a_choice(
    office: Browser, cast: Cast, database: Database, clock: FixedClock
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        work = Work(session, clock, "resident")
        set_integration(
            work,
            Signer("a key"),
            kind=IntegrationKind.PAYMENTS,
            address="https://api.pay.example.com",
            account=None,
            secret="sk_test_12345678",
        )
        choices.write_terms(work, CollectionTerms(offers_stores=True), expected_version=0)
        choices.choose_stores(work, reservation_id=house.resident_id)
    assert office.get("/bank/collections/choices").text.count("row-link") == 1
    ended = office.post(f"/bank/collections/choices/{house.resident_id}/end", {})
    assert ended.status_code == 303
    with database.reading(house.workspace_id) as session:
        assert choice_of(session, house.resident_id) is None
    again = office.post(f"/bank/collections/choices/{house.resident_id}/end", {})
    assert again.status_code == 422
