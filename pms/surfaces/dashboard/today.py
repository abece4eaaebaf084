"""The first screen after signing in."""

from collections.abc import Callable, Collection, Mapping
from datetime import timedelta
from typing import Any, Final

from flask import Response, request

from pms.arrivals import days_work
from pms.availability import block_conflicts
from pms.channels import conversation_lists, events, undecided_items
from pms.channels.conversation_lists import InboxSearch
from pms.channels.inbox_reach import InboxReach
from pms.channels.undecided_items import Subject, Waiting
from pms.checkouts import lookups
from pms.contracts import outdated_papers
from pms.enquiries import viewing_records
from pms.foundation.run_records import Paging
from pms.foundation.runs import stopped_runs
from pms.ledger import debts
from pms.rules.enumerations import TicketSide
from pms.surfaces.dashboard.desk import clock, desk, may, reading, today
from pms.surfaces.dashboard.integrations import call_words
from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from pms.surfaces.hypermedia import is_part, page, page_or_block
from pms.upkeep import task_days, visits
from pms.upkeep.reach import Reach
from pms.workspaces import queries

_FEW: Final = 5
_MORE: Final = 8
_TOLD_OF: Final = timedelta(days=60)  # a dispute is over by then, one way or the other
_GIVEN_UP_FOR: Final = timedelta(days=14)  # by then it was done in another way, or nobody needs it
_TEMPLATE: Final = "dashboard/today/page.html"


def _own_work() -> Any:
    reach = Reach.of_staff(desk().role, desk().person_id)
    return task_days.open_tasks_of_today(reading(), reach, today(), _MORE)


def _waiting_people() -> Any:
    waiting = InboxSearch(awaits=TicketSide.STAFF)
    return conversation_lists.inbox_list(
        reading(), waiting, Paging(1, _FEW), InboxReach.everything()
    )


_ON_SITE: Final[Mapping[str, Callable[[], Any]]] = {
    "trips": lambda: visits.visits_of_day(reading(), desk().person_id, today()),
    "own_work": _own_work,
}
_OF_ALL: Final[Mapping[str, Callable[[], Any]]] = {
    "arrivals": lambda: days_work.arriving(reading(), today(), _FEW),
    "departures": lambda: days_work.leaving(reading(), today(), _FEW),
}
_OF_THE_OFFICE: Final[Mapping[str, Callable[[], Any]]] = {
    "people": _waiting_people,
    "viewings": lambda: viewing_records.viewings_of_day(reading(), today()),
    "notices": lambda: days_work.notices_filed(reading(), today(), _FEW),
    "arrears": lambda: debts.overdue(reading(), today()),
    "papers": lambda: outdated_papers.outdated_papers(reading(), _FEW),
    "settlements": lambda: days_work.to_settle(reading(), _FEW),
    "month_to_month": lambda: days_work.entering_month_to_month(
        reading(), today(), queries.policy(reading()), _FEW
    ),
    "work": lambda: task_days.neglected_tasks(reading(), today(), _FEW, desk().person_id),
    "runs": lambda: stopped_runs(reading()),
}
_BEHIND: Final[Mapping[Subject, str]] = {
    Subject.REPORTS: "requests",
    Subject.LEADS: "leads",
    Subject.ORDERS: "supplier_orders",
    Subject.CALLS: "integrations",
    Subject.TRANSFERS: "bank_day",
    Subject.SUSPENSE: "bank_day",
}


def _undecided(subjects: Collection[Subject]) -> Mapping[Subject, Waiting]:
    return undecided_items.undecided(reading(), subjects, clock().now() - _GIVEN_UP_FOR, _FEW)


@dashboard.get("/", roles=EVERYBODY, endpoint="today")
def show_today() -> Response:
    """Show the cards of this person's role, or the one asked for."""
    cards = {**_OF_ALL, **(_OF_THE_OFFICE if desk().is_office else _ON_SITE)}
    subjects = [one for one, screen in _BEHIND.items() if desk().is_office and may(screen)]
    asked = request.args.get("card", "")
    if is_part() and asked in subjects:
        only = _undecided([Subject(asked)])
        return page_or_block(_TEMPLATE, f"{asked}_card", waiting=only, call_words=call_words)
    if is_part() and asked in cards:
        return page_or_block(
            _TEMPLATE, f"{asked}_card", **{asked: cards[asked](), "today": today()}
        )
    return page(
        _TEMPLATE,
        today=today(),
        conflicts=len(block_conflicts.block_conflicts(reading(), today()))
        if desk().is_office
        else 0,
        disputes=lookups.disputed_since(reading(), clock().now() - _TOLD_OF)
        if desk().is_office
        else (),
        waiting=_undecided(subjects),
        call_words=call_words,
        unplaced=events.count_of_open_events(reading()) if may("integrations") else 0,
        **{name: ask() for name, ask in cards.items()},
    )
