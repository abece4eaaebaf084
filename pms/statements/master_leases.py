"""Master leases: what the operator pays the owner of a building, and on which days rents are its own."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from msgspec import to_builtins
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import count_change
from pms.catalogue.management_forms import forms_of_buildings
from pms.catalogue.models import Building, ManagementFormRow
from pms.catalogue.owners import building_shares_on
from pms.foundation.audit import note_audit_event, note_difference
from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.stored_forms import read_stored
from pms.foundation.versions import asked_once
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.days import Days
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.rules.management_forms import FormFrom, ManagementForm, form_in_force
from pms.rules.master_leases import (
    LeaseRentKind,
    LeaseStep,
    LeaseTerms,
    lacks_lease,
    lease_in_force,
)
from pms.statements.models import MasterLease

USUAL_CATEGORIES: Final = (FeeCategory.RENT, FeeCategory.BUILDING_MAINTENANCE)
LEASED_CATEGORIES: Final = (
    *USUAL_CATEGORIES,
    FeeCategory.UTILITIES,
    FeeCategory.SURCHARGE,
    FeeCategory.SERVICE,
)
"""What a percentage can be of."""
LEASE_TAXES: Final = (TaxTreatment.EXEMPT, TaxTreatment.TAXABLE_10)
MOST_STEPS: Final = 6
NOTICED_BEFORE: Final = timedelta(days=60)
"""How long before it comes a change of the rent is on Today."""
_MOST_FREE_MONTHS: Final = 60


@dataclass(frozen=True, kw_only=True)
class WrittenMasterLease:
    """A master lease as it is typed; its first step begins with it."""

    first_on: date
    last_on: date | None = None
    free_months: int = 0
    steps: tuple[LeaseStep, ...]
    categories: tuple[FeeCategory, ...] = USUAL_CATEGORIES
    tax_treatment: TaxTreatment = TaxTreatment.EXEMPT

    def check(self) -> None:
        """Raise `Refused` for terms that cannot be."""
        if self.last_on is not None and self.last_on < self.first_on:
            raise Refused("lastOn: {last} is before the first day.", last=self.last_on)
        if not 0 <= self.free_months <= _MOST_FREE_MONTHS:
            raise Refused("freeMonths: enter 0 to {most}.", most=_MOST_FREE_MONTHS)
        if self.tax_treatment not in LEASE_TAXES:
            raise Refused("taxTreatment: the rent is exempt or taxable.")
        if not self.steps or self.steps[0].from_on != self.first_on:
            raise Refused("stepKind1: enter the rent from the first day.")
        if len(self.steps) > MOST_STEPS:
            raise Refused("stepFrom1: enter at most {most} steps.", most=MOST_STEPS)
        for place, step in enumerate(self.steps, start=1):
            if place > 1 and step.from_on <= self.steps[place - 2].from_on:
                raise Refused(
                    "{field}: {day} is not after the step before.",
                    field=f"stepFrom{place}",
                    day=step.from_on,
                )
            if self.last_on is not None and step.from_on > self.last_on:
                raise Refused(
                    "{field}: {day} is after the last day.",
                    field=f"stepFrom{place}",
                    day=step.from_on,
                )
            is_percent = step.kind is not LeaseRentKind.FIXED
            if is_percent and not (step.percent.is_finite() and 0 < step.percent <= 100):
                raise Refused(
                    "{field}: enter more than 0 and at most 100 percent.",
                    field=f"stepPercent{place}",
                )
            if not is_percent and step.rent_yen < 1:
                raise Refused("{field}: enter the rent a month.", field=f"stepRent{place}")
            if is_percent and not self.categories:
                raise Refused("categories: choose what the percentage is of.")


def agree_master_lease(
    work: Work, *, building_id: str, written: WrittenMasterLease, version: int | None = None
) -> MasterLease:
    """Write the terms of a building's master lease; those from the same day are replaced.

    `version` is that of the building as the caller read it. Raises `Refused` for terms that cannot
    be, and where the building is not under master lease on the first day.
    """
    building = locked(work.session, Building, building_id, version)
    written.check()
    forms = forms_of_buildings(work.session, [building_id]).get(building_id, ())
    in_force = form_in_force(
        [FormFrom(form.form, form.from_on) for form in forms],
        written.first_on,
        has_owner=bool(building_shares_on(work.session, building, written.first_on)),
    )
    if in_force.form is not ManagementForm.MASTER_LEASE:
        raise Refused(
            "firstOn: the building is not under a master lease on {day}. Set its management form "
            "first.",
            day=written.first_on,
        )
    row = work.session.scalar(
        select(MasterLease).where(
            MasterLease.building_id == building_id, MasterLease.first_on == written.first_on
        )
    )
    was = {} if row is None else _list_facts(row)
    if row is None:
        row = MasterLease(building_id=building_id, first_on=written.first_on)
        work.session.add(row)
    row.last_on, row.free_months = written.last_on, written.free_months
    row.steps, row.tax_treatment = to_builtins(written.steps), written.tax_treatment
    row.categories = [category.value for category in written.categories]
    row.written_at, row.written_by = work.clock.now(), work.actor
    about = ("building", building_id)
    note_difference(work, AuditEvent.MASTER_LEASE_AGREED, about, before=was, after=_list_facts(row))
    count_change(building, work.clock)
    work.session.flush()
    return row


def remove_master_lease(
    work: Work, *, building_id: str, lease_id: str, version: int | None = None
) -> None:
    """Remove a master lease that was entered wrongly; published statements stay as they are."""
    building = locked(work.session, Building, building_id, version)
    row = locked(work.session, MasterLease, lease_id)
    if row.building_id != building_id:
        raise Refused("firstOn: the lease is not one of this building.")
    about = ("building", building_id)
    note_audit_event(work, AuditEvent.MASTER_LEASE_REMOVED, about, before=_list_facts(row))
    work.session.delete(row)
    count_change(building, work.clock)
    work.session.flush()


def _list_facts(row: MasterLease) -> dict[str, Any]:
    """Return the facts of a lease for the audit, a step in one line."""
    return {
        "from_on": row.first_on,
        "last_on": row.last_on,
        "free_months": row.free_months,
        "lease_steps": [
            f"{step.from_on} {step.kind.value} "
            + (f"{step.rent_yen}" if step.kind is LeaseRentKind.FIXED else f"{step.percent}%")
            for step in steps_of(row)
        ],
        "category": list(row.categories),
        "tax_treatment": row.tax_treatment,
    }


def steps_of(row: MasterLease) -> list[LeaseStep]:
    """Return the steps of a lease, the earliest first."""
    return read_stored(list[LeaseStep], row.steps)


def master_leases(session: Session, building_id: str) -> Sequence[MasterLease]:
    """Return the master leases of a building as they were entered, the newest first."""
    asked = select(MasterLease).where(MasterLease.building_id == building_id)
    return session.scalars(asked.order_by(MasterLease.first_on.desc())).all()


class LeaseInForce(NamedTuple):
    """A master lease with the terms that count: it may end before its own last day."""

    row: MasterLease
    terms: LeaseTerms

    @property
    def days(self) -> Days:
        """The days on which the rents of the building are the operator's own."""
        return Days(self.terms.first_on, self.terms.last_on or date.max)


