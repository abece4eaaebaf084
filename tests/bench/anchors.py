"""What the program is measured against besides the floor: next to nothing, and a bare skeleton."""

import os
import sqlite3
from pathlib import Path
from uuid import uuid4

from flask import Flask, Response
from flask_limiter import Limit
from sqlalchemy import create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from pms.foundation.budget import KEYS
from pms.foundation.clock import SystemClock
from pms.foundation.settings import Settings
from pms.surfaces.limits import add_headers, make_limiter

_ONE_KEY = "0" * 32
_PLENTY = "1000000/hour"


def hello() -> Flask:
    """A bare Flask route."""
    app = Flask("hello")
    app.add_url_rule("/", "hello", lambda: Response(b'{"ok":true}', mimetype="application/json"))
    return app


def committing_hello() -> Flask:
    """The same route, which commits one row as durably as the program does."""
    app = Flask("committing_hello")
    connection = sqlite3.connect(Path(os.environ["PMS_DATA_DIR"]) / "hello.sqlite3")
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("CREATE TABLE IF NOT EXISTS moved (id TEXT PRIMARY KEY, at TEXT)")

    def hello() -> Response:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO moved VALUES (?, ?)", (uuid4().hex, "2026-11-20"))
        connection.execute("COMMIT")
        return Response(b'{"ok":true}', mimetype="application/json")

    app.add_url_rule("/", "hello", hello, methods=["GET", "POST"])
    return app


def counted_hello() -> Flask:
    """The same route behind a request budget."""
    app = hello()
    budget = Limit(_PLENTY, key_function=lambda: _ONE_KEY, scope=KEYS, shared=True)
    make_limiter(Settings.from_environment(os.environ), SystemClock(), budget).init_app(app)
    app.after_request(add_headers)
    return app


class Base(DeclarativeBase):
    """The ground of the skeleton's one table."""


class Workspace(Base):
    """The one table of the skeleton, which is one of the program's."""

    __tablename__ = "workspace"
    id: Mapped[str] = mapped_column(primary_key=True)
    slug: Mapped[str]


def skeleton() -> Flask:
    """Flask with SQLAlchemy, one table and one route that reads it."""
    settings = Settings.from_environment(os.environ)
    engine = create_engine(settings.database_url)
    app = Flask("skeleton")

    @app.get("/")
    def workspaces() -> list[str]:
        with Session(engine) as session:
            return list(session.scalars(select(Workspace.slug)))

    return app
