"""Owner statements of each building's month: its figures, and publishing its next version."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Owner
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.phrases import Bilingual
from pms.foundation.sealing import sealed_text
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.days import month_first, month_last
from pms.statements.fee_invoices import figures_of, issue_fee_invoices, joint_name, share_holders
from pms.statements.models import OwnerStatement, StatementAccount
from pms.statements.owner_figures import (
    OwnerFigures,
    Published,
    ShareHolder,
    figures_of_buildings,
    owner_figures,
    read,
    stored_figures,
)
from pms.workspaces.queries import branding


def mail_statement(
    session: Session, clock: Clock, statement: OwnerStatement, owner: Owner, base_url: str
) -> bool:
    """Mail a statement in the owner's language; return False when no address is recorded.

    One of several owners gets the figures of their share.

    The link leads to the sign-in page with the address filled in; a signed-in owner is passed
    through.
    """
    if not owner.email:
        return False
    brand, published = branding(session), read(statement.figures)
    figures, home = figures_of(published, [owner.id]), f"/owner/{brand.slug}"
    facts = {"next": f"{home}/statements/{statement.id}", "email": owner.email}
    mail = mail_text(
        "statement",
        owner.locale,
        hue=brand.hue,
        operator=brand.name.in_language(owner.locale),
        recipient=owner.name,
        building=Bilingual(published.building_ja, published.building_en).in_language(owner.locale),
        month_on=statement.month_on,
        income_yen=figures.income_yen,
        deducted_yen=figures.deducted_yen,
        payout_yen=figures.payout_yen,
        payout_on=figures.payout_on,
        is_correction=statement.version > 1,
        link=f"{base_url}{home}/sign-in?{urlencode(facts)}",
    )
    put_mail(session, clock, recipient=owner.email, **mail._asdict())
    return True


def publish_statement(
    work: Work, *, building_id: str, month_on: date, base_url: str | None = None
) -> OwnerStatement:
    """Publish a month's statement and return it; without changed figures the latest version.

    With the program's `base_url` the owners get a mail about a new version.

    Raises `NotFound` for an unknown building, and `Refused` while the month runs, without an owner,
    and for a month that was skipped, because a later statement includes its balance.
    """
    month_on = month_first(month_on)
    building, owners = _lock_building(work.session, building_id, month_on)
    latest = latest_statement(work.session, building_id, month_on)
    _refuse_publishing(work.session, work.clock, building_id, month_on, latest)
    figures = owner_figures(work.session, building_id, month_on, work.clock.today())
    if latest is not None and read(latest.figures).figures.money == figures.money:
        return latest
    shares = tuple(owners) if len(owners) > 1 else ()
    published = Published(joint_name(owners), building.name, building.name_en, figures, shares)
    statement = OwnerStatement(
        building_id=building_id,
        month_on=month_on,
        version=1 if latest is None else latest.version + 1,
        figures=stored_figures(published),
        published_at=work.clock.now(),
        published_by=work.actor,
    )
    work.session.add(statement)
    if figures.payout_account:
        work.session.flush()
        account = sealed_text(work.session, figures.payout_account)
        work.session.add(StatementAccount(statement_id=statement.id, account=account))
    about, facts = ("building", building_id), {"month_on": month_on, "version": statement.version}
    note_audit_event(work, AuditEvent.STATEMENT_PUBLISHED, about, after=facts)
    work.session.flush()
    issue_fee_invoices(work, statement, owners)
    if base_url is not None:
        for owner in _read_owners(work.session, owners):
            mail_statement(work.session, work.clock, statement, owner, base_url)
    return statement


def _read_owners(session: Session, owners: Sequence[ShareHolder]) -> Sequence[Owner]:
    ids = [owner.owner_id for owner in owners]
    return session.scalars(select(Owner).where(Owner.id.in_(ids)).order_by(Owner.id)).all()


def issue_missing_fee_invoices(work: Work, *, building_id: str, month_on: date) -> int:
    """Issue the missing fee invoices of a published month; return how many.

    Raises `Refused` when nothing is published or nothing is missing.
    """
    month_on = month_first(month_on)
    _, owners = _lock_building(work.session, building_id, month_on)
    latest = latest_statement(work.session, building_id, month_on)
    if latest is None:
        raise Refused("month: publish {month_on:%Y-%m} first.", month_on=month_on)
    issued = issue_fee_invoices(work, latest, read(latest.figures).shares or owners)
    if not issued:
        raise Refused(
            "month: the fee for {month_on:%Y-%m} has already been invoiced.", month_on=month_on
        )
    return len(issued)


def latest_statement(session: Session, building_id: str, month_on: date) -> OwnerStatement | None:
    """Return the newest version of a month's statement, or None."""
    return session.scalar(
        select(OwnerStatement)
        .where(OwnerStatement.building_id == building_id, OwnerStatement.month_on == month_on)
        .order_by(OwnerStatement.version.desc())
        .limit(1)
    )


