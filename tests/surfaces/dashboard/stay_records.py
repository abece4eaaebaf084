"""A guest's link with one guest in the register and the copy of their passport; handed keys."""

from collections.abc import Mapping

from pms.arrivals.key_handovers import HandedKeys, hand_over_keys
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.work import Work
from pms.stays.check_in_links import link_stay
from pms.stays.guests import guests_of, send_passport
from pms.stays.stays import stay_terms
from tests.cast import House


def stay_records(database: Database, clock: FixedClock, house: House) -> Mapping[str, str]:
    """Return the ids of a link, of its guest and of keys that were handed over."""
    key = Files(database.settings).put_alone(b"a passport", "webp")
    with database.writing(house.workspace_id) as session:
        link_id = link_stay(Work(session, clock, "staff"), reservation_id=house.guest_id)
        send_passport(Work(session, clock, "staff"), link_id=link_id, position=1, file_key=key)
        (guest,) = guests_of(session, link_id, stay_terms(session))
        handover = hand_over_keys(
            Work(session, clock, "staff"),
            reservation_id=house.resident_id,
            keys=HandedKeys(clock.today(), 2),
        )
    return {"check_in_link_id": link_id, "guest_id": guest.id, "handover_id": handover.id}
