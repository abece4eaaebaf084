"""Opens the copy of a passport for an operator; each opening is written down before it is shown."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from flask import Response, abort

from pms.stays.open_passport import open_passport as open_passport_verb
from pms.surfaces.dashboard.desk import actor, clock, desk
from pms.surfaces.request_scope import database, files


@dashboard.post("/check-in-links/<check_in_link_id>/guests/<guest_id>/passport", roles=OPERATOR)
def open_passport(check_in_link_id: str, guest_id: str) -> Response:
    """Show the picture, which no cache keeps."""
    key = database().write(
        desk().workspace_id,
        lambda session: open_passport_verb(
            session, clock(), actor(), link_id=check_in_link_id, guest_id=guest_id
        ),
    )
    content = files().get(key)
    if content is None:
        abort(404)
    return Response(content, mimetype="image/webp", headers={"Content-Disposition": "inline"})
