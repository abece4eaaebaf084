"""The demo's offers: each workspace shows one that is open, one that was accepted, one that ended."""

from pms.demo.seed_demo import SeededWorkspace
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.lists import Paging
from pms.offers.offers import offers
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle, ReservationLinkState


def test_offers_stand_at_every_point(
    database: Database, seeded: tuple[SeededWorkspace, ...], clock: FixedClock
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            found = offers(session, clock.now(), Paging(1, 50)).offers
            assert [one.state for one in found] == [
                ReservationLinkState.ACCEPTED,
                ReservationLinkState.LIVE,
                ReservationLinkState.EXPIRED,
            ]
            booked = session.get_one(Reservation, (workspace.id, found[0].reservation_id))
            assert booked.lifecycle is Lifecycle.BOOKED
            assert booked.move_in_date == found[0].move_in_on
