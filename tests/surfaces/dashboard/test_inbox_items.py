"""The inbox holds everything that came in and waits, of every kind, and says how much in the menu."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from pms.channels.orders import WrittenItem, WrittenOrder, receive_order
from pms.channels.sending import SENDING
from pms.checkouts.payment_pages import OPENING
from pms.enquiries.enquiry_answers import answer_lead
from pms.enquiries.leads import move_lead
from pms.enquiries.received_leads import WrittenLead, receive_lead
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.outbox import (
    MOST_ATTEMPTS,
    OutboxMail,
    ProviderCall,
    mark_call_failed,
    mark_failed,
    mark_sent,
    put_call,
    put_mail,
)
from pms.foundation.work import Work
from pms.rules.message_words import LeadState
from tests.cast import Cast, House
from tests.staff import Browser
from tests.surfaces.dashboard.conversation_records import begun, said
from tests.surfaces.dashboard.reservations.test_questions import asked
from tests.upkeep.works import Works

MOST_QUESTIONS = 14


class Post:
    """What comes in from outside to a house."""

    def __init__(self, database: Database, clock: FixedClock, house: House) -> None:
        self.database, self.clock, self.house = database, clock, house

    def lead(self, name: str = "応募 花") -> str:
        written = WrittenLead(name=name, email=f"{new_id()}@example.jp", message="働きたいです。")
        with self.database.writing(self.house.workspace_id) as session:
            return receive_lead(
                Work(session, self.clock, "key/site"), lead=written, resume=None, resume_key=None
            )

    def order(self, number: str = "A-1001") -> str:
        item = WrittenItem(description="給湯器", quantity=1, unit_price_yen=49_000)
        order = WrittenOrder(
            supplier="墨田建材",
            order_number=number,
            ordered_on=self.clock.today(),
            items=(item,),
            total_yen=item.yen,
        )
        with self.database.writing(self.house.workspace_id) as session:
            return receive_order(Work(session, self.clock, "key/supplier"), order=order).id

    def mail(self, recipient: str = "lost@example.jp", *, fails: bool = True) -> str:
        with self.database.writing(self.house.workspace_id) as session:
            mail = put_mail(
                session, self.clock, recipient=recipient, subject="ご請求書", text="本文"
            )
            session.flush()
            if fails:
                mail.attempts = MOST_ATTEMPTS
                mark_failed(mail, self.clock, "no such user")
            else:
                mark_sent(mail, self.clock)
            return mail.id

    def message(self, name: str = "Emma") -> str:
        with self.database.writing(self.house.workspace_id) as session:
            row = begun(session, self.clock, name=name, handle=new_id())
            said(session, self.clock, row, "チェックインは何時ですか。")
            return row.id

    def call(self, kind: str = OPENING, *, for_good: bool = True) -> str:
        with self.database.writing(self.house.workspace_id) as session:
            call = put_call(session, self.clock, kind=kind, subject_id=new_id())
            session.flush()
            mark_call_failed(call, self.clock, "too slow", for_good=for_good)
            return call.id


@pytest.fixture
def post(database: Database, clock: FixedClock, cast: Cast) -> Post:
    """What comes in to Sumida."""
    return Post(database, clock, cast.sumida)


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Sumida's house."""
    return Works(database, clock, cast.sumida)


def kinds_of(browser: Browser) -> dict[str, str]:
    """Return the kinds that the inbox offers, with their counts."""
    shown = browser.get("/inbox?lang=en").text
    return dict(re.findall(r'<a href="[^"]*/inbox[^"]*"[^>]*>([^<]+?) <b>(\d+)</b></a>', shown))


def test_every_kind_is_a_filter_with_its_count(operator: Browser, post: Post, works: Works) -> None:
    paths = {
        "messages": f"/inbox/{post.message()}",
        "reports": f"/requests/{works.report()}",
        "applications": f"/leads/{post.lead()}",
        "orders": f"/supplier-orders/{post.order()}",
        "failed": f"/integrations#call-{post.call()}",
    }
    post.mail()
    assert kinds_of(operator) == {
        "All": "6",
        "Messages": "1",
        "Problem reports": "1",
        "Job applications": "1",
        "Supplier orders": "1",
        "Not delivered": "2",
    }
    everything = operator.get("/inbox?lang=en").text
    for kind, path in paths.items():
        alone = operator.get(f"/inbox?kind={kind}&lang=en").text
        assert f'{path}"' in everything
        assert f'{path}"' in alone
        others = [other for name, other in paths.items() if name != kind]
        assert not [other for other in others if f'{other}"' in alone], kind


def test_the_menu_says_how_much_waits_on_every_page(operator: Browser, post: Post) -> None:
    assert "waiting-count" not in operator.get("/units").text
    post.lead(), post.order()
    shown = operator.get("/units?lang=en").text
    assert 'aria-label="Inbox: 2 waiting"' in shown


