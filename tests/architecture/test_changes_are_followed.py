"""Who changes a stay, its terms or what somebody said calls what goes along with it."""

from collections.abc import Iterator

import pytest

from pms.reservations.models import OCCUPANCY_COLUMNS
from tests.architecture.followed_changes import EVERY, Rule, forgetful, silent_ends, writers
from tests.architecture.noted_events import Program
from tests.architecture.source_tree import Source, listed, python_sources

STAY = "pms.reservations.models.Reservation"
CLEANINGS = Rule(
    "pms.upkeep.turnovers.tend_turnovers",
    {STAY: frozenset((*OCCUPANCY_COLUMNS, "unit_id", "cancelled_at"))},
    {
        "pms.arrivals.contacts.change_contact": "a contact holds no nights",
        "pms.contracts.people_changes.remove_party": "a guarantor holds no nights",
        "pms.offers.applications.name_party_of_offer": "an applicant's guarantor holds no nights",
        "pms.arrivals.takeover.already_here.compare_with_workspace": "it looks up and writes nothing",
    },
)
PAPERS = Rule(
    "pms.contracts.outdated_papers.mark_outdated",
    {
        STAY: frozenset(
            {"unit_id", "name", "reservation_fee_yen", "deposit_yen"}
            | {"move_in_date", "override_move_in_date"}
            | {"contract_end_date", "override_contract_end_date"}
        ),
        "pms.reservations.models.CoOccupant": EVERY,
        "pms.pricing.models.PricePeriod": EVERY,
        "pms.pricing.models.FrozenDiscount": EVERY,
        "pms.contracts.models.Guarantor": EVERY,
    },
    {
        "pms.arrivals.bookings.write_booking": "a new stay has no document yet",
        "pms.contracts.contract_facts.sample_facts": "a sample is of no stay",
        "pms.arrivals.takeover.running.run_take_over": "it adds stays and changes none",
        "pms.arrivals.takeover.already_here.compare_with_workspace": "it looks up and writes nothing",
        "pms.personal_data.forgetting.forget_record": "a name goes after every paper that has it",
    },
)
LEFT_BEHIND = Rule(
    "pms.contracts.outdated_papers.close_left_behind",
    {STAY: frozenset({"lifecycle"})},
    {},
    value="TRANSFERRED",
)
TICKETS = Rule(
    "pms.inbox.people.follow_tickets",
    {
        "pms.inbox.models.Ticket": frozenset({"state", "awaits"}),
        "pms.inbox.models.TicketMessage": EVERY,
    },
    {},
)
ENQUIRIES = Rule(
    "pms.inbox.people.follow_enquiries",
    {
        "pms.inbox.models.Enquiry": frozenset({"state", "name", "email", "message"}),
        "pms.inbox.models.EnquiryNote": EVERY,
    },
    {},
)
RULES = [CLEANINGS, PAPERS, LEFT_BEHIND, TICKETS, ENQUIRIES]
BY_THE_DAY = {"pms.upkeep.turnovers.heal_turnovers"}
"""They call it without a change of their own, to find what was missed."""


@pytest.fixture(scope="module")
def program() -> Program:
    # Surfaces write by the verbs of the rooms alone, and the demo tells of days long past.
    outside = ("pms/demo/", "pms/surfaces/", "pms/rules/")
    return Program(s for s in python_sources("pms/") if not s.path.startswith(outside))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.call.rpartition(".")[2])
def test_whoever_writes_calls_what_goes_along(program: Program, rule: Rule) -> None:
    assert writers(program, rule), "nobody writes what the rule is about"
    assert rule.call in program.functions, "the rule names a function that is gone"
    assert rule.excused.keys() <= program.functions.keys(), "somebody is excused who is gone"
    assert not listed(forgetful(program, rule))


def test_each_call_that_is_taken_out_is_missed(program: Program) -> None:
    for rule in RULES:
        found = writers(program, rule)
        for verb in program.callers_of(rule.call) - BY_THE_DAY:
            calls = {**program.calls, verb: program.calls[verb] - {rule.call}}
            assert list(silent_ends(calls, rule, found)), f"{verb} need not call {rule.call}"


MODELS = '"""Planted."""\nclass Stay: pass\nclass Task: pass\n'
PLANTED = '''"""Planted."""
from pms.models import Stay, Task
from pms.following import follow
def found(session) -> Stay: pass
def moves(session, clock): _write(session)
def _write(session):
    row = found(session)
    row.ends_on = None
def ends(session):
    row = found(session)
    row.ends_on = None
    follow(session)
def counts(session): session.execute(update(Stay).values(seen_on=None))
def books(session): session.add(Stay(ends_on=None))
def tidies(session, task: Task): task.ends_on = None
def renames(session, row: Stay): row.name = ""
'''


def planted(text: str) -> Iterator[str]:
    sources = {
        "models": MODELS,
        "following": '"""Planted."""\ndef follow(s): pass\n',
        "verbs": text,
    }
    rule = Rule("pms.following.follow", {"pms.models.Stay": frozenset({"ends_on"})}, {})
    program = Program(Source(f"pms/{name}.py", one) for name, one in sources.items())
    return (finding.what.partition(":")[0] for finding in forgetful(program, rule))


def test_a_planted_verb_that_forgets_the_call_is_found() -> None:
    assert list(planted(PLANTED)) == ["books", "moves"]


@pytest.mark.parametrize(
    "writing",
    [
        "for row in session.scalars(select(Stay)): row.ends_on = 1",
        "for row in unknown(session): row.ends_on = 1",
        "session.execute(insert(Stay), [])",
        "session.execute(update(Stay).values(ends_on=1))",
        "setattr(found(session), column, 1)",
        "row = found(session); session.delete(row)",
        "row = found(session); row.name, row.ends_on = 1, 2",
    ],
)
def test_each_way_of_writing_is_found(writing: str) -> None:
    text = PLANTED.partition("def moves")[0] + f"def writes(session): \n    {writing}\n"
    assert list(planted(text)) == ["writes"]
