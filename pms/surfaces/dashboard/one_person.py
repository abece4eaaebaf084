"""Everything about one person: their records, all of it as one file, and forgetting it."""

from collections.abc import Sequence
from urllib.parse import quote

from flask import Response, request
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.personal_data import forgetting, person_file, person_records
from pms.personal_data.forgetting import RecordPlan
from pms.personal_data.person_file import PersonFile
from pms.surfaces.dashboard.gate import OPERATOR, dashboard, reading
from pms.surfaces.fields import HiddenField, ManyField, Optional
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import page
from pms.surfaces.labels.audit_events import subject_label
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.request_scope import clock, files

MOST_OF_A_QUESTION = 200


class RecordsForm(FlaskForm):
    """The records that belong to one person, and what they were found by."""

    q = HiddenField()
    records = ManyField(lazy_gettext("Records of this person"), [Optional()])

    def __init__(self) -> None:
        super().__init__()
        self.records.choices = [(each, each) for each in self.records.raw_data or ()]

    def chosen_records(self) -> Sequence[str]:
        """Return the chosen records; raise `Refused` if there are none."""
        if not self.records.data:
            raise Refused("records: select at least one record.")
        return list(self.records.data)


@dashboard.get("/personal-data", roles=OPERATOR, is_secret=True)
def one_person() -> Response:
    """Show the records under which a person is known."""
    return _render_records(RecordsForm(), request.args.get("q", ""))


@dashboard.post("/personal-data/file", roles=OPERATOR)
def export_person() -> Response:
    """Return everything about the person as a ZIP."""
    form = RecordsForm()

    def act(work: Work) -> PersonFile:
        return person_file.export_person(work, form.chosen_records())

    return submitted(
        form, act, then=_stream_file, again=lambda: _render_records(form, form.q.data or "")
    )


@dashboard.post("/personal-data/plan", roles=OPERATOR)
def plan_forgetting() -> Response:
    """Show what would be deleted of the person, and what stays."""
    form = RecordsForm()

    def act(work: Work) -> Sequence[RecordPlan]:
        return forgetting.plan_forgetting(work.session, form.chosen_records(), work.clock.today())

    return submitted(
        form,
        act,
        then=lambda plans: _render_plans(form, plans, is_done=False),
        again=lambda: _render_records(form, form.q.data or ""),
    )


@dashboard.post("/personal-data/forgetting", roles=OPERATOR)
def forget_person() -> Response:
    """Delete what no law keeps of the person, and say what was done."""
    form = RecordsForm()

    def act(work: Work) -> Sequence[RecordPlan]:
        return forgetting.forget_person(work, files(), form.chosen_records())

    return submitted(
        form,
        act,
        then=lambda plans: _render_plans(form, plans, is_done=True),
        again=lambda: _render_records(form, form.q.data or ""),
    )


def _render_plans(form: RecordsForm, plans: Sequence[RecordPlan], *, is_done: bool) -> Response:
    return page(
        "dashboard/one_person/plans.html",
        form=form,
        plans=plans,
        is_done=is_done,
        may_go=any(plan.goes for plan in plans) and not any(plan.obstacle for plan in plans),
        kinds={plan.record.kind: subject_label(plan.record.kind) for plan in plans},
        obstacles={
            plan.record.reference: refusal_text(Refused("{reason}", reason=plan.obstacle))
            for plan in plans
            if plan.obstacle is not None
        },
    )


def _stream_file(found: PersonFile) -> Response:
    name = quote(f"person-{clock().today():%Y%m%d}.zip")
    response = Response(found.stream(files()), mimetype="application/zip")
    response.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}"
    response.headers["Cache-Control"] = "no-store"
    return response


def _render_records(form: RecordsForm, question: str) -> Response:
    asked = question.strip()[:MOST_OF_A_QUESTION]
    found = person_records.find_records(reading(), asked)
    chosen = set(form.records.data or ())
    if not chosen:
        # An address is one person's; a name may be that of several.
        address = asked.casefold()
        chosen = {
            record.reference for record in found if (record.email or "").casefold() == address
        }
    return page(
        "dashboard/one_person/records.html",
        form=form,
        q=asked,
        found=found,
        chosen=chosen,
        kinds={record.kind: subject_label(record.kind) for record in found},
    )
