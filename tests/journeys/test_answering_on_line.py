"""Journey: a message arrives on LINE, the office answers with a template, what failed goes again."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from pms.channels.answers import write_reply_template
from pms.channels.event_effects import take_line_event
from pms.channels.models import InboundEvent
from pms.channels.sending_results import note_not_sent
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.outbox import ProviderCall
from pms.foundation.work import Work
from pms.inbox.models import Conversation, GuestMessage
from pms.providers.line import split_line
from pms.rules.enumerations import IntegrationKind, TicketSide
from pms.rules.message_words import InboundState, MessageState, WebhookSource
from pms.workspaces.models import Integration
from tests.cast import Cast, House
from tests.journeys.conftest import Desk, signed_in_on_a_phone
from tests.journeys.hands import MOUSE, Hand, walked_by
from tests.surfaces.manual.browser import BrowserOfTests

MOST_PRESSES = 5
GUEST = "U4af4980629ffffffffffffffffffffffff"
REFUSED = "The person blocked the account."


@pytest.fixture
def house(cast: Cast) -> House:
    """Sumida's."""
    return cast.sumida


@pytest.fixture
def arrived(desk: Desk, database: Database, clock: FixedClock, house: House) -> None:
    """Somebody asks on LINE, and there is a template that answers it."""
    body = {
        "destination": "U1",
        "events": [
            {
                "type": "message",
                "mode": "active",
                "timestamp": int(clock.now().timestamp() * 1000),
                "webhookEventId": "01ARRIVED",
                "deliveryContext": {"isRedelivery": False},
                "replyToken": "r",
                "source": {"type": "user", "userId": GUEST},
                "message": {"id": "1", "type": "text", "text": "ゴミの日はいつですか。"},
            }
        ],
    }
    with database.writing(house.workspace_id) as session:
        session.add(
            Integration(
                id=new_id(),
                kind=IntegrationKind.LINE,
                address="https://line.example",
                sealed_secret="",
                hint="",
                set_at=clock.now(),
                set_by="staff",
            )
        )
        for row in split_line(body):
            event = InboundEvent(
                id=new_id(),
                source=WebhookSource.LINE,
                event_key=row.key,
                kind=row.kind,
                body=row.body,
                occurred_at=row.occurred_at,
                received_at=clock.now(),
                state=InboundState.WAITING,
            )
            session.add(event)
            session.flush()
            take_line_event(session, clock, event)
        write_reply_template(
            Work(session, clock, "staff"),
            template_id=None,
            name="ゴミの出し方",
            text_ja="収集日は火曜日と金曜日です。{{operator}}",
            text_en="",
        )


@pytest.fixture
def office(
    browser_of_tests: BrowserOfTests, desk: Desk, clock: FixedClock, way: str
) -> Iterator[Hand]:
    """Sumida's office worker with a phone in the hand."""
    yield from signed_in_on_a_phone(browser_of_tests, desk, clock, way, desk.staff.office_id)


@pytest.mark.usefixtures("arrived")
@walked_by(MOUSE)
def test_a_message_on_line_is_answered_with_a_template(
    office: Hand, database: Database, house: House
) -> None:
    page = office.page
    office.opens("/inbox")
    with database.reading(house.workspace_id) as session:
        name = session.scalars(select(Conversation.name)).one()
    office.presses_on(office.link(name))
    expect(page.locator("#messages")).to_contain_text("ゴミの日はいつですか。")
    page.locator("select[name=templateId]").select_option(label="ゴミの出し方")
    office.presses_on(office.button("Insert into reply"))
    expect(page.locator("textarea[name=text]")).to_have_value(
        "収集日は火曜日と金曜日です。隅田シェアハウス"
    )
    office.presses_on(office.button("Send"))
    expect(page.locator("#messages")).to_contain_text("Being sent")
    office.takes_at_most(MOST_PRESSES)
    with database.reading(house.workspace_id) as session:
        sent = session.scalars(
            select(GuestMessage).where(GuestMessage.side == TicketSide.STAFF)
        ).one()
        call = session.scalars(select(ProviderCall).where(ProviderCall.subject_id == sent.id)).one()
        assert sent.state == MessageState.WAITING
        assert call.done_at is None
    with database.writing(house.workspace_id) as session:
        note_not_sent(session, message_id=sent.id, failure=REFUSED)
    office.opens("/inbox")
    expect(page.locator("#results")).to_contain_text("Not delivered")
    office.presses_on(office.link(name))
    expect(page.locator("#messages")).to_contain_text(REFUSED)
    office.presses_on(office.button("Send again"))
    expect(page.locator("#messages")).to_contain_text("Being sent")
