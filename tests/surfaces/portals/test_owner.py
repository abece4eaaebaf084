"""An owner sees their buildings, statements and work, and nothing of anybody else's."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta

import pytest
from flask import Flask
from sqlalchemy import event, select
from sqlalchemy.orm import Session

from pms.bank.mandates import set_owner_account
from pms.catalogue.buildings import name_building_owner
from pms.catalogue.models import Owner
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.charges import post_charge
from pms.ledger.payment_plan import record_payment
from pms.rules.enumerations import UserKind
from pms.statements.invoices import issue_invoice
from pms.statements.models import OwnerStatement
from pms.statements.owner_figures import OwnerFigures, Published, ShareHolder, stored_figures
from pms.statements.owner_publishing import publish_statement
from pms.upkeep.projects import WantedProject, open_project
from tests.bank.test_debits import account
from tests.cast import LONG_AGO, Cast, House, building
from tests.portals import open_portal_browser
from tests.staff import Browser
from tests.surfaces.portals.conftest import Post, Visitor

pytestmark = pytest.mark.differs("one journey through each surface")

ADDRESS = "yamamoto@example.jp"
OCTOBER, NOVEMBER = date(2026, 10, 1), date(2026, 11, 1)


@pytest.fixture
def october(database: Database, clock: FixedClock, cast: Cast) -> str:
    """Hanako paid 8,000 yen in October; the month is published at both workspaces."""
    return {house.slug: _published(database, clock, house) for house in (cast.minato, cast.sumida)}[
        cast.sumida.slug
    ]


def _published(database: Database, clock: FixedClock, house: House) -> str:
    there = clock.now()
    clock.advance(timedelta(days=-35))
    with database.writing(house.workspace_id) as session:
        entry_id = post_charge(
            Work(session, clock, "staff"),
            reservation_id=house.resident_id,
            amount_yen=8_000,
            label=Bilingual("鍵", "Key"),
        )
        issue_invoice(Work(session, clock, "staff"), entry_id)
        record_payment(
            Work(session, clock, "staff"), reservation_id=house.resident_id, amount_yen=8_000
        )
    clock.advance(there - clock.now())
    with database.writing(house.workspace_id) as session:
        return publish_statement(
            Work(session, clock, "staff"), building_id=house.building_id, month_on=OCTOBER
        ).id


OpenAs = Callable[[House, str], Browser]


@pytest.fixture
def open_as(app: Flask, clock: FixedClock) -> OpenAs:
    """Signs an address in to the owner portal of a workspace."""

    def opened(house: House, address: str) -> Browser:
        return open_portal_browser(
            app,
            clock,
            UserKind.OWNER,
            workspace_id=house.workspace_id,
            slug=house.slug,
            address=address,
        )

    return opened


@pytest.fixture
def owner(open_as: OpenAs, cast: Cast) -> Browser:
    """Yamamoto, signed in at Sumida."""
    return open_as(cast.sumida, ADDRESS)


def test_the_first_month_says_what_will_appear(owner: Browser) -> None:
    home = owner.get("/?lang=en").text
    assert "Your first statement appears here" in home
    assert "No statements yet" in owner.get("/statements?lang=en").text


def test_an_owner_reads_payout_statement_paper_and_file(
    owner: Browser, cast: Cast, october: str
) -> None:
    home = owner.get("/?lang=en").text
    assert "¥8,000" in home
    assert f"/statements/{october}" in home
    assert "October 2026" in owner.get("/statements?lang=en").text
    shown = owner.get(f"/statements/{october}?lang=en").text
    for word in ("Brought forward", "Total income", "Total deductions", "Closing", "Payout"):
        assert word in shown
    assert "2026-000001" in shown, "the invoice behind the income"
    assert "Show the figures" in shown, "the picture has its table"
    paper = owner.get(f"/statements/{october}/paper")
    assert (paper.mimetype, paper.data[:4]) == ("application/pdf", b"%PDF")
    rows = owner.get(f"/statements/{october}.csv")
    assert rows.mimetype == "text/csv"
    assert "8000" in rows.data.decode("utf-8-sig")
    for answer in (paper, rows, owner.get(f"/statements/{october}")):
        assert answer.headers["Cache-Control"] == "no-store"


def test_no_page_of_an_owner_tells_who_lives_there_or_a_code(
    owner: Browser, database: Database, clock: FixedClock, cast: Cast, october: str
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        wanted = WantedProject(title="屋上防水", building_id=house.building_id)
        open_project(Work(session, clock, "staff"), wanted=wanted)
    pages = {
        path: owner.get(path).text
        for path in (
            "/",
            "/statements",
            f"/statements/{october}",
            f"/buildings/{house.building_id}",
            "/profile",
        )
    }
    assert "屋上防水" in pages[f"/buildings/{house.building_id}"]
    for path, text in pages.items():
        for secret in ("佐藤", "Emma", "Wilson", house.resident_email, house.resident_id, "4729#"):
            assert secret not in text, (path, secret)
    assert owner.get(f"/statements/{october}.csv").text.find("佐藤") == -1


def test_nothing_of_another_owner_or_workspace_is_reached(
    owner: Browser, open_as: OpenAs, database: Database, cast: Cast, october: str
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        neighbour = Owner(name="隣 人", email="neighbour@example.jp", created_at=LONG_AGO)
        session.add(neighbour)
        session.flush()
        other = building(slug="other", name="隣の荘", owner_id=neighbour.id)
        session.add(other)
        session.flush()
        other_id = other.id
    assert owner.get(f"/buildings/{other_id}").status_code == 404
    assert "隣の荘" not in owner.get("/").text
    beside = open_as(house, "neighbour@example.jp")
    strange = open_as(cast.minato, ADDRESS)
    for path in (
        f"/statements/{october}",
        f"/statements/{october}/paper",
        f"/statements/{october}.csv",
        f"/statements/month?statement={october}",
        f"/buildings/{house.building_id}",
        "/statements/" + "0" * 32,
        "/buildings/x",
    ):
        assert beside.get(path).status_code == 404, path
        assert strange.get(path).status_code == 404, path
    assert owner.client.get(f"/owner/{cast.minato.slug}/statements/{october}").status_code == 303


def test_a_month_is_told_to_whoever_owned_the_building_on_its_last_day(
    open_as: OpenAs, database: Database, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        buyer = Owner(name="買 主", email="buyer@example.jp", created_at=clock.now())
        session.add(buyer)
        session.flush()
        name_building_owner(
            Work(session, clock, "staff"), building_id=house.building_id, owner_id=buyer.id
        )
    october = _published(database, clock, house)
    clock.advance(timedelta(days=15))
    with database.writing(house.workspace_id) as session:
        november = publish_statement(
            Work(session, clock, "staff"), building_id=house.building_id, month_on=NOVEMBER
        ).id
    seller_browser, buyer_browser = open_as(house, ADDRESS), open_as(house, "buyer@example.jp")
    for browser, name, own, other in (
        (seller_browser, "山本 茂", october, november),
        (buyer_browser, "買 主", november, october),
    ):
        listed = browser.get("/statements").text
        assert f"/statements/{own}" in listed
        assert f"/statements/{other}" not in listed
        assert name in browser.get(f"/statements/{own}").text, "made for who owned it then"
        for suffix in ("/paper", ".csv"):
            assert browser.get(f"/statements/{own}{suffix}").status_code == 200
        for suffix in ("", "/paper", ".csv"):
            assert browser.get(f"/statements/{other}{suffix}").status_code == 404
    assert buyer_browser.get(f"/buildings/{house.building_id}").status_code == 200
    assert seller_browser.get(f"/buildings/{house.building_id}").status_code == 404


def test_the_language_is_kept_and_other_sessions_end(
    owner: Browser, open_as: OpenAs, database: Database, cast: Cast
) -> None:
    elsewhere = open_as(cast.sumida, ADDRESS)
    assert elsewhere.get("/").status_code == 200
    assert owner.post("/profile", {"locale": "en"}).status_code == 303
    assert owner.post("/profile", {"locale": "fr"}).status_code == 422
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalars(select(Owner.locale)).all() == ["en"]
    assert owner.post("/profile/sessions").status_code == 303
    assert elsewhere.get("/").status_code == 303
    assert owner.get("/").status_code == 200


def test_an_unregistered_address_receives_no_code(
    owner_visitor: Visitor, post: Post, cast: Cast
) -> None:
    owner_visitor.asks("nobody@example.jp")
    owner_visitor.asks(cast.sumida.resident_email)
    assert post.mails() == []
    owner_visitor.asks("owner@sumida.example.jp")
    assert [mail.recipient for mail in post.mails()] == ["owner@sumida.example.jp"]


@contextmanager
def counted_queries(database: Database) -> Iterator[list[str]]:
    """Every statement the database is asked meanwhile."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    yield asked
    event.remove(database.engine, "before_cursor_execute", note)


