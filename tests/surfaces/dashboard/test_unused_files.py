"""Photos of a refused form are not stored, and operators read how many unused files were deleted."""

import io
from datetime import timedelta

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.readiness import SWEEP, note_done, take_slot
from pms.foundation.settings import Settings
from tests.cast import Cast
from tests.sample_uploads import UPLOADS
from tests.staff import Browser

FLOOR_PLAN = (UPLOADS / "floor_plan.png").read_bytes()


def stored(settings: Settings) -> int:
    return len(list(settings.files_dir.glob("*/*.webp")))


def test_photos_are_stored_only_when_the_whole_form_is_valid(
    office: Browser, settings: Settings, cast: Cast
) -> None:
    before = stored(settings)
    report = {"what": "", "place": f"unit:{cast.sumida.free_room_id}"}
    answer = office.post(
        "/requests/new",
        {**report, "photo": (io.BytesIO(FLOOR_PLAN), "plan.png")},
        content_type="multipart/form-data",
    )
    assert answer.status_code == 422
    assert stored(settings) == before
    page = f"/units/{cast.sumida.free_room_id}/photos"
    answer = office.post(
        page,
        {"photo": [(io.BytesIO(FLOOR_PLAN), "plan.png"), (io.BytesIO(b"text"), "text.jpg")]},
        content_type="multipart/form-data",
    )
    assert answer.status_code == 422
    assert stored(settings) == before
    answer = office.post(
        page, {"photo": (io.BytesIO(FLOOR_PLAN), "plan.png")}, content_type="multipart/form-data"
    )
    assert answer.status_code == 303
    assert stored(settings) > before


def test_operators_read_how_many_unused_files_were_deleted(
    database: Database, clock: FixedClock, operator: Browser, office: Browser
) -> None:
    assert "unused file" not in operator.get("/runs?lang=en").text
    for count in (4, 12):
        take_slot(database, SWEEP, clock.now().isoformat(), clock)
        with database.across_workspaces_writing() as session:
            note_done(session, SWEEP, count)
        clock.advance(timedelta(days=1))
    take_slot(database, SWEEP, "a day whose work is not done", clock)
    assert "12 unused files of this service were deleted" in operator.get("/runs?lang=en").text
    assert "unused file" not in office.get("/runs?lang=en").text
