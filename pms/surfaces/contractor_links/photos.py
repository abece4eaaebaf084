"""Pictures of the project: of its tasks, its receipts and the reports it came from."""

from flask import Response, abort

from pms.surfaces.contractor_links.holder import holder, reading
from pms.surfaces.request_scope import files
from pms.upkeep.upkeep_photos import PhotoReach, upkeep_photo_file


def picture(photo_id: str, width: int) -> Response:
    """Give one picture, if it is of this project; nothing on the way keeps it."""
    reach = PhotoReach.of_project(holder().project_id, holder().actor)
    content = files().get(upkeep_photo_file(reading(), photo_id, width, reach))
    if content is None:
        abort(404)
    return Response(content, mimetype="image/webp")
