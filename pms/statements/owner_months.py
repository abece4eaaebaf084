"""Owner statements of each building's month, and their figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, exists, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, ManagementFormRow, Owner
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.kept_figures import SharedAnswers
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY
from pms.rules.days import add_months, month_first, month_last, month_of
from pms.rules.management_forms import ManagementForm
from pms.statements.master_leases import buildings_without_lease
from pms.statements.models import OwnerStatement
from pms.statements.owner_figures import (
    OwnerFigures,
    figures_of_buildings,
    read,
)
from pms.workspaces.queries import counters


class StatementState(StrEnum):
    """The state of a building's monthly statement."""

    UNPUBLISHED = "unpublished"
    PUBLISHED = "published"
    CHANGED = "changed_after_publish"


ASKED_AT_ONCE: Final = 10
"""The buildings of one page or step: their whole history is calculated for the balance."""


class PublishingBar(StrEnum):
    """Why a month cannot be published."""

    NO_OWNER = "no_owner"
    MONTH_RUNS = "month_runs"
    PASSED_OVER = "passed_over"
    NO_LEASE = "no_lease"


class PublishedVersion(NamedTuple):
    """One version of a month's statement; its figures never change."""

    id: str
    version: int
    published_at: datetime
    published_by: str
    figures: OwnerFigures


@dataclass(frozen=True, slots=True)
class OwnerBuildingMonth:
    """A building's month by the current ledger, with its published versions."""

    building_id: str
    building: Bilingual
    owner: str | None
    figures: OwnerFigures
    published: PublishedVersion | None
    bar: PublishingBar | None

    @property
    def state(self) -> StatementState:
        """The state: changed when the ledger's figures differ from the latest version."""
        if self.published is None:
            return StatementState.UNPUBLISHED
        is_same = self.published.figures.money == self.figures.money
        return StatementState.PUBLISHED if is_same else StatementState.CHANGED

    @property
    def is_to_publish(self) -> bool:
        """Whether publishing now would write a new version."""
        return self.bar is None and self.state is not StatementState.PUBLISHED


def owner_months(
    session: Session, month_on: date, today: date, paging: Paging
) -> tuple[Sequence[OwnerBuildingMonth], int]:
    """Return one page of the buildings by name, and the number of all.

    The number of queries does not depend on the number of buildings.
    """
    total = session.scalar(select(func.count()).select_from(Building)) or 0
    page = _BUILDINGS.offset(min(paging.offset, total)).limit(paging.limit)
    return _build_months(session, page, month_on, today), total


def owner_month(
    session: Session, building_id: str, month_on: date, today: date
) -> OwnerBuildingMonth:
    """Return the month of one building; raise `NotFound` for an unknown one."""
    found = (
        _build_months(session, _BUILDINGS.where(Building.id == building_id), month_on, today)
        if is_id(building_id)
        else ()
    )
    if not found:
        raise no_such("building", building_id)
    return found[0]


def months_of_buildings(
    session: Session, building_ids: Sequence[str], month_on: date, today: date
) -> Sequence[OwnerBuildingMonth]:
    """Return the month of some buildings, by name."""
    chosen = _BUILDINGS.where(Building.id.in_(list(building_ids)))
    return _build_months(session, chosen, month_on, today)


def all_owner_months(session: Session, month_on: date, today: date) -> Sequence[OwnerBuildingMonth]:
    """Return the month of every building, by name, without the accounts of its payouts.

    The figures, which take long to make, are kept until the ledger, a stay or the catalogue
    changes.
    """
    month_on = month_first(month_on)
    state = today, counters(session, CATALOGUE, OCCUPANCY, LEDGER)
    figures = FIGURES_OF_ALL.answer(
        session, month_on, state, lambda: _make_all_figures(session, month_on, today)
    )
    return _build_months(session, _BUILDINGS, month_on, today, figures)


FIGURES_OF_ALL: Final[SharedAnswers[date, Mapping[str, OwnerFigures]]] = SharedAnswers(
    "owner_months",
    date,
    dict[str, OwnerFigures],
    lambda session, clock, month_on: all_owner_months(session, month_on, clock.today()),
    usual=lambda _, clock: add_months(month_first(clock.today()), -1),
    most=2,
)


def _make_all_figures(session: Session, month_on: date, today: date) -> Mapping[str, OwnerFigures]:
    figures = figures_of_buildings(session, building_ids(session), month_on, today)
    # Accounts are stored sealed, and not a second time.
    return {id_: replace(each, payout_account=None) for id_, each in figures.items()}


def building_ids(session: Session) -> Sequence[str]:
    """Return the ids of all buildings, in order."""
    return session.scalars(select(Building.id).order_by(Building.id)).all()


_BUILDINGS: Final = (
    select(
        Building.id,
        Building.name,
        Building.name_en,
        Owner.name,
        select(func.max(OwnerStatement.month_on))
        .where(refers_to(OwnerStatement.building_id, Building))
        .correlate(Building)
        .scalar_subquery(),
        exists()
        .where(
            refers_to(ManagementFormRow.building_id, Building),
            ManagementFormRow.form == ManagementForm.MASTER_LEASE,
        )
        .correlate(Building),
    )
    .outerjoin(Owner, refers_to(Building.owner_id, Owner))
    .order_by(Building.name_key, Building.id)
)


def _build_months(
    session: Session,
    asked: Select[*tuple[Any, ...]],
    month_on: date,
    today: date,
    figures: Mapping[str, OwnerFigures] | None = None,
) -> Sequence[OwnerBuildingMonth]:
    month_on = month_first(month_on)
    buildings = session.execute(asked).all()
    ids = [id_ for id_, *_ in buildings]
    # Figures from before a change have no building that was added since.
    known = figures or {}
    missing = [id_ for id_ in ids if id_ not in known]
    if missing:
        known = {**known, **figures_of_buildings(session, missing, month_on, today)}
    published = _read_published(session, ids, month_on)
    leased = [building[0] for building in buildings if building[-1]]
    without_lease = buildings_without_lease(session, leased, month_of(month_on))
    return tuple(
        OwnerBuildingMonth(
            building_id=id_,
            building=Bilingual(name, name_en),
            owner=owner,
            figures=known[id_],
            published=published.get(id_),
            bar=_find_publishing_bar(owner, month_on, today, id_ in published, newest_on)
            or (PublishingBar.NO_LEASE if id_ in without_lease else None),
        )
        for id_, name, name_en, owner, newest_on, _is_leased in buildings
    )


def _read_published(
    session: Session, ids: Sequence[str], month_on: date
) -> Mapping[str, PublishedVersion]:
    """Return the latest version of each building's month; later versions overwrite earlier ones."""
    found = session.scalars(
        select(OwnerStatement)
        .where(OwnerStatement.building_id.in_(ids), OwnerStatement.month_on == month_on)
        .order_by(OwnerStatement.version)
    )
    return {row.building_id: version_of(row) for row in found}


def version_of(row: OwnerStatement) -> PublishedVersion:
    """Return a published version in the form in which it is shown."""
    figures = read(row.figures).figures
    return PublishedVersion(row.id, row.version, row.published_at, row.published_by, figures)


def _find_publishing_bar(
    owner: str | None, month_on: date, today: date, is_published: bool, newest_on: date | None
) -> PublishingBar | None:
    """Return the reason for which `publish_statement` would refuse, or None."""
    if owner is None:
        return PublishingBar.NO_OWNER
    if today <= month_last(month_on):
        return PublishingBar.MONTH_RUNS
    is_passed = not is_published and newest_on is not None and newest_on > month_on
    return PublishingBar.PASSED_OVER if is_passed else None
