"""How far a workspace is set up, read from what is there; and whether Today still lists it."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import ColumnElement, exists, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.access.models import ApiKey, Invitation, Member
from pms.arrivals.models import Takeover
from pms.catalogue.models import Building, Photo, Unit
from pms.contracts.models import ContractTemplate
from pms.foundation.clock import Clock
from pms.reservations.models import Reservation
from pms.rules.enumerations import TakeoverState
from pms.workspaces.models import Fee, OfficeBank, Workspace
from pms.workspaces.queries import FIRST_FEES
from pms.workspaces.settings import workspace_to_edit


class SetUpStep(StrEnum):
    """What a new workspace needs, in the order it is best done."""

    PAPERS = "papers"
    LOGO = "logo"
    BANK = "bank"
    BUILDING = "building"
    ROOMS = "rooms"
    PHOTOS = "photos"
    FEES = "fees"
    CONTRACT = "contract"
    TEAM = "team"
    TAKEOVER = "takeover"
    WEBSITE = "website"


class SetUp(NamedTuple):
    """The steps that are done, and whether somebody took the list off Today."""

    done: frozenset[SetUpStep]
    is_hidden: bool
    is_sample: bool

    @property
    def is_due(self) -> bool:
        """Whether Today shows the list."""
        return not self.is_hidden and len(self.done) < len(SetUpStep)


def read_set_up(session: Session) -> SetUp:
    """Return how far the session's workspace is; one question."""
    facts = [fact.label(step.value) for step, fact in _facts()]
    row = session.execute(select(Workspace.set_up_hidden_at, Workspace.sample_of, *facts)).one()
    done = frozenset(step for step in SetUpStep if row._mapping[step.value])
    return SetUp(done, row.set_up_hidden_at is not None, row.sample_of is not None)


def _facts() -> Iterator[tuple[SetUpStep, ColumnElement[bool]]]:
    first_fees = [code for code, *_rest in FIRST_FEES]
    yield SetUpStep.PAPERS, Workspace.address.is_not(None)
    yield SetUpStep.LOGO, Workspace.logo_file_key.is_not(None)
    yield (
        SetUpStep.BANK,
        or_(Workspace.bank_details.is_not(None), _own(OfficeBank.workspace_id)),
    )
    yield SetUpStep.BUILDING, _own(Building.workspace_id)
    yield SetUpStep.ROOMS, _own(Unit.workspace_id)
    yield SetUpStep.PHOTOS, _own(Photo.workspace_id)
    yield SetUpStep.FEES, _own(Fee.workspace_id, Fee.code.not_in(first_fees))
    yield SetUpStep.CONTRACT, _own(ContractTemplate.workspace_id)
    yield SetUpStep.TEAM, or_(_own(Invitation.workspace_id), _has_several_members())
    live = _own(Takeover.workspace_id, Takeover.state == TakeoverState.LIVE)
    yield SetUpStep.TAKEOVER, or_(live, _own(Reservation.workspace_id))
    yield SetUpStep.WEBSITE, _own(ApiKey.workspace_id, ApiKey.revoked_at.is_(None))


def _own(
    workspace_id: InstrumentedAttribute[str], *conditions: ColumnElement[bool]
) -> ColumnElement[bool]:
    return exists().where(workspace_id == Workspace.id, *conditions)


def _has_several_members() -> ColumnElement[bool]:
    counted = select(func.count(Member.id)).where(
        Member.workspace_id == Workspace.id, Member.removed_at.is_(None)
    )
    return counted.correlate(Workspace).scalar_subquery() > 1


def show_set_up(session: Session, clock: Clock, *, is_shown: bool) -> None:
    """Show the list on Today, or take it off; nothing else of the workspace changes."""
    row = workspace_to_edit(session)
    row.set_up_hidden_at = None if is_shown else clock.now()
    session.flush()
