"""Shows one code of a handbook, once, and writes down who looked."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from flask import Response, abort, request
from wtforms import Form

from pms.catalogue.handbook import page_record
from pms.catalogue.reveal_code import reveal_code as reveal_code_verb
from pms.surfaces.dashboard.buildings.codes_seen import sees_codes
from pms.surfaces.dashboard.buildings.handbook import home_of_page
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.hypermedia import page_or_block


@dashboard.post("/handbook/<page_id>/code", roles=EVERYBODY)
def reveal_code(page_id: str) -> Response:
    """Show the code in place of its button; nothing on the way keeps it."""
    form = Form(request.form)
    if not sees_codes(page_record(reading(), page_id).building_id):
        abort(403)
    return submitted(
        form,
        act=lambda session: reveal_code_verb(session, clock(), actor(), page_id=page_id),
        then=lambda code: _shown(page_id, code),
        again=lambda: _shown(page_id, None),
    )


def _shown(page_id: str, code: str | None) -> Response:
    record = page_record(reading(), page_id)
    response = page_or_block(
        "dashboard/buildings/code.html",
        "code",
        form=Form(),
        record=record,
        code=code,
        back=home_of_page(record),
    )
    response.headers["Cache-Control"] = "no-store"
    return response
