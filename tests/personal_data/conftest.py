"""Hanako Sato of Sumida with an account, a ticket, a bill and an application with a file."""

from dataclasses import dataclass

import pytest
from flask import Flask

from pms.bank.models import PayeeAccount
from pms.enquiries.models import Lead
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.ids import new_id
from pms.foundation.sealing import sealed_text
from pms.foundation.settings import Settings
from pms.inbox.models import Enquiry, Ticket, TicketMessage
from pms.reservations.models import Reservation
from pms.rules.enumerations import AccountKind, EnquirySource, EnquiryState, TicketSide
from pms.rules.message_words import LeadState
from tests.cast import Cast
from tests.staff import Browser, Staff, open_browser

EMAIL = "hanako@example.jp"
RESUME = b"%PDF-1.4 a resume"


@dataclass(frozen=True)
class Hanako:
    """The ids of Hanako's records."""

    workspace_id: str
    reservation_id: str
    enquiry_id: str
    lead_id: str
    resume_key: str

    @property
    def references(self) -> list[str]:
        return [
            f"reservation/{self.reservation_id}",
            f"enquiry/{self.enquiry_id}",
            f"lead/{self.lead_id}",
        ]


@pytest.fixture
def hanako(settings: Settings, database: Database, clock: FixedClock, cast: Cast) -> Hanako:
    house, now = cast.sumida, clock.now()
    key = Files(settings).put_alone(RESUME, "pdf")
    by = {"received_at": now, "received_by": "key/site", "changed_at": now, "changed_by": "staff"}
    who = {"name": "佐藤 花子", "email": EMAIL, "phone": "090-0000-0001", "locale": "ja"}
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        row.email, row.phone, row.note = EMAIL, "090-0000-0001", "夜勤あり"
        enquiry = Enquiry(
            id=new_id(),
            source=EnquirySource.WEBSITE,
            message="見学できますか。",
            state=EnquiryState.NEW,
            unit_id=house.free_room_id,
            **who,
            **by,
        )
        lead = Lead(
            id=new_id(), message="働きたいです。", state=LeadState.NEW, resume_key=key, **who, **by
        )
        ticket = Ticket(
            id=new_id(),
            reservation_id=row.id,
            subject="水漏れ",
            opened_at=now,
            opened_by="resident",
            last_message_at=now,
        )
        session.add_all([enquiry, lead, ticket])
        session.flush()
        session.add(
            TicketMessage(
                ticket_id=ticket.id,
                side=TicketSide.RESIDENT,
                text="台所です。",
                at=now,
                by="resident",
            )
        )
        session.add(
            PayeeAccount(
                reservation_id=row.id,
                bank_code="0001",
                bank_name="ミズホ",
                branch_code="001",
                branch_name="トウキヨウ",
                kind=AccountKind.ORDINARY,
                number=sealed_text(session, "7654321"),
                holder="サトウ ハナコ",
                written_at=now,
                written_by="staff",
            )
        )
        return Hanako(house.workspace_id, row.id, enquiry.id, lead.id, key)


@pytest.fixture
def operator_browser(app: Flask, clock: FixedClock, staff: Staff, cast: Cast) -> Browser:
    """Sumida's operator at the dashboard."""
    return open_browser(app, clock, staff.operator_id, cast.sumida.slug)
