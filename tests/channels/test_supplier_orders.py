"""Suppliers' orders: figures that must add up, matched where the cost is certain, never twice."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import select

from pms.channels.models import SupplierOrder
from pms.channels.order_lists import OrderSearch, count_orders, list_orders, order_record
from pms.channels.orders import (
    ReceivedOrder,
    WrittenItem,
    WrittenOrder,
    match_order,
    receive_order,
    set_order_aside,
    take_order_back,
    unmatch_order,
)
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.lists import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import FeeCategory, ProjectState
from pms.rules.message_words import OrderDoubt, OrderState
from pms.statements.owner_figures import owner_figures
from pms.statements.owner_money import charge_project
from pms.upkeep.project_lists import project_cost
from pms.upkeep.projects import end_project
from tests.cast import Cast, building
from tests.upkeep.works import Works

PAGE = Paging(1, 50)
KEY = "key/supplier"
DAY = date(2026, 11, 19)
HEATER = WrittenItem(description="給湯器 20号", quantity=1, unit_price_yen=98_000)
FILTERS = WrittenItem(
    description="レンジフードフィルター",
    quantity=3,
    unit_price_yen=800,
    category=FeeCategory.CLEANING,
)
FREE = WrittenItem(description="カタログ", quantity=1, unit_price_yen=0)


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Kawasemi House of Sumida."""
    return Works(database, clock, cast.sumida)


def written(items: Sequence[WrittenItem] = (HEATER, FILTERS, FREE), **given: Any) -> WrittenOrder:
    usual = {
        "supplier": "墨田建材",
        "order_number": "A-1001",
        "ordered_on": DAY,
        "total_yen": sum(item.yen for item in items),
        "items": items,
    }
    return WrittenOrder(**{**usual, **given})


def ordered(works: Works, **given: Any) -> ReceivedOrder:
    """Have the supplier send an order."""
    external_id = given.pop("external_id", None)
    with works.writing() as session:
        return receive_order(
            Work(session, works.clock, KEY), order=written(**given), external_id=external_id
        )


def cost(session: WorkspaceSession, project_id: str) -> dict[FeeCategory, int]:
    return dict(project_cost(session, project_id).by_category)


def test_an_order_that_names_an_open_project_becomes_its_cost_at_once(works: Works) -> None:
    project_id = works.open()
    got = ordered(works, project_number="prj 1")
    assert got[1:] == ("PRJ-0001", None, None)
    with works.writing() as session:
        assert cost(session, project_id) == {
            FeeCategory.REPAIR: 98_000,
            FeeCategory.CLEANING: 2_400,
        }
        record = order_record(session, got.id)
    assert record.order.state is OrderState.MATCHED
    assert record.order.project == "PRJ-0001"
    assert record.order.doubt is None
    assert [line.yen for line in record.lines] == [98_000, 2_400, 0]


def test_its_cost_reaches_the_owners_statement_by_category(works: Works) -> None:
    project_id = works.open("給湯器の交換")
    ordered(works, project_number="PRJ-0001")
    with works.writing() as session:
        charge_project(Work(session, works.clock, "person/office"), project_id=project_id)
        month = date(2026, 11, 1)
        figures = owner_figures(session, works.house.building_id, month, works.clock.today())
    lines = {line.label_ja: line.yen for line in figures.deductions}
    assert lines == {
        "修繕費 PRJ-0001 給湯器の交換": 98_000,
        "清掃費 PRJ-0001 給湯器の交換": 2_400,
    }


def test_what_is_not_certain_waits_and_tells_why_as_things_are_now(
    works: Works,
) -> None:
    works.open()
    done, cancelled = works.open("済み"), works.open("中止")
    with works.writing() as session:
        for project_id, state in ((done, ProjectState.DONE), (cancelled, ProjectState.CANCELLED)):
            end_project(Work(session, works.clock, "x"), project_id=project_id, into=state)
    waiting = {
        None: OrderDoubt.NO_NUMBER,
        "PRJ-0002": OrderDoubt.DONE,
        "PRJ-0003": OrderDoubt.CANCELLED,
        "PRJ-0004": OrderDoubt.UNKNOWN_NUMBER,
    }
    got = {
        number: ordered(works, order_number=f"N{number}", project_number=number)
        for number in waiting
    }
    assert {number: one.doubt for number, one in got.items()} == waiting
    works.open("四つ目")
    with works.writing() as session:
        assert order_record(session, got["PRJ-0004"].id).order.doubt is None, "it exists now"
        assert list_orders(session, OrderSearch(), PAGE).total == 4
        assert list_orders(session, OrderSearch(text="PRJ-0002"), PAGE).total == 1
        assert list_orders(session, OrderSearch(text="フィルター"), PAGE).total == 4
        assert count_orders(session) == {OrderState.NEW: 4}


