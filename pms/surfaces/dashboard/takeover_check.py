"""The last step of taking over: comparing sums with the sheet, and going live."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm

from pms.arrivals.takeover import guides
from pms.arrivals.takeover.answered import PreparedRow
from pms.arrivals.takeover.checking import SUMS, check_guide
from pms.arrivals.takeover.going_live import ask_to_go_live
from pms.arrivals.takeover.guides import Guide
from pms.arrivals.takeover.row_fields import Step
from pms.arrivals.takeover.running import TakeOverRun
from pms.foundation.runs import Run, newest_run
from pms.foundation.work import Work
from pms.rules.enumerations import RunKind
from pms.surfaces.dashboard.blueprint import OFFICE, dashboard
from pms.surfaces.dashboard.current_member import reading
from pms.surfaces.dashboard.takeover_steps import read_guide, row_places, step_address, step_links
from pms.surfaces.fields import FlagField, Optional, YenField
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.takeover import (
    REASON_WORDS,
    SUM_WORDS,
    place_words,
)
from pms.surfaces.paging import asked_paging
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, database, files

_BILLS_A_PAGE: Final = 50


class SumsForm(FlaskForm):
    """The sums that the office expects, and the reasons for differences."""

    depositHeld = YenField(lazy_gettext("Deposits held"), [Optional()])
    unpaid = YenField(lazy_gettext("Unpaid"), [Optional()])
    overpaid = YenField(lazy_gettext("Overpaid"), [Optional()])
    leaveWaiting = FlagField(lazy_gettext("Go live without the rows that still need an answer"))


@dashboard.get("/takeover/<takeover_id>/check", roles=OFFICE)
def takeover_check(takeover_id: str) -> Response:
    """Show the next bills beside the sheet, and the sums."""
    guide = read_guide(takeover_id)
    check = check_guide(reading(), guide, clock().today())
    data: dict[str, Any] = {one.name: one.expected_yen for one in check.sums}
    return _render_check(guide, SumsForm(formdata=None, data=data))


@dashboard.post("/takeover/<takeover_id>/check", roles=OFFICE, most_bytes=1_000_000)
def settle_takeover_check(takeover_id: str) -> Response:
    """Save the sums and reasons, and go live if asked to."""
    form = SumsForm()
    totals = {name: form[name].data for name in SUMS}
    words = _words()

    def act(work: Work) -> TakeOverRun | Run | None:
        guides.keep_totals(work.session, takeover_id, totals)
        guides.accept_differences(work.session, takeover_id, words)
        if "live" not in request.form:
            return None
        leaves = bool(form.leaveWaiting.data)
        return ask_to_go_live(work, files(), takeover_id, leaves_waiting=leaves)

    return submitted(
        form,
        act=act,
        then=lambda run: _gone_live(takeover_id, run),
        again=lambda: _render_check(read_guide(takeover_id), form, words),
    )


def _gone_live(takeover_id: str, run: TakeOverRun | Run | None) -> Response:
    if run is None:
        return go(step_address(takeover_id, Step.CHECK), message=_("Saved."))
    if isinstance(run, Run):
        return go(url_for("dashboard.run", run_id=run.id), message=_("Going live has started."))
    database().refresh_statistics()
    message = ngettext(
        "%(num)d tenancy was taken over.", "%(num)d tenancies were taken over.", run.tenancies
    )
    return go(url_for("dashboard.takeover_guide", takeover_id=takeover_id), message=message)


def _words() -> dict[str, str]:
    """Return the reasons that accept differences, by the row's place or the sum's name."""
    places = row_places()
    facts = {at: request.form.get(f"word-{number}", "") for number, at in places.items()}
    return facts | {
        name: request.form[f"word-{name}"] for name in SUMS if f"word-{name}" in request.form
    }


def _render_check(guide: Guide, form: SumsForm, words: Mapping[str, str] | None = None) -> Response:
    check = check_guide(reading(), guide, clock().today())
    paging = asked_paging(_BILLS_A_PAGE)
    bills = sorted(check.bills, key=lambda one: (not one.difference_yen, not one.reasons))
    language = chosen_language()
    return page(
        "dashboard/takeover/check.html",
        form=form,
        guide=guide,
        check=check,
        run=newest_run(reading(), RunKind.TAKEOVER.value, guide.id),
        step=Step.CHECK,
        steps=step_links(guide, Step.CHECK),
        bills=bills[paging.offset : paging.offset + paging.limit],
        words=words or {},
        reasons=REASON_WORDS,
        sums=SUM_WORDS,
        waiting=[
            (
                row,
                place_words(row.at),
                [one.in_language(language) for one in row.waiting],
                _of(guide, row),
            )
            for row in check.waiting[:_BILLS_A_PAGE]
        ],
        open_count=sum(one.is_open for row in guide.prepared.rows for one in row.questions),
        paging=paging,
        total=len(bills),
    )


def _of(guide: Guide, row: PreparedRow) -> str:
    step = next(one.step for one in row.questions if one.is_waiting)
    return step_address(guide.id, step)
