"""The demo has leads with résumés, and suppliers' orders in every state."""

from collections import Counter

from sqlalchemy import select

from pms.channels.order_lists import OrderSearch, list_orders
from pms.demo.seed_demo import SeededWorkspace
from pms.enquiries.lead_lists import LeadSearch, list_leads
from pms.enquiries.models import Lead
from pms.foundation.database import Database
from pms.foundation.lists import Paging
from pms.rules.message_words import LeadState, OrderDoubt, OrderState

ALL = Paging(1, 100)


def test_leads_stand_in_every_state_and_their_files_are_resumes(
    database: Database, seeded: tuple[SeededWorkspace, ...]
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            found = list_leads(session, LeadSearch(states=tuple(LeadState)), ALL)
            kept = session.execute(select(Lead.resume_name, Lead.resume_key)).all()
        assert Counter(one.state for one in found.leads).keys() == set(LeadState)
        assert [one.name for one in found.leads if one.applied_before] == ["村瀬 航"]
        suffixes = {row.resume_name.rsplit(".")[-1] for row in kept if row.resume_key}
        assert suffixes == {"pdf", "docx"}


def test_orders_stand_in_every_state_and_wait_for_several_reasons(
    database: Database, seeded: tuple[SeededWorkspace, ...]
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            found = list_orders(session, OrderSearch(state=None), ALL)
        assert Counter(one.state for one in found.orders).keys() == set(OrderState)
        doubts = {one.doubt for one in found.orders if one.doubt}
        assert {OrderDoubt.NO_NUMBER, OrderDoubt.UNKNOWN_NUMBER, OrderDoubt.REPEATED} <= doubts
        assert all(one.key_name for one in found.orders)
