"""The staff of the demo: four people a workspace, one of them in both, with known passwords.

Only for trying the program out: production never makes them.
"""

from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.add_member import add_member, place_of
from pms.access.models import Person
from pms.demo.houses import MIDORI_LIVING, TOKYO_NEST
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.passwords import Passwords
from pms.rules.enumerations import StaffRole
from pms.workspaces.queries import all_workspaces

PASSWORD: Final = "kawasemi-demo"
_BOTH: Final = "both"


class DemoAccount(NamedTuple):
    """Somebody of the demo who signs in with `PASSWORD`."""

    email: str
    name: str
    places: tuple[tuple[str, StaffRole], ...]


def _account(slug: str, place: str, name: str, role: StaffRole) -> DemoAccount:
    return DemoAccount(f"{role}@{place}.example", name, ((slug, role),))


_NEST, _MIDORI = TOKYO_NEST.slug, MIDORI_LIVING.slug
ACCOUNTS: Final = (
    _account(_MIDORI, "midori", "小川 智子", StaffRole.OPERATOR),
    _account(_MIDORI, "midori", "岡田 誠", StaffRole.OFFICE),
    _account(_MIDORI, "midori", "林 さくら", StaffRole.HOUSEKEEPING),
    _account(_MIDORI, "midori", "松本 剛", StaffRole.MAINTENANCE),
    _account(_NEST, "nest", "青木 直美", StaffRole.OPERATOR),
    _account(_NEST, "nest", "石田 健太", StaffRole.OFFICE),
    _account(_NEST, "nest", "村上 楓", StaffRole.HOUSEKEEPING),
    _account(_NEST, "nest", "和田 浩二", StaffRole.MAINTENANCE),
    DemoAccount(
        f"{_BOTH}@demo.example",
        "中川 遥",
        ((_MIDORI, StaffRole.OPERATOR), (_NEST, StaffRole.OFFICE)),
    ),
)


def employ_staff(database: Database, clock: Clock) -> int:
    """Give the demo workspaces their staff; return how many places were new.

    Done again, it changes nothing. Raises `Refused` in production.
    """
    if database.settings.is_production:
        raise Refused("The accounts of the demo have known passwords: not in production.")
    kept = Passwords(database.settings).hashed(PASSWORD)
    with database.across_workspaces_writing() as session:
        ids = {workspace.slug: workspace.id for workspace in all_workspaces(session)}
        return sum(
            _employ(session, clock, account, ids[slug], role=role, kept=kept)
            for account in ACCOUNTS
            for slug, role in account.places
            if slug in ids
        )


def _employ(
    session: Session,
    clock: Clock,
    account: DemoAccount,
    workspace_id: str,
    *,
    role: StaffRole,
    kept: str,
) -> bool:
    person_id = session.scalar(select(Person.id).where(Person.email == account.email))
    if person_id is not None and place_of(session, workspace_id, person_id) is not None:
        return False
    add_member(
        session,
        clock,
        workspace_id=workspace_id,
        email=account.email,
        name=account.name,
        role=role,
        password_hash=kept,
    )
    return True
