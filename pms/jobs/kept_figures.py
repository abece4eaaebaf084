"""Makes the figures that take long anew after a change, before somebody waits for them."""

from threading import Lock
from typing import Final

import structlog

from pms.accounting.months import SUMMARIES
from pms.availability.occupancy import OCCUPIED_MONTHS
from pms.foundation.kept_figures import keep_figures, wanted_figures
from pms.jobs.billing_run import PREVIEWS
from pms.jobs.runs import Tools
from pms.statements.owner_months import FIGURES_OF_ALL
from pms.statements.reports import EARNED_MONTHS

FIGURES: Final = {
    figure.name: figure
    for figure in (SUMMARIES, OCCUPIED_MONTHS, EARNED_MONTHS, FIGURES_OF_ALL, PREVIEWS)
}
"""The figures that are made again, by the names under which they are stored."""
_log: Final = structlog.get_logger("pms.jobs.kept_figures")
_at_work: Final = Lock()


def renew_kept_figures(tools: Tools) -> None:
    """Make anew the figures that somebody asked for lately, where something has changed since.

    The call returns at once while this process is still making them. One figure that fails does not
    stop the others.
    """
    if not _at_work.acquire(blocking=False):
        return
    try:
        with tools.database.across_workspaces_reading() as session:
            wanted = wanted_figures(session, tools.clock.today(), FIGURES)
        # Where a page was opened lately, what it shows at first is made in a new month too.
        last = {(each.workspace_id, each.name): each for each in wanted}
        usual = [each._replace(question=None) for each in last.values()]
        for workspace_id, name, question, asked_on in (*wanted, *usual):
            try:
                with tools.database.reading(workspace_id) as session:
                    FIGURES[name].ask_again(session, tools.clock, question)
                keep_figures(tools.database, tools.clock, session, asked_on=asked_on)
            except Exception:
                _log.exception("figure not made", workspace=workspace_id, figure=name)
    finally:
        _at_work.release()
