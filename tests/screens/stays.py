"""Guests' stays with everything that the pages of their links can show."""

from datetime import date, timedelta

from sqlalchemy import select

from pms.arrivals.free_units import free_units
from pms.catalogue.models import Unit
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.enumerations import RegisterField
from pms.rules.links import GuestRegisterEntry
from pms.stays.check_in_links import create_check_in_link
from pms.stays.guests import plan_arrival, register_guest
from pms.stays.models import CheckInLink
from pms.stays.stay_links import stay_link
from tests.screens.screens import Screen
from tests.screens.world import LIVED_IN, World

_BEGUN, _DONE = "person/begun", "person/done"
"""Who made a link tells how far its stay is; each is made once, for units are few."""
_WRITTEN = GuestRegisterEntry(
    name="Lucía Fernández de la Vega",
    nationality="Spain",
    passport_number="PAB123456",
    address="Calle de Alcalá 45, Madrid, Spain",
    contact="lucia@example.com",
    extras={RegisterField.OCCUPATION.value: "Architect"},
)


def guests_path(world: World, screen: Screen) -> dict[str, str]:
    """Return the parameters of a guest's pages: a stay that begins today, in a few hours."""
    with world.database.writing(world.workspace_ids[LIVED_IN]) as session:
        is_done = screen.endpoint.endswith((".ready", ".stay"))
        link_id = _stay(session, world, _DONE if is_done else _BEGUN)
        link = stay_link(session, link_id, world.clock.today())
        token = link.token(Signer(world.settings.secret_key))
    return {"token": token, "position": "1"}


def check_in_link_id(world: World) -> str:
    """Return the id of such a link, its register written."""
    with world.database.writing(world.workspace_ids[LIVED_IN]) as session:
        return _stay(session, world, _DONE)


def _stay(session: WorkspaceSession, world: World, actor: str) -> str:
    known = session.scalar(select(CheckInLink.id).where(CheckInLink.created_by == actor))
    if known is None:
        known = _booked(session, world, actor)
        if actor == _DONE:
            _checked_in(session, world, known)
    return known


def _booked(session: WorkspaceSession, world: World, actor: str) -> str:
    check_in = world.clock.today()
    link_id = create_check_in_link(
        Work(session, world.clock, actor),
        unit_id=_free_unit(session, check_in),
        check_in=check_in,
        check_out=check_in + timedelta(days=1),
        guest_name="Lucía Fernández de la Vega",
        guests=2,
        email="lucia.fernandez@example.com",
        locale="en",
    )
    assert link_id
    return link_id


def _checked_in(session: WorkspaceSession, world: World, link_id: str) -> None:
    guest = {"link_id": link_id, "guest": _WRITTEN}
    register_guest(Work(session, world.clock, _DONE), position=1, **guest)  # type: ignore[arg-type]
    plan_arrival(
        Work(session, world.clock, _DONE), link_id=link_id, arrival_time="17:30", accepts_rules=True
    )


def _free_unit(session: WorkspaceSession, check_in: date) -> str:
    for building_id in session.scalars(
        select(Unit.building_id).distinct().order_by(Unit.building_id)
    ):
        found = free_units(session, building_id, check_in, check_in + timedelta(days=1), check_in)
        if found:
            return found[0].id
    raise AssertionError("every unit of the demo is taken today")
