"""Walks every address as a member of each role who works for one building of two.

What leads to the other building, by the path that its table declares, is not there for them.
"""

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any, Final

import pytest
from flask import Flask
from sqlalchemy import select

from pms.access.models import Member
from pms.foundation.building_paths import leads_to
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.db import Base
from pms.rules.enumerations import StaffRole
from pms.surfaces.dashboard.gate import DashboardRouteCheck, dashboard
from tests import cast as builders
from tests.cast import Cast
from tests.staff import Browser, Staff, open_browser
from tests.surfaces.choices import FORM
from tests.surfaces.dashboard.records import records_of
from tests.surfaces.dashboard.reservations.forms import controls_of
from tests.surfaces.dashboard.test_who_reaches_what import addresses, ask_address

BOUND: Final = (StaffRole.OFFICE, StaffRole.MAINTENANCE, StaffRole.HOUSEKEEPING)
THERE: Final = {
    "building_id": "b" * 32,
    "unit_id": "c" * 32,
    "reservation_id": "d" * 32,
    "owner_id": "e" * 32,
}
_NAMES_HERE: Final = ("カワセミ荘", "佐藤 花子", "山本 茂", "Emma Wilson", "yamamoto@example.jp")
_NAMES_THERE: Final = ("鶴見荘", "Tsurumi", "中村 健", "北川 梢", "kitagawa@example.jp")
_SELECT: Final = re.compile(r"(<select\b[^>]*\bname=\"([^\"]+)\".*?</select>)", re.DOTALL)
_INPUT: Final = re.compile(r"(<input\b[^>]*\bname=\"([^\"]+)\"[^>]*>)")
_ACTION: Final = re.compile(r"^<form[^>]*action=\"([^\"]+)\"")
_LINK: Final = re.compile(r"\b(href|hx-get|action)=\"(/dashboard/[^\"#?]*)")


@dataclass(frozen=True)
class TwoBuildings:
    """Kawasemi House with a record of every kind, and another building of the workspace."""

    app: Flask
    clock: FixedClock
    cast: Cast
    staff: Staff
    here: Mapping[str, str]

    @property
    def database(self) -> Database:
        """The database of the application."""
        found: Database = self.app.extensions["pms.database"]
        return found

    def bind(self, role: StaffRole, building_id: str) -> Browser:
        """Return the browser of a role's member, who works for one building from now on."""
        person_id = self.staff.of_role(role)
        with self.database.writing(self.cast.sumida.workspace_id) as session:
            of_person = Member.person_id == person_id
            session.scalars(select(Member).where(of_person)).one().building_ids = [building_id]
        return open_browser(self.app, self.clock, person_id, self.cast.sumida.slug)

    def ids_of(self, building_id: str) -> frozenset[str]:
        """Return the ids of all rows that lead to a building."""
        return frozenset(id_ for _, id_ in self.rows_of(building_id))

    def rows_of(self, building_id: str) -> Set[tuple[str, str]]:
        """Return table and id of all rows that lead to a building."""
        found: set[tuple[str, str]] = set()
        workspace_id = self.cast.sumida.workspace_id
        with self.database.reading(workspace_id) as session:
            for mapper in Base.registry.mappers:
                model: Any = mapper.class_
                path = getattr(model, "building_path", None)
                if path and path.leads_on and not path.or_shared:
                    table = model.__table__
                    is_of = leads_to(table, table.c.__getitem__, workspace_id, (building_id,))
                    rows = session.scalars(select(model.id).where(is_of))
                    found |= {(table.name, id_) for id_ in rows}
        return found


@pytest.fixture
def buildings(
    app: Flask, clock: FixedClock, cast: Cast, staff: Staff, database: Database
) -> TwoBuildings:
    """Both buildings of Sumida."""
    here = records_of(database, clock, cast.sumida, staff.office_id)
    with database.writing(cast.sumida.workspace_id) as session:
        for row in (
            builders.owner(id=THERE["owner_id"], name="北川 梢", email="kitagawa@example.jp"),
            builders.building(
                id=THERE["building_id"],
                name="鶴見荘",
                name_en="Tsurumi House",
                slug="tsurumi",
                owner_id=THERE["owner_id"],
            ),
            builders.unit(
                id=THERE["unit_id"], building_id=THERE["building_id"], name="903", slug="t-903"
            ),
            builders.reservation(
                id=THERE["reservation_id"],
                unit_id=THERE["unit_id"],
                name="中村 健",
                name_kana="ナカムラ ケン",
                email="nakamura@example.jp",
            ),
        ):
            session.add(row)
            session.flush()
    return TwoBuildings(app, clock, cast, staff, here)