def test_the_menu_counts_no_further_than_it_shows(operator: Browser, post: Post) -> None:
    for _ in range(101):
        post.lead()
    shown = operator.get("/units?lang=en").text
    assert 'aria-label="Inbox: more than 99 waiting"' in shown
    assert kinds_of(operator)["All"] == "101"


def test_who_waits_longest_stands_first(operator: Browser, post: Post, clock: FixedClock) -> None:
    first = post.lead()
    clock.advance(timedelta(minutes=5))
    second = post.order()
    shown = operator.get("/inbox").text
    assert shown.index(first) < shown.index(second)


def test_an_older_address_of_the_conversations_leads_to_them(office: Browser) -> None:
    answer = office.get("/inbox?awaits=staff&channel=line")
    assert answer.status_code == 302
    assert answer.location.endswith("/conversations?awaits=staff&channel=line")


def test_what_was_decided_waits_no_longer(
    operator: Browser, post: Post, works: Works, database: Database, clock: FixedClock
) -> None:
    works.fold(works.report())
    lead_id = post.lead()
    with database.writing(post.house.workspace_id) as session:
        move_lead(Work(session, clock, "person/1"), lead_id=lead_id, into=LeadState.IN_TALKS)
    operator.post(f"/supplier-orders/{post.order()}/aside", {"note": "二重"})
    operator.post(f"/provider-calls/{post.call()}")
    post.call(for_good=False)
    assert kinds_of(operator) == {"All": "0"}


def test_a_failed_mail_waits_until_another_reached_its_reader(
    operator: Browser, post: Post, clock: FixedClock
) -> None:
    post.mail()
    assert "lost@example.jp" in operator.get("/inbox?kind=failed").text
    clock.advance(timedelta(minutes=5))
    post.mail(fails=False)
    assert "lost@example.jp" not in operator.get("/inbox?kind=failed").text


def test_what_failed_long_ago_is_over_and_messages_are_told_by_their_conversation(
    operator: Browser, post: Post, database: Database, clock: FixedClock
) -> None:
    post.call(SENDING)
    assert kinds_of(operator) == {"All": "0"}
    post.call(), post.mail()
    assert kinds_of(operator)["Not delivered"] == "2"
    with database.writing(post.house.workspace_id) as session:
        long_ago = clock.now() - timedelta(days=15)
        session.execute(update(ProviderCall).values(given_up_at=long_ago))
        session.execute(update(OutboxMail).values(given_up_at=long_ago))
    assert kinds_of(operator) == {"All": "0"}


def test_an_applicant_whom_an_answer_did_not_reach_waits_again_and_once(
    operator: Browser, post: Post, database: Database, clock: FixedClock
) -> None:
    lead_id = post.lead()
    with database.writing(post.house.workspace_id) as session:
        answer_lead(
            Work(session, clock, "person/1"), lead_id=lead_id, text="ぜひお話を。", key=None
        )
    assert lead_id not in operator.get("/inbox").text
    clock.advance(timedelta(minutes=1))
    with database.writing(post.house.workspace_id) as session:
        mail = session.scalars(select(OutboxMail)).one()
        mail.attempts = MOST_ATTEMPTS
        mark_failed(mail, clock, "no such user")
    assert kinds_of(operator) == {"All": "1", "Job applications": "1"}


def test_each_role_meets_only_what_its_pages_show(
    office: Browser, maintainer: Browser, housekeeper: Browser, post: Post, works: Works
) -> None:
    works.report(), post.lead(), post.order(), post.call(), post.message()
    assert set(kinds_of(office)) == {
        "All",
        "Messages",
        "Problem reports",
        "Job applications",
        "Supplier orders",
    }
    assert set(kinds_of(maintainer)) == {"All", "Problem reports", "Supplier orders"}
    assert housekeeper.get("/inbox").status_code == 403
    assert "waiting-count" not in housekeeper.get("/").text


def test_another_workspace_decides_its_own(
    operator: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    elsewhere = Post(database, clock, cast.minato)
    elsewhere.lead(), elsewhere.order(), elsewhere.call(), elsewhere.mail(), elsewhere.message()
    Works(database, clock, cast.minato).report()
    assert kinds_of(operator) == {"All": "0"}


def test_the_inbox_asks_as_often_for_much_as_for_little(
    operator: Browser, post: Post, works: Works
) -> None:
    works.report(), post.lead()
    operator.get("/inbox")
    with asked() as few:
        operator.get("/inbox")
    for number in range(8):
        works.report(), post.lead(), post.order(f"A-{number}"), post.call(), post.message()
    with asked() as many:
        operator.get("/inbox")
    assert len(many) == len(few) <= MOST_QUESTIONS
