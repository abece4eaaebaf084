"""Tells whether a month's statement is published, and whether it still tells the truth."""

from datetime import date
from enum import StrEnum

from sqlalchemy.orm import Session

from pms.rules.days import month_first
from pms.statements.owner_figures import owner_figures
from pms.statements.publish_statement import latest_statement
from pms.statements.published_figures import read


class StatementState(StrEnum):
    """Where the statement of a building's month stands."""

    UNPUBLISHED = "unpublished"
    PUBLISHED = "published"
    CHANGED = "changed_after_publish"


def statement_state(
    session: Session, building_id: str, month_on: date, today: date
) -> StatementState:
    """Return the state of a month: changed when the ledger now gives other figures."""
    month_on = month_first(month_on)
    latest = latest_statement(session, building_id, month_on)
    if latest is None:
        return StatementState.UNPUBLISHED
    figures = owner_figures(session, building_id, month_on, today)
    is_same = read(latest.figures).figures.money == figures.money
    return StatementState.PUBLISHED if is_same else StatementState.CHANGED
