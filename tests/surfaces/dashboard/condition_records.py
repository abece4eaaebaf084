"""A condition report that was sent, with a picture."""

from collections.abc import Mapping
from datetime import date

from PIL import Image
from sqlalchemy import select

from pms.arrivals.condition_reports import save_condition_room, send_condition_report
from pms.arrivals.models import ConditionPhoto
from pms.catalogue.photo_sizes import store_sizes
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.enumerations import CheckedRoom, ConditionState
from tests.cast import House


def sent_report(database: Database, clock: FixedClock, house: House, arrival_on: date) -> str:
    """Let Sumida's resident have arrived on a day and send a report; return its id."""
    sized = store_sizes(Image.new("RGB", (480, 360), "silver"), Files(database.settings))
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        row.arrival_date = arrival_on
        save_condition_room(
            session,
            clock,
            reservation_id=row.id,
            room=CheckedRoom.KITCHEN,
            state=ConditionState.MARKED,
            note="天板に傷があります。",
            photos=[sized],
        )
        return send_condition_report(
            Work(session, clock, f"reservation/{row.id}"), reservation_id=row.id
        )


def condition_records(database: Database, clock: FixedClock, house: House) -> Mapping[str, str]:
    """Return the id of a report and of its picture."""
    report_id = sent_report(database, clock, house, clock.today())
    with database.reading(house.workspace_id) as session:
        photo_id = session.scalars(select(ConditionPhoto.id)).one()
    return {"condition_report_id": report_id, "condition_photo_id": photo_id}
