"""Runs as a person reads them, a page at a time."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.runs import Run


class RunPage(NamedTuple):
    """Some runs, the newest first, and how many there are."""

    runs: Sequence[Run]
    total: int


def run_page(session: Session, paging: Paging) -> RunPage:
    """Return one page of the workspace's runs."""
    newest = select(Run).order_by(Run.started_at.desc(), Run.id.desc())
    runs = session.scalars(newest.offset(paging.offset).limit(paging.limit)).all()
    return RunPage(runs, session.scalar(select(func.count(Run.id))) or 0)


def run_record(session: Session, run_id: str) -> Run:
    """Return one run; raise `NotFound` for anything else."""
    run = session.scalar(select(Run).where(Run.id == run_id)) if is_id(run_id) else None
    if run is None:
        raise no_such("run")
    return run
