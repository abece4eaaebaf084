"""Publishing the next version of an owner statement."""

from collections.abc import Sequence
from datetime import date
from urllib.parse import urlencode

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Owner
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.phrases import Bilingual
from pms.foundation.sealing import sealed_text
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.days import month_first, month_last, month_of
from pms.statements.fee_invoices import figures_of, issue_fee_invoices, joint_name, share_holders
from pms.statements.master_leases import buildings_without_lease
from pms.statements.models import OwnerStatement, StatementAccount
from pms.statements.owner_figures import (
    Published,
    ShareHolder,
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
    if buildings_without_lease(session, [building_id], month_of(month_on)):
        raise Refused(
            "month: the building is under master lease in {month_on:%Y-%m}, but its rent is not "
            "agreed. Enter the rent first.",
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
