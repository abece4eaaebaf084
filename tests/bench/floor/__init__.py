"""The floor: what the hot addresses cost when written by hand, with nothing beside the work.

One route is Flask, raw SQL on a held sqlite3 connection and msgspec; it knows its key and shows
the same answer as the product, but keeps no budget, no log, no metrics and no cache.
"""

import sqlite3
from datetime import date
from typing import Any

import msgspec
from flask import Flask, Response, request
from werkzeug.exceptions import Unauthorized

from pms.foundation.clock import SystemClock
from pms.foundation.settings import Settings
from pms.foundation.tokens import key_hash
from tests.bench.floor.asking import KEY, Asking
from tests.bench.floor.residents import list_residents
from tests.bench.floor.units import list_units

_encode = msgspec.json.Encoder().encode


def make_app(settings: Settings, today: date | None = None) -> Flask:
    """Return the floor over the database of the product."""
    app = Flask("floor")
    path = settings.database_url.removeprefix("sqlite:///")
    held: list[sqlite3.Connection] = []

    def answer(build: Any) -> Response:
        if not held:  # after the fork
            held.append(sqlite3.connect(path, isolation_level=None, check_same_thread=False))
        connection = held[0]
        connection.execute("BEGIN")
        try:
            asking = _asking(connection)
            day = today or SystemClock().today()
            data = build(connection, asking, settings.base_url, day, request.args)
        finally:
            connection.execute("COMMIT")
        return Response(_encode({"ok": True, "data": data}), mimetype="application/json")

    app.add_url_rule("/api/agent/properties", "units", lambda: answer(list_units))
    app.add_url_rule("/api/agent/residents", "residents", lambda: answer(list_residents))
    return app


def serve() -> Flask:
    """What gunicorn loads."""
    return make_app(Settings.from_environment())


def _asking(connection: sqlite3.Connection) -> Asking:
    plaintext = request.headers["Authorization"].removeprefix("Bearer ")
    row = connection.execute(KEY, (key_hash(plaintext),)).fetchone()
    if row is None:
        raise Unauthorized
    return Asking(*row)
