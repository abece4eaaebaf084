"""However many book one unit in the same moment, exactly one of them has it.

Four rounds on each database, ten in `make test-all`; PMS_RACE_ROUNDS=200 for as many as a release is tried with.
"""

import os

import pytest
from sqlalchemy import func, select

from pms.foundation.settings import Settings
from pms.reservations.models import Reservation
from tests.arrivals.office import Office
from tests.arrivals.racing import CONTENDERS, REFUSED, WON, Contest, race
from tests.tiers import examples

pytestmark = pytest.mark.differs("locks")

ROUNDS = int(os.environ.get("PMS_RACE_ROUNDS", examples(2, 10)))


def test_one_of_sixty_four_has_the_unit_and_all_others_are_refused(
    office: Office, settings: Settings
) -> None:
    units = [office.home.unit(f"{number}") for number in range(ROUNDS)]
    rounds = race(Contest(settings, office.home.workspace_id, office.clock, units))
    assert rounds == [{WON: 1, REFUSED: CONTENDERS - 1}] * ROUNDS
    with office.database.reading(office.home.workspace_id) as session:
        held = select(Reservation.unit_id, func.count()).group_by(Reservation.unit_id)
        assert [tuple(row) for row in session.execute(held.order_by(Reservation.unit_id))] == [
            (unit_id, 1) for unit_id in sorted(units)
        ]
    written = office.counts()
    assert written["ledger_entry"] == written["pricing_snapshot"] == ROUNDS
