"""Has every call of a key noted once it is answered: where, how, in how long; never by whom or for what."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from flask import Flask, Response, g
from flask.globals import request_ctx

from pms.foundation.last_calls import LastCalls
from pms.surfaces.request_log import seconds_since_begun

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

NOTES: Final = "pms.agent_api.call_notes"
UNKNOWN: Final = "?"


class CallNotes:
    """The calls of one application's keys; a path is the one of the address book."""

    def __init__(self, calls: LastCalls, paths: Mapping[str, str]) -> None:
        self._calls, self._paths = calls, paths

    def note(self, environ: "WSGIEnvironment", key_id: str, route: str, status: int) -> None:
        """Note one call; it may cost next to nothing, and never waits."""
        path = self._paths.get(route, UNKNOWN)
        method = environ["REQUEST_METHOD"][:10]
        self._calls.note(key_id, method, path, status, seconds_since_begun(environ))

    def forget(self) -> None:
        """Close the files of notes, when the data folder was replaced by another."""
        self._calls.close()


def install(app: Flask, calls: LastCalls, paths: Mapping[str, str]) -> None:
    """Note the calls that go the whole way; those of the short way are noted there."""
    notes = app.extensions[NOTES] = CallNotes(calls, paths)

    def note(response: Response) -> Response:
        key = g.get("known_key")
        if key is not None:
            asked = request_ctx.request
            notes.note(asked.environ, key.id, asked.endpoint or "", response.status_code)
        return response

    app.after_request(note)