def leases_in_force(
    session: Session, building_ids: Iterable[str]
) -> Mapping[str, Sequence[LeaseInForce]]:
    """Return the master leases of buildings by their first day; buildings without any are left out."""
    return asked_once(session, _read_leases, tuple(sorted(building_ids)))


def _read_leases(
    session: Session, building_ids: tuple[str, ...]
) -> Mapping[str, Sequence[LeaseInForce]]:
    rows: defaultdict[str, list[MasterLease]] = defaultdict(list)
    asked = select(MasterLease).where(one_of(MasterLease.building_id, building_ids))
    for row in session.scalars(asked.order_by(MasterLease.first_on)):
        rows[row.building_id].append(row)
    forms = forms_of_buildings(session, rows) if rows else {}
    found: dict[str, Sequence[LeaseInForce]] = {}
    for building_id, of_building in rows.items():
        terms = [
            LeaseTerms(row.first_on, row.last_on, steps_of(row), row.free_months)
            for row in of_building
        ]
        begun = [FormFrom(form.form, form.from_on) for form in forms.get(building_id, ())]
        in_force = [
            LeaseInForce(row, counting)
            for place, row in enumerate(of_building)
            if (counting := lease_in_force(terms[place], terms[place + 1 :], begun)) is not None
        ]
        if in_force:
            found[building_id] = in_force
    return found


def buildings_without_lease(
    session: Session, building_ids: Iterable[str], days: Days
) -> Collection[str]:
    """Return the buildings under master lease on one of the days whose rent nobody entered."""
    ids = list(building_ids)
    if not ids:
        return ()
    forms, leases = forms_of_buildings(session, ids), leased_days(session, ids)
    return {
        id_
        for id_, rows in forms.items()
        if lacks_lease([FormFrom(row.form, row.from_on) for row in rows], leases.get(id_, ()), days)
    }


def leased_days(session: Session, building_ids: Iterable[str]) -> Mapping[str, Sequence[Days]]:
    """Return the days of master leases by building; buildings without any are left out."""
    return days_of_leases(leases_in_force(session, building_ids))


def days_of_leases(leases: Mapping[str, Sequence[LeaseInForce]]) -> Mapping[str, Sequence[Days]]:
    """Return the days of leases, by building."""
    return {id_: [lease.days for lease in found] for id_, found in leases.items()}


class LeaseNotice(NamedTuple):
    """A building under master lease: when its rent changes next, and whether nobody entered it."""

    building_id: str
    name: Bilingual
    revision_on: date | None
    is_missing: bool

    def is_due(self, today: date) -> bool:
        """Whether somebody has to enter the rent, or to think of its change."""
        is_soon = self.revision_on is not None and self.revision_on <= today + NOTICED_BEFORE
        return self.is_missing or is_soon


def lease_notices(
    session: Session, today: date, building_id: str | None = None
) -> Sequence[LeaseNotice]:
    """Return the buildings that are or were under master lease, all or one, by name."""
    leased = select(ManagementFormRow.building_id).where(
        ManagementFormRow.form == ManagementForm.MASTER_LEASE
    )
    if building_id is not None:
        leased = leased.where(ManagementFormRow.building_id == building_id)
    buildings = session.execute(
        select(Building.id, Building.name, Building.name_en)
        .where(Building.id.in_(leased))
        .order_by(Building.name_key, Building.id)
    ).all()
    ids = [building.id for building in buildings]
    if not ids:
        return ()
    without = buildings_without_lease(session, ids, Days(today, today))
    leases = leases_in_force(session, ids)
    found = []
    for id_, name, name_en in buildings:
        revisions = [lease.terms.next_revision_on(today) for lease in leases.get(id_, ())]
        coming = min((on for on in revisions if on is not None), default=None)
        found.append(LeaseNotice(id_, Bilingual(name, name_en), coming, id_ in without))
    return found