def test_a_building_that_is_not_the_projects_contradicts_the_number(
    works: Works,
) -> None:
    works.open()
    with works.writing() as session:
        other = building(slug="elsewhere", name="別館")
        session.add(other)
        session.flush()
        elsewhere = other.id
    got = ordered(works, project_number="PRJ-0001", building_id=elsewhere)
    assert got.doubt is OrderDoubt.ELSEWHERE
    right = ordered(
        works,
        order_number="A-2",
        project_number="PRJ-0001",
        building_id=works.house.building_id,
    )
    assert right.matched_to == "PRJ-0001"


def test_a_repeated_order_is_kept_and_marked_and_costs_nothing_by_itself(works: Works) -> None:
    project_id = works.open()
    first = ordered(works, project_number="PRJ-0001")
    again = ordered(works, project_number="PRJ-0001", supplier=" 墨田 建材 ")
    other = ordered(works, supplier="江東建材")
    assert again.repeats_id == first.id
    assert again.doubt is OrderDoubt.REPEATED
    assert other.repeats_id is None
    with works.writing() as session:
        assert sum(cost(session, project_id).values()) == 100_400
        assert [one.id for one in order_record(session, first.id).others] == [again.id]
        assert [one.id for one in order_record(session, again.id).others] == [first.id]


@pytest.mark.parametrize(
    "retyped", ["Ａ－１００１", "a-1001", "A - 1001", "A\u20101001", "A\u22121001", "A-１００１ "]
)
def test_a_number_that_was_typed_anew_costs_nothing_by_itself(works: Works, retyped: str) -> None:
    project_id = works.open()
    first = ordered(works, project_number="PRJ-0001")
    again = ordered(works, project_number="PRJ-0001", supplier="墨田　建材", order_number=retyped)
    assert (again.repeats_id, again.doubt) == (first.id, OrderDoubt.REPEATED)
    with works.writing() as session:
        assert sum(cost(session, project_id).values()) == 100_400
        assert order_record(session, again.id).order.order_number == retyped.strip()


@pytest.mark.parametrize("other", ["A-10010", "A1001", "A-1001-2", "1001", "材A-1001"])
def test_another_number_is_another_order(works: Works, other: str) -> None:
    project_id = works.open()
    ordered(works, project_number="PRJ-0001")
    assert ordered(works, project_number="PRJ-0001", order_number=other).repeats_id is None
    with works.writing() as session:
        assert sum(cost(session, project_id).values()) == 200_800


def test_a_number_that_grows_when_it_is_folded_is_still_found(works: Works) -> None:
    number = "".join(chr(0xFDFA - each % 3) for each in range(100))
    first = ordered(works, order_number=number, supplier="\ufdfa" * 100)
    assert ordered(works, order_number=number, supplier="\ufdfa" * 100).repeats_id == first.id


def test_two_that_are_sent_at_once_cost_once(works: Works) -> None:
    project_id = works.open()
    barrier = Barrier(4)

    def run(_: int) -> ReceivedOrder:
        barrier.wait()
        return ordered(works, project_number="PRJ-0001")

    with ThreadPoolExecutor(4) as pool:
        got = list(pool.map(run, range(4)))
    assert sorted(one.matched_to or "" for one in got) == ["", "", "", "PRJ-0001"]
    with works.writing() as session:
        assert sum(cost(session, project_id).values()) == 100_400


