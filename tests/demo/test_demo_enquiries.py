"""The demo's enquiries: every state, two who asked before, viewings and a waitlist that match."""

from collections import Counter
from datetime import date, timedelta

from pms.demo.seed_demo import SeededWorkspace
from pms.enquiries.enquiry_lists import EnquirySearch, list_enquiries
from pms.enquiries.viewing_lists import ViewingSpan, openings, viewings_between
from pms.enquiries.waitlist import OPEN, waitlist
from pms.foundation.database import Database
from pms.foundation.lists import Paging
from pms.rules.enumerations import EnquiryState, ViewingStatus


def test_each_workspace_shows_every_state_of_an_enquiry_and_two_who_asked_before(
    database: Database, seeded: tuple[SeededWorkspace, ...]
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            search = EnquirySearch(states=tuple(EnquiryState))
            found = list_enquiries(session, search, Paging(1, 50))
        assert found.total == 20
        assert Counter(one.state for one in found.enquiries).keys() == set(EnquiryState)
        repeated = [one for one in found.enquiries if one.duplicate_of_id]
        emails = {one.id: one.email for one in found.enquiries}
        assert len(repeated) == 2
        assert all(emails[str(one.duplicate_of_id)] == one.email for one in repeated)


def test_something_is_shown_this_week_and_next_and_somebody_waits_for_what_may_become_free(
    database: Database, seeded: tuple[SeededWorkspace, ...], today: date
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            coming = viewings_between(
                session, ViewingSpan(today, today + timedelta(days=13)), Paging(1, 50)
            )
            people = waitlist(session, OPEN, Paging(1, 50)).people
            free = openings(session, today)
        planned = [one for one in coming if one.status == ViewingStatus.SCHEDULED]
        assert {one.on - today >= timedelta(days=7) for one in planned} == {True, False}
        assert any(one.enquiry_id for one in planned)
        suiting = [one for person in people for one in free if person.suits(one)]
        assert {one.is_confirmed for one in suiting} == {True, False}
