"""An inspection at move-out, with a photo and a damage."""

from collections.abc import Mapping
from decimal import Decimal

from PIL import Image

from pms.arrivals.models import InspectedDamage, InspectionPhoto, MoveOutInspection
from pms.catalogue.photo_sizes import store_sizes
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.ids import new_id
from pms.rules.enumerations import CheckedRoom
from pms.rules.wear import DeductionBearer, WornItem
from tests.cast import House

_STAFF = "staff:aoi"


def inspection_records(database: Database, clock: FixedClock, house: House) -> Mapping[str, str]:
    """Return the ids of a damage and a photo of the resident's inspected home."""
    sized = store_sizes(Image.new("RGB", (480, 360), "tan"), Files(database.settings))
    ids = {"inspection_photo_id": new_id(), "damage_id": new_id()}
    inspection = MoveOutInspection(
        id=new_id(),
        reservation_id=house.resident_id,
        started_at=clock.now(),
        started_by=_STAFF,
    )
    with database.writing(house.workspace_id) as session:
        session.add(inspection)
        session.flush()
        session.add_all(
            [
                InspectionPhoto(
                    id=ids["inspection_photo_id"],
                    inspection_id=inspection.id,
                    room=CheckedRoom.KITCHEN,
                    width=sized.width,
                    height=sized.height,
                    files=dict(sized.files),
                    taken_at=clock.now(),
                    taken_by=_STAFF,
                ),
                InspectedDamage(
                    id=ids["damage_id"],
                    inspection_id=inspection.id,
                    room=CheckedRoom.KITCHEN,
                    item=WornItem.SINK,
                    quantity=Decimal(1),
                    bearer=DeductionBearer.RESIDENT,
                    written_at=clock.now(),
                    written_by=_STAFF,
                ),
            ]
        )
    return {
        "inspection_part_id": ids["damage_id"],
        "compared_photo_id": ids["inspection_photo_id"],
        "room": "kitchen",
    }
