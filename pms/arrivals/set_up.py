"""The steps of setting up a workspace."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    exists,
    func,
    or_,
    select,
)
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.access.models import ApiKey, Invitation, Member
from pms.arrivals.models import Takeover
from pms.catalogue.management_forms import select_buildings_without_form
from pms.catalogue.models import Building, Photo, Unit
from pms.contracts.models import ContractTemplate
from pms.foundation.clock import Clock
from pms.foundation.versions import asked_once
from pms.reservations.models import Reservation
from pms.rules.enumerations import (
    TakeoverState,
)
from pms.statements.owner_terms import select_buildings_without_terms
from pms.workspaces.models import Fee, OfficeBank, Workspace
from pms.workspaces.new_workspaces import FIRST_FEES
from pms.workspaces.settings import workspace_to_edit


class SetUpStep(StrEnum):
    """A step of setting up a workspace; the order of the members is the recommended one."""

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
    """The steps that are done, and whether the list was hidden from Today.

    `without_terms` is a building that has an owner but no terms with the owner, if there is one,
    `without_form` one whose management form nobody named.
    """

    done: frozenset[SetUpStep]
    without_terms: str | None
    without_form: str | None
    is_hidden: bool
    is_sample: bool

    @property
    def is_due(self) -> bool:
        """Whether Today shows the list."""
        asked = (self.without_terms, self.without_form)
        is_complete = len(self.done) == len(SetUpStep) and asked == (None, None)
        return not (self.is_hidden or is_complete)


def read_set_up(session: Session) -> SetUp:
    """Return how far the session's workspace is set up, in one query."""
    return asked_once(session, _read_set_up)


def _read_set_up(session: Session) -> SetUp:
    facts = [fact.label(step.value) for step, fact in _list_step_conditions()]
    without_terms = select_buildings_without_terms().with_only_columns(Building.id).limit(1)
    without_form = select_buildings_without_form().limit(1)
    asked = select(
        Workspace.set_up_hidden_at,
        Workspace.sample_of,
        without_terms.scalar_subquery().label("without_terms"),
        without_form.scalar_subquery().label("without_form"),
        *facts,
    )
    row = session.execute(asked).one()
    done = frozenset(step for step in SetUpStep if row._mapping[step.value])
    return SetUp(
        done,
        row.without_terms,
        row.without_form,
        row.set_up_hidden_at is not None,
        row.sample_of is not None,
    )


def _list_step_conditions() -> Iterator[tuple[SetUpStep, ColumnElement[bool]]]:
    first_fees = [code for code, *_rest in FIRST_FEES]
    yield SetUpStep.PAPERS, Workspace.address.is_not(None)
    yield SetUpStep.LOGO, Workspace.logo_file_key.is_not(None)
    yield (
        SetUpStep.BANK,
        or_(Workspace.bank_details.is_not(None), _has_rows_of_workspace(OfficeBank.workspace_id)),
    )
    yield SetUpStep.BUILDING, _has_rows_of_workspace(Building.workspace_id)
    yield SetUpStep.ROOMS, _has_rows_of_workspace(Unit.workspace_id)
    yield SetUpStep.PHOTOS, _has_rows_of_workspace(Photo.workspace_id)
    yield SetUpStep.FEES, _has_rows_of_workspace(Fee.workspace_id, Fee.code.not_in(first_fees))
    yield SetUpStep.CONTRACT, _has_rows_of_workspace(ContractTemplate.workspace_id)
    counted = select(func.count(Member.id)).where(
        Member.workspace_id == Workspace.id, Member.removed_at.is_(None)
    )
    has_several_members = counted.correlate(Workspace).scalar_subquery() > 1
    yield (
        SetUpStep.TEAM,
        or_(_has_rows_of_workspace(Invitation.workspace_id), has_several_members),
    )
    live = _has_rows_of_workspace(Takeover.workspace_id, Takeover.state == TakeoverState.LIVE)
    yield SetUpStep.TAKEOVER, or_(live, _has_rows_of_workspace(Reservation.workspace_id))
    yield (
        SetUpStep.WEBSITE,
        _has_rows_of_workspace(ApiKey.workspace_id, ApiKey.revoked_at.is_(None)),
    )


def _has_rows_of_workspace(
    workspace_id: InstrumentedAttribute[str], *conditions: ColumnElement[bool]
) -> ColumnElement[bool]:
    return exists().where(workspace_id == Workspace.id, *conditions)


def show_set_up(session: Session, clock: Clock, *, is_shown: bool) -> None:
    """Show the list on Today or hide it; nothing else of the workspace changes."""
    row = workspace_to_edit(session)
    row.set_up_hidden_at = None if is_shown else clock.now()
    session.flush()