def _lock_building(
    session: Session, building_id: str, month_on: date
) -> tuple[Building, Sequence[ShareHolder]]:
    """Lock and return a building, with its owners on the last day of a month.

    Concurrent publishers wait for each other, so that versions and balances are consistent. Raises
    `Refused` for a building without an owner.
    """
    wanted = select(Building).where(Building.id == building_id).with_for_update(of=Building)
    building = session.scalar(wanted) if is_id(building_id) else None
    if building is None:
        raise no_such("building", building_id)
    owners = share_holders(session, building, month_on)
    if not owners:
        raise Refused("building: The building has no owner to publish a statement for.")
    return building, owners


def _refuse_publishing(
    session: Session,
    clock: Clock,
    building_id: str,
    month_on: date,
    latest: OwnerStatement | None,
) -> None:
    if clock.today() <= month_last(month_on):
        raise Refused(
            "month: {month_on:%Y-%m} is not over yet. Publish it after its last day.",
            month_on=month_on,
        )
    newest = session.scalar(
        select(OwnerStatement.month_on)
        .where(OwnerStatement.building_id == building_id, OwnerStatement.month_on > month_on)
        .limit(1)
    )
    if latest is None and newest is not None:
        raise Refused(
            "month: {month_on:%Y-%m} is included in {newest_on:%Y-%m}, which is already published.",
            month_on=month_on,
            newest_on=newest,
        )


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
    """Return the month of every building, by name; this can take long."""
    return _build_months(session, _BUILDINGS, month_on, today)


def building_ids(session: Session) -> Sequence[str]:
    """Return the ids of all buildings, in order."""
    return session.scalars(select(Building.id).order_by(Building.id)).all()


_BUILDINGS: Final = (
    select(Building.id, Building.name, Building.name_en, Owner.name)
    .outerjoin(Owner, refers_to(Building.owner_id, Owner))
    .order_by(Building.name_key, Building.id)
)


def _build_months(
    session: Session, asked: Select[*tuple[Any, ...]], month_on: date, today: date
) -> Sequence[OwnerBuildingMonth]:
    month_on = month_first(month_on)
    buildings = session.execute(asked).all()
    ids = [id_ for id_, *_ in buildings]
    figures = figures_of_buildings(session, ids, month_on, today)
    published, newest = _read_published(session, ids, month_on), _find_newest_months(session, ids)
    return tuple(
        OwnerBuildingMonth(
            building_id=id_,
            building=Bilingual(name, name_en),
            owner=owner,
            figures=figures[id_],
            published=published.get(id_),
            bar=_find_publishing_bar(owner, month_on, today, id_ in published, newest.get(id_)),
        )
        for id_, name, name_en, owner in buildings
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


def _find_newest_months(session: Session, ids: Sequence[str]) -> Mapping[str, date]:
    """Return the latest published month of each building."""
    found = session.execute(
        select(OwnerStatement.building_id, func.max(OwnerStatement.month_on))
        .where(OwnerStatement.building_id.in_(ids))
        .group_by(OwnerStatement.building_id)
    )
    return dict(found.all())


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
