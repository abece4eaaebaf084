"""Days of a unit are taken for a use outside the service, and given back."""

from datetime import date

import pytest

from pms.availability.units import availability_of
from pms.catalogue.blocks import add_block, block_record, blocks_of, end_block
from pms.foundation.clock import FixedClock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.enumerations import AvailabilityState, BlockSource
from tests.cast import Cast
from tests.catalogue.conftest import ACTOR

TODAY = date(2026, 11, 20)


def block(
    session: WorkspaceSession, clock: FixedClock, unit_id: str, first_on: date, last_on: date | None
) -> str:
    return add_block(
        Work(session, clock, ACTOR),
        unit_id=unit_id,
        source=BlockSource.OWNER_USE,
        first_on=first_on,
        last_on=last_on,
        summary=" 家族の滞在 ",
    )


def test_a_block_takes_the_unit_until_it_is_ended(
    session: WorkspaceSession, clock: FixedClock, cast: Cast
) -> None:
    unit_id = cast.sumida.free_room_id
    made = block(session, clock, unit_id, date(2026, 11, 1), None)
    assert availability_of(session, unit_id, TODAY).state == AvailabilityState.RESERVED
    assert [one.summary for one in blocks_of(session, unit_id, TODAY)] == ["家族の滞在"]
    end_block(Work(session, clock, ACTOR), block_id=made, last_on=date(2026, 11, 19))
    assert availability_of(session, unit_id, TODAY).state == AvailabilityState.AVAILABLE_NOW
    assert blocks_of(session, unit_id, TODAY) == []


def test_a_block_ended_before_it_begins_is_taken_back(
    session: WorkspaceSession, clock: FixedClock, cast: Cast
) -> None:
    made = block(session, clock, cast.sumida.free_room_id, date(2026, 12, 1), date(2026, 12, 5))
    end_block(Work(session, clock, ACTOR), block_id=made, last_on=TODAY)
    with pytest.raises(NotFound):
        block_record(session, made)


def test_a_block_of_a_channel_is_ended_there(
    session: WorkspaceSession, clock: FixedClock, cast: Cast
) -> None:
    (feed,) = blocks_of(session, cast.sumida.guests_room_id, TODAY)
    assert feed.feed == "Example Stays"
    with pytest.raises(Refused, match=r"calendar 'Example Stays'\. End it there"):
        end_block(Work(session, clock, ACTOR), block_id=feed.id, last_on=TODAY)


@pytest.mark.parametrize(
    ("days", "field"),
    [
        ((date(2026, 12, 5), date(2026, 12, 4)), "lastOn"),
        ((date(1, 1, 1), None), "firstOn"),
    ],
)
def test_days_that_are_no_run_are_refused(
    session: WorkspaceSession,
    clock: FixedClock,
    cast: Cast,
    days: tuple[date, date | None],
    field: str,
) -> None:
    with pytest.raises(Refused) as refused:
        block(session, clock, cast.sumida.free_room_id, *days)
    assert refused.value.field == field
