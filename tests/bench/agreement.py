"""Asks the product and the floor the same questions and insists on the same answers."""

import io
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from itertools import product
from typing import Any

from flask.testing import FlaskClient

from app import create_app
from pms.foundation.clock import Clock, SystemClock
from tests.bench import floor
from tests.bench.data import Data, Measured

PROPERTIES, RESIDENTS = "/api/agent/properties", "/api/agent/residents"
Question = dict[str, str]
_PAGES: tuple[Question, ...] = ({"limit": "500"}, {"page": "2"}, {"page": "999"}, {"locale": "ja"})
_FILTERS: tuple[Question, ...] = (
    {},
    {"availableNow": "true"},
    {"moveInBy": "2027-03-31"},
    {"excludeRecords": ""},
    {"excludeRecords": "guest,resident"},
    {"hasCampaign": "true"},
    {"priceMin": "50000", "priceMax": "80000"},
    {"type": "sharehouse", "bedrooms": "1"},
    {"search": "kitchen"},
    {"search": "個室 ﾊﾞﾙｺﾆｰ"},
    {"search": "no such words"},
)
_SORTS: tuple[Question, ...] = (
    {},
    {"sort": "price-asc"},
    {"sort": "price-desc"},
    {"sort": "size-asc"},
    {"sort": "size-desc", "availableNow": "true"},
)
_OF_RESIDENTS: tuple[Question, ...] = (
    {},
    {"limit": "50"},
    {"limit": "50", "page": "3"},
    {"page": "9999"},
    {"paymentStatus": "paid", "limit": "50"},
    {"esignStatus": "signed", "paymentStatus": "refunded"},
    {"search": "example"},
    {"search": "ｻﾄｳ"},
)


class DisagreementError(Exception):
    """The floor does not do the same work, so nothing may be measured against it."""


def check_agreement(data: Data, clock: Clock | None = None) -> int:
    """Return how many questions were asked; raise when one is answered differently."""
    clock = clock or SystemClock()
    app = create_app(data.settings, clock)
    ours = app.test_client()
    theirs = floor.make_app(data.settings, clock.today()).test_client()
    asked = 0
    for workspace in (data.workspaces[0], data.workspaces[-1]):
        for path, key, question in _questions(data, workspace):
            one, other = (_answer(client, path, key, question) for client in (ours, theirs))
            if one != other:
                raise DisagreementError(f"{path} {question}: {_difference(one, other)}")
            asked += 1
    app.extensions["pms.database"].dispose()
    return asked


def _questions(data: Data, workspace: Measured) -> Iterator[tuple[str, str, Question]]:
    of_places = _of_places(data, workspace)
    for page, kept, sort in product(_PAGES, (*_FILTERS, *of_places), _SORTS):
        yield PROPERTIES, workspace.read_key, page | kept | sort
    for question in (*_OF_RESIDENTS, *_of_people(data, workspace), *_in_places(of_places)):
        yield RESIDENTS, workspace.residents_key, question


def _of_places(data: Data, workspace: Measured) -> list[Question]:
    area, name, layout, id_ = _row(
        data,
        "SELECT b.area, b.name_en, u.layout, b.id FROM building b JOIN unit u"
        " ON u.workspace_id = b.workspace_id AND u.building_id = b.id WHERE b.workspace_id = ?",
        workspace,
    )
    return [{"areas": f"{area},x"}, {"building": name}, {"building": id_}, {"layouts": layout}]


def _in_places(of_places: Sequence[Question]) -> list[Question]:
    return [place | {"limit": "50"} for place in of_places if "building" in place]


def _of_people(data: Data, workspace: Measured) -> list[Question]:
    statement = "SELECT email, unit_id FROM reservation WHERE workspace_id = ? AND email <> ''"
    email, unit_id = _row(data, statement, workspace)
    return [{"email": f" {email.upper()} "}, {"unit": unit_id}]


def _row(data: Data, statement: str, workspace: Measured) -> tuple[Any, ...]:
    connection = sqlite3.connect(data.path)
    row: tuple[Any, ...] = connection.execute(statement, (workspace.id,)).fetchone()
    connection.close()
    return row


def _answer(client: FlaskClient, path: str, key: str, question: Question) -> Any:
    headers = {"Authorization": f"Bearer {key}", "Host": "localhost"}
    with redirect_stdout(io.StringIO()):  # the log
        return client.get(path, query_string=question, headers=headers).get_json()


def _difference(one: Any, other: Any) -> str:
    """Return where two answers first part."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return next(f"{k}: {_difference(one[k], other[k])}" for k in one if one[k] != other[k])
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return next(_difference(a, b) for a, b in zip(one, other, strict=True) if a != b)
    return f"{str(one)[:200]} against {str(other)[:200]}"
