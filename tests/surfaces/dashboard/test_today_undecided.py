"""Today names what came in and waits for a decision: reports, leads, orders, calls given up."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from pms.channels.orders import WrittenItem, WrittenOrder, receive_order
from pms.channels.sending import SENDING
from pms.checkouts.payment_pages import OPENING
from pms.enquiries.enquiry_answers import answer_lead
from pms.enquiries.leads import WrittenLead, move_lead, receive_lead
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.outbox import MOST_ATTEMPTS, OutboxMail, mark_failed
from pms.foundation.provider_calls import mark_call_failed, put_call
from pms.rules.message_words import LeadState
from tests.cast import Cast, House
from tests.staff import Browser
from tests.surfaces.dashboard.reservations.test_questions import asked
from tests.upkeep.works import Works

TITLES = (
    "Reports without a project",
    "Leads to answer",
    "Supplier orders to place",
    "Calls that failed",
)
MOST_QUESTIONS = 20
CARDS = ("reports", "leads", "orders", "calls")


class Post:
    """What comes in from outside to a house."""

    def __init__(self, database: Database, clock: FixedClock, house: House) -> None:
        self.database, self.clock, self.house = database, clock, house

    def lead(self, name: str = "応募 花") -> str:
        written = WrittenLead(name=name, email=f"{new_id()}@example.jp", message="働きたいです。")
        with self.database.writing(self.house.workspace_id) as session:
            return receive_lead(
                session, self.clock, "key/site", lead=written, resume=None, resume_key=None
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
            return receive_order(session, self.clock, "key/supplier", order=order).id

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


def test_without_anything_to_decide_no_card_is_shown(operator: Browser) -> None:
    shown = operator.get("/?lang=en").text
    assert not [title for title in TITLES if title in shown]
    for card in CARDS:
        assert not operator.block(f"/?card={card}").text.strip()


def test_each_thing_that_waits_is_led_to_the_oldest_first(
    operator: Browser, post: Post, works: Works, clock: FixedClock
) -> None:
    paths = [
        f"/requests/{works.report()}",
        f"/leads/{post.lead()}",
        f"/supplier-orders/{post.order()}",
        f"/integrations#call-{post.call()}",
    ]
    shown = operator.get("/?lang=en").text
    assert [title for title in TITLES if title in shown] == list(TITLES)
    assert not [path for path in paths if f'{path}"' not in shown]
    clock.advance(timedelta(minutes=5))
    later = [post.lead(f"応募 {number}") for number in range(6)]
    part = operator.block("/?card=leads&lang=en").text
    assert part.lstrip().startswith("<section")
    assert '<p class="due-count">7</p>' in part
    assert part.index(paths[1]) < part.index(later[0]), "who waits longest stands first"
    assert part.count('class="due-line"') == 5


def test_what_was_decided_waits_no_longer(
    operator: Browser, post: Post, works: Works, database: Database, clock: FixedClock
) -> None:
    works.fold(works.report())
    lead_id = post.lead()
    with database.writing(post.house.workspace_id) as session:
        move_lead(session, clock, "person/1", lead_id=lead_id, into=LeadState.IN_TALKS)
    operator.post(f"/supplier-orders/{post.order()}/aside", {"note": "二重"})
    operator.post(f"/provider-calls/{post.call()}")
    post.call(for_good=False)
    shown = operator.get("/?lang=en").text
    assert not [title for title in TITLES if title in shown]


def test_a_message_that_failed_is_told_by_its_conversation_and_old_calls_by_nobody(
    operator: Browser, post: Post, clock: FixedClock
) -> None:
    post.call(SENDING)
    assert "Calls that failed" not in operator.get("/?lang=en").text
    post.call()
    assert "Calls that failed" in operator.get("/?lang=en").text
    clock.advance(timedelta(days=15))
    assert "Calls that failed" not in operator.get("/?lang=en").text


def test_a_lead_whom_an_answer_did_not_reach_is_to_answer_again(
    operator: Browser, post: Post, database: Database, clock: FixedClock
) -> None:
    lead_id = post.lead()
    with database.writing(post.house.workspace_id) as session:
        answer_lead(session, clock, "person/1", lead_id=lead_id, text="ぜひお話を。", key=None)
    assert "Leads to answer" not in operator.get("/?lang=en").text
    clock.advance(timedelta(minutes=1))
    with database.writing(post.house.workspace_id) as session:
        mail = session.scalars(select(OutboxMail)).one()
        mail.attempts = MOST_ATTEMPTS
        mark_failed(mail, clock, "no such user")
    assert lead_id in operator.block("/?card=leads&lang=en").text


def test_only_who_opens_the_page_behind_a_card_sees_it(
    office: Browser, maintainer: Browser, post: Post, works: Works
) -> None:
    works.report(), post.lead(), post.order(), post.call()
    shown = office.get("/?lang=en").text
    assert [title for title in TITLES if title in shown] == list(TITLES[:3])
    assert "<html" in office.block("/?card=calls&lang=en").text, "an unknown card is the page"
    on_site = maintainer.get("/?lang=en").text
    assert not [title for title in TITLES if title in on_site]


def test_another_workspace_decides_its_own(
    operator: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    elsewhere = Post(database, clock, cast.minato)
    elsewhere.lead(), elsewhere.order(), elsewhere.call()
    Works(database, clock, cast.minato).report()
    shown = operator.get("/?lang=en").text
    assert not [title for title in TITLES if title in shown]


def test_today_asks_as_often_for_much_as_for_little(
    operator: Browser, post: Post, works: Works
) -> None:
    operator.get("/")
    with asked() as few:
        operator.get("/")
    for number in range(8):
        works.report(), post.lead(), post.order(f"A-{number}"), post.call()
    with asked() as many:
        operator.get("/")
    assert len(many) == len(few) <= MOST_QUESTIONS
