"""Answer 503 with `Retry-After` when the database is away or locked or the disk is full."""

import errno
from http import HTTPStatus
from typing import Final

from flask import Flask, Response, g, jsonify, request

from pms.foundation.database import Failure, failure_of, kinds_of_failure
from pms.foundation.settings import Settings
from pms.surfaces.hypermedia import error_page

_COME_BACK_SECONDS: Final = {
    Failure.CONFLICT: 1,
    Failure.LOCKED: 5,
    Failure.AWAY: 10,
    Failure.UNWRITABLE: 60,
}
_SAID: Final = {
    Failure.CONFLICT: "Others are writing the same at this moment. Please try again.",
    Failure.LOCKED: "Another change is still being saved. Please try again.",
    Failure.AWAY: "The database cannot be reached at this moment. Please try again.",
    Failure.UNWRITABLE: "Nothing can be saved: the disk is full or may only be read. Reading works.",
}
_NO_ROOM: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}


def install(app: Flask, settings: Settings) -> None:
    """Answer these failures wherever they are raised; all other errors are raised again."""
    kinds: tuple[type[Exception], ...] = (OSError, *kinds_of_failure(settings))
    for kind in kinds:
        app.register_error_handler(kind, _answer)


def _answer(error: Exception) -> Response:
    failure = _failure(error)
    if failure is None:
        raise error
    if request.path.startswith("/api/"):
        response = jsonify(error=_SAID[failure])
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
        response.headers["Cache-Control"] = "no-store"
    else:
        # Without it the dashboard's frame is not shown, which would query the database.
        g.pop("current_member", None)
        response = error_page(HTTPStatus.SERVICE_UNAVAILABLE, kind=failure.value)
    response.headers["Retry-After"] = str(_COME_BACK_SECONDS[failure])
    return response


def _failure(error: Exception) -> Failure | None:
    if isinstance(error, OSError):
        return Failure.UNWRITABLE if error.errno in _NO_ROOM else None
    return failure_of(error)