def test_the_suppliers_own_id_is_taken_once(works: Works) -> None:
    ordered(works, external_id="supplier-1")
    with pytest.raises(Collision, match="externalId: 'supplier-1' has already been used"):
        ordered(works, external_id="supplier-1", order_number="another")


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "a total that is not the sum": ({"total_yen": 98_001}, "total"),
    "no items": ({"items": (), "total_yen": 0}, "items"),
    "too many items": ({"items": (FREE,) * 101}, "items"),
    "a day to come": ({"ordered_on": date(2026, 11, 21)}, "orderedOn"),
    "no supplier": ({"supplier": " "}, "supplier"),
    "no number": ({"order_number": ""}, "orderNumber"),
    "no project number": ({"project_number": "heater"}, "projectNumber"),
    "no pieces": (
        {"items": (HEATER, WrittenItem(description="x", quantity=0, unit_price_yen=1))},
        "items[1].quantity",
    ),
    "a negative price": (
        {"items": (WrittenItem(description="x", quantity=1, unit_price_yen=-1),)},
        "items[0].unitPrice",
    ),
    "a line too dear": (
        {"items": (WrittenItem(description="x", quantity=9_999, unit_price_yen=99_999_999),)},
        "items[0].quantity",
    ),
    "nothing said": (
        {"items": (WrittenItem(description="", quantity=1, unit_price_yen=1),)},
        "items[0].description",
    ),
    "an income": (
        {
            "items": (
                WrittenItem(
                    description="x", quantity=1, unit_price_yen=1, category=FeeCategory.RENT
                ),
            )
        },
        "items[0].category",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_figures_are_refused_and_never_corrected(works: Works, what: str) -> None:
    given, field = BAD[what]
    with pytest.raises(Refused) as refused:
        ordered(works, **given)
    assert refused.value.field == field
    with works.writing() as session:
        assert session.scalars(select(SupplierOrder)).all() == []


def test_an_order_is_matched_taken_out_again_and_set_aside_by_hand(works: Works) -> None:
    project_id = works.open()
    got = ordered(works, building_id=works.house.building_id)
    asked = {"order_id": got.id}
    with works.writing() as session:
        assert [one.id for one in order_record(session, got.id).suggested] == [project_id]
        with pytest.raises(Refused, match=r"^projectNumber: project 'PRJ-0009' was not found"):
            match_order(Work(session, works.clock, "office"), **asked, number="PRJ-0009")
        match_order(Work(session, works.clock, "office"), **asked, number="1")
    with works.writing() as session:
        assert sum(cost(session, project_id).values()) == 100_400
        for refused in (match_again, set_aside_again):
            with pytest.raises(Refused, match=r"^state"):
                refused(session, works, got.id)
        unmatch_order(Work(session, works.clock, "office"), **asked)
    with works.writing() as session:
        assert cost(session, project_id) == {}
        set_order_aside(Work(session, works.clock, "office"), **asked, why="二重")
        assert order_record(session, got.id).order.note == "二重"
        with pytest.raises(Refused, match=r"^state"):
            unmatch_order(Work(session, works.clock, "office"), **asked)
        take_order_back(Work(session, works.clock, "office"), **asked)
        match_order(Work(session, works.clock, "office"), **asked, number="PRJ-0001")
        assert sum(cost(session, project_id).values()) == 100_400
        audit_events = set(
            session.scalars(select(AuditRecord.audit_event).where(AuditRecord.subject_id == got.id))
        )
    assert audit_events == {
        AuditEvent.ORDER_RECEIVED,
        AuditEvent.ORDER_MATCHED,
        AuditEvent.ORDER_UNMATCHED,
        AuditEvent.ORDER_SET_ASIDE,
        AuditEvent.ORDER_TAKEN_BACK,
    }


def match_again(session: WorkspaceSession, works: Works, order_id: str) -> None:
    match_order(Work(session, works.clock, "office"), order_id=order_id, number="PRJ-0001")


def set_aside_again(session: WorkspaceSession, works: Works, order_id: str) -> None:
    set_order_aside(Work(session, works.clock, "office"), order_id=order_id)


def test_a_project_that_is_over_takes_nothing_and_gives_nothing_back(works: Works) -> None:
    project_id = works.open()
    matched = ordered(works, project_number="PRJ-0001")
    waiting = ordered(works, order_number="A-2")
    with works.writing() as session:
        end_project(Work(session, works.clock, "x"), project_id=project_id, into=ProjectState.DONE)
    with works.writing() as session, pytest.raises(Refused, match="done"):
        unmatch_order(Work(session, works.clock, "office"), order_id=matched.id)
    with works.writing() as session, pytest.raises(Refused, match=r"^projectNumber"):
        match_order(Work(session, works.clock, "office"), order_id=waiting.id, number="PRJ-0001")
    with works.writing() as session:
        assert order_record(session, matched.id).order.state is OrderState.MATCHED
        assert sum(cost(session, project_id).values()) == 100_400


def test_a_stranger_meets_no_order_and_no_project(works: Works, cast: Cast) -> None:
    works.open()
    got = ordered(works)
    theirs = Works(works.database, works.clock, cast.minato)
    with theirs.writing() as session:
        for audit_event in (match_again, set_aside_again):
            with pytest.raises(NotFound):
                audit_event(session, theirs, got.id)
        with pytest.raises(NotFound):
            order_record(session, got.id)
        assert list_orders(session, OrderSearch(state=None), PAGE).total == 0
    unknown = ordered(theirs, project_number="PRJ-0001")
    assert unknown.doubt is OrderDoubt.UNKNOWN_NUMBER
    with pytest.raises(NotFound, match="buildingId"):
        ordered(theirs, building_id=works.house.building_id)