def check_of(endpoint: str) -> DashboardRouteCheck:
    return dashboard.checks[endpoint.removeprefix("dashboard.")]


def test_nothing_of_another_building_is_there_for_a_member_of_one(buildings: TwoBuildings) -> None:
    closed = buildings.ids_of(buildings.here["building_id"])
    assert len(closed) > 80
    wrong = []
    for role in BOUND:
        browser = buildings.bind(role, THERE["building_id"])
        for rule, method in addresses(buildings.app):
            check = check_of(rule.endpoint)
            if role not in check.roles or rule.endpoint == "dashboard.gallery":
                continue
            answer = ask_address(browser, rule, method, buildings.here)
            asked = {buildings.here.get(name, "") for name in rule.arguments}
            if check.is_of_all_buildings:
                is_right = answer.status_code == 403
            elif asked & closed:
                is_right = answer.status_code == 404
            else:
                is_right = answer.status_code < 500
            shown = [name for name in {*_NAMES_HERE, *closed} - asked if name in _text_of(answer)]
            if shown or not is_right:
                wrong.append(f"{role} {method} {rule}: {answer.status_code} {shown[:2]}")
    assert not wrong, "\n".join(wrong)


def test_the_own_building_is_there_and_no_form_reaches_the_other(buildings: TwoBuildings) -> None:
    """Links and forms lead only to what opens."""
    closed = {*buildings.ids_of(THERE["building_id"]), *_NAMES_THERE}
    own = buildings.ids_of(buildings.here["building_id"])
    adapter = buildings.app.url_map.bind("localhost")

    def opens(how: str, path: str, role: StaffRole) -> bool:
        methods = set(adapter.allowed_methods(path))
        # A form without a method asks a question.
        asked = methods & {"GET", "POST"} if how == "action" else {"GET"}
        checks = [check_of(adapter.match(path, method=method)[0]) for method in asked]
        return any(role in each.roles and not each.is_of_all_buildings for each in checks)

    wrong, forms = [], dict[str, str]()
    for role in reversed(BOUND):
        browser = buildings.bind(role, buildings.here["building_id"])
        for rule, method in addresses(buildings.app):
            check = check_of(rule.endpoint)
            if method != "GET" or role not in check.roles or check.is_of_all_buildings:
                continue
            answer = ask_address(browser, rule, method, buildings.here)
            text = _text_of(answer)
            shut = {path for how, path in _LINK.findall(text) if not opens(how, path, role)}
            shown = [name for name in closed if name in text]
            # Others of the office see all of their building, the staff on site their own work.
            asked = {buildings.here.get(name, "") for name in rule.arguments}
            opens_here = role is StaffRole.OFFICE and (asked <= own or not rule.arguments)
            is_wrong = answer.status_code >= (400 if opens_here else 500)
            if is_wrong or shown or shut:
                wrong.append(f"{role} {rule}: {answer.status_code} {shown[:2]} {sorted(shut)[:4]}")
            for form in FORM.findall(text.partition("<main")[2]):
                action = _ACTION.search(form)
                forms[action[1].replace("&amp;", "&") if action else answer.request.path] = form
    assert not wrong, "\n".join(wrong)
    before, tried = buildings.rows_of(THERE["building_id"]), 0
    for address, form in forms.items():
        typed = _name_the_other(form, buildings.here)
        if typed:
            tried += 1
            answer = browser.client.post(address, data={**typed, "csrf_token": browser.form_token})
            assert answer.status_code < 500, f"{address}: {answer.status_code}"
    assert tried > 12
    assert buildings.rows_of(THERE["building_id"]) == before


def _name_the_other(form: str, here: Mapping[str, str]) -> Mapping[str, str] | None:
    """Return what a form sends with the other building and what is in it, where it names its own."""
    values = controls_of(form)
    is_naming = False
    for name, there in THERE.items():
        for control, field in (*_SELECT.findall(form), *_INPUT.findall(form)):
            if here[name] in control or field.casefold() in (name, name.replace("_", "")):
                values[field], is_naming = there, True
    return values if is_naming else None


def _text_of(answer: Any) -> str:
    text: str = answer.text if answer.mimetype.startswith(("text/", "application/json")) else ""
    return text
