"""Statements by share: what of a building's month belongs to each of its owners."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.catalogue.shares import building_shares_on, owner_names, write_shares
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.work import Work
from pms.rules.days import ONE_DAY, month_last
from pms.rules.owner_shares import RunningPart, part_of
from pms.statements.models import OwnerStatement
from pms.statements.owner_figures import OwnerFigures, Published, ShareHolder


def figures_of(published: Published, owner_ids: Collection[str] | None) -> OwnerFigures:
    """Return the figures of a published month, or what of them belongs to some of its owners."""
    if owner_ids is None or not published.shares:
        return published.figures
    return part_of_figures(published.figures, published.shares, owner_ids)


def holders_of(published: Published, owner_ids: Collection[str] | None) -> Sequence[ShareHolder]:
    """Return the owners whose part is meant; none where a month belongs to one owner alone."""
    return [one for one in published.shares if owner_ids is not None and one.owner_id in owner_ids]


def part_of_figures(
    figures: OwnerFigures, shares: Sequence[ShareHolder], owner_ids: Collection[str]
) -> OwnerFigures:
    """Return what of a month belongs to some of its owners (docs/decisions/owner-statements.md).

    Lines follow the running total, so that they add up to the part of the closing balance.
    """
    held = [one.share for one in shares]
    running = RunningPart(held, owner_ids)
    opening_yen = running.take(figures.opening_yen)
    income = [row._replace(yen=running.take(row.yen)) for row in figures.income]
    deductions = [line._replace(yen=-running.take(-line.yen)) for line in figures.deductions]
    payout_yen = part_of(held, owner_ids, figures.payout_yen)
    return replace(
        figures,
        opening_yen=opening_yen,
        income=tuple(row for row in income if row.yen),
        deductions=tuple(line for line in deductions if line.yen),
        closing_yen=running.yen,
        payout_yen=payout_yen,
        carried_yen=running.yen - payout_yen,
        payout_account=None,
    )


def share_holders(session: Session, building: Building, month_on: date) -> Sequence[ShareHolder]:
    """Return the owners of a building on the last day of a month with names, the leading first."""
    shares = building_shares_on(session, building, month_last(month_on))
    names = owner_names(session, shares)
    return [ShareHolder(*share, name=names[share.owner_id]) for share in shares]


class OwnerPart(NamedTuple):
    """What of a building's month belongs to one of its owners."""

    holder: ShareHolder
    figures: OwnerFigures


def owner_parts(session: Session, building_id: str, figures: OwnerFigures) -> Sequence[OwnerPart]:
    """Return the part of each owner in a month as it is now; none for one owner alone."""
    building = session.scalars(select(Building).where(Building.id == building_id)).one()
    holders = share_holders(session, building, figures.month_on)
    if len(holders) < 2:
        return ()
    return [OwnerPart(one, part_of_figures(figures, holders, [one.owner_id])) for one in holders]


def set_shares(
    work: Work,
    *,
    building_id: str,
    from_on: date,
    parts: Sequence[tuple[str, Fraction]],
    version: int,
) -> int:
    """Write whose a building is from a day on, and return its version.

    Raises `Refused` for a day of a published month: its statement says whose the money is.
    """
    if not is_id(building_id):
        raise no_such("building", building_id)
    newest_on = work.session.scalar(
        select(func.max(OwnerStatement.month_on)).where(OwnerStatement.building_id == building_id)
    )
    if newest_on is not None and from_on <= month_last(newest_on):
        raise Refused(
            "fromOn: statements are published through {last}; take {first} or later.",
            last=month_last(newest_on),
            first=month_last(newest_on) + ONE_DAY,
        )
    return write_shares(
        work, building_id=building_id, from_on=from_on, parts=parts, version=version
    )


def joint_name(holders: Sequence[ShareHolder]) -> str:
    """Return the names of owners as one addressee."""
    return "、".join(one.name for one in holders)