def test_two_years_of_ten_buildings_ask_no_more_than_one_month_of_one(
    app: Flask, owner: Browser, database: Database, cast: Cast, october: str
) -> None:
    served: Database = app.extensions["pms.database"]

    def questions(path: str) -> int:
        owner.get(path)
        with counted_queries(served) as asked:
            assert owner.get(path).status_code == 200
        return len(asked)

    paths = ("/", "/statements", f"/statements/{october}")
    few = {path: questions(path) for path in paths}
    with database.writing(cast.sumida.workspace_id) as session:
        _two_years_of_ten(session, cast.sumida)
    # Earlier owners are asked for once a building has no agreed shares.
    few[paths[2]] += 2
    assert {path: questions(path) for path in paths} == few
    shown = owner.get("/statements?lang=en").text
    assert len(re.findall(r"/statements/[0-9a-f]{32}", shown)) == 24 * 10 + 1
    older = owner.get("/statements?lang=en&page=2").text
    assert "October 2024" not in shown
    assert "January 2024" in older


def test_one_of_several_owners_reads_their_own_account_beside_the_payout(
    owner: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        other = Owner(id=new_id(), name="山本 花", locale="ja", created_at=LONG_AGO)
        session.add(other)
        session.flush()
        work = Work(session, clock, "staff")
        for owner_id, number in ((house.owner_id, "1234567"), (other.id, "7654321")):
            set_owner_account(
                work,
                owner_id=owner_id,
                account=account(number=number),
                expected_version=0,
            )
        figures = OwnerFigures(OCTOBER, 0, (), (), 0, 9_000, 0, date(2026, 11, 15), "契約の口座")
        holders = tuple(
            ShareHolder(owner_id, 1, 2, name)
            for owner_id, name in ((house.owner_id, "山本 茂"), (other.id, "山本 花"))
        )
        published = Published("山本 茂・山本 花", "墨田荘", None, figures, holders)
        statement = OwnerStatement(
            id=new_id(),
            building_id=house.building_id,
            month_on=OCTOBER,
            version=1,
            figures=stored_figures(published),
            published_at=LONG_AGO,
            published_by="staff",
        )
        session.add(statement)
        session.flush()
        shared_month = statement.id
    shown = owner.get(f"/statements/{shared_month}?lang=en").text
    assert "1234567" in shown
    assert "7654321" not in shown and "契約の口座" not in shown


def _two_years_of_ten(session: Session, house: House) -> None:
    for number in range(10):
        row = building(slug=f"b{number}", name=f"第{number}荘", owner_id=house.owner_id)
        session.add(row)
        session.flush()
        for back in range(34):
            month_on = date(2026 - (back + 2) // 12, 12 - (back + 2) % 12, 1)
            figures = OwnerFigures(month_on, 0, (), (), 0, 1_000, 0, month_on, None)
            session.add(
                OwnerStatement(
                    building_id=row.id,
                    month_on=month_on,
                    version=1,
                    figures=stored_figures(Published("山本 茂", row.name, None, figures)),
                    published_at=LONG_AGO,
                    published_by="staff",
                )
            )
