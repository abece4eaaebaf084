"""The screening of applicants: a worklist, one applicant with each decision, and deciding."""

from typing import Final, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.contracts import screening_decisions
from pms.contracts.contract_people import lacking_of_many
from pms.contracts.screenings import ScreeningRecord, screening_record
from pms.foundation.errors import Collision
from pms.foundation.translations import translate_both
from pms.offers import application_files, applications, decided_applications
from pms.offers.applicants import UNDECIDED, listed_screening, listed_screenings
from pms.offers.application_files import ApplicationFile
from pms.rules.screening import ScreeningState
from pms.surfaces.dashboard.contract_people import people_of_offer, people_of_tenancy
from pms.surfaces.dashboard.gate import OFFICE, actor, current_member, dashboard, reading
from pms.surfaces.dashboard.reservation_links import build_offer_address
from pms.surfaces.fields import LongTextField, Optional, PickField, Required
from pms.surfaces.forms import asked_paging, submitted
from pms.surfaces.hypermedia import csv_answer, go, page, pdf_answer
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.request_scope import clock, database, today
from pms.surfaces.signed_in import auth_context
from pms.workspaces.queries import policy

_DECIDED: Final = tuple(state for state in ScreeningState if state not in UNDECIDED)


class ScreeningForm(FlaskForm):
    """The next state of a screening, and why."""

    state = PickField(lazy_gettext("Decision"), [Required()])
    reason = LongTextField(lazy_gettext("Reason"), [Optional()])

    @classmethod
    def of(cls, record: ScreeningRecord, *, is_sent: bool = False) -> Self:
        """Return the form with the states that may follow."""
        form = cls() if is_sent else cls(formdata=None)
        form.state.choices = [(state.value, label_of(state)) for state in record.choices]
        return form


@dashboard.get("/screenings", roles=OFFICE)
def screenings() -> Response:
    """Show who waits for a decision, or those of one decision."""
    asked = request.args.get("state", "")
    state = ScreeningState(asked) if asked in _DECIDED else None
    paging = asked_paging()
    found = listed_screenings(reading(), [state] if state else UNDECIDED, paging)
    lacks = lacking_of_many(reading(), [listed.contract for listed in found.screenings])
    return page(
        "dashboard/screenings/list.html",
        lacks=lacks,
        found=found,
        state=state,
        states=_DECIDED,
        paging=paging,
    )


@dashboard.get("/screenings/<screening_id>", roles=OFFICE)
def screening(screening_id: str) -> Response:
    """Show one applicant, the decisions so far and the next one."""
    record = screening_record(reading(), screening_id)
    return _render_screening(record, ScreeningForm.of(record))


@dashboard.post("/screenings/<screening_id>", roles=OFFICE)
def move_screening(screening_id: str) -> Response:
    """Change the state of a screening."""
    record = screening_record(reading(), screening_id)
    form = ScreeningForm.of(record, is_sent=True)

    def state() -> str:
        return label_of(ScreeningState(form.state.data))

    return submitted(
        form,
        act=lambda work: decided_applications.decide_screening(
            work,
            screening_id=screening_id,
            to=ScreeningState(form.state.data),
            reason=form.reason.data,
            signer=auth_context().signer,
            address=build_offer_address,
        ),
        then=lambda is_mailed: go(
            url_for("dashboard.screening", screening_id=screening_id),
            message=(
                _("Status changed to %(state)s. The applicant is informed by email.", state=state())
                if is_mailed
                else _("Status changed to %(state)s.", state=state())
            ),
        ),
        again=lambda: _render_screening(record, form),
    )


@dashboard.post("/screenings/<screening_id>/application.csv", roles=OFFICE)
def application_csv(screening_id: str) -> Response:
    """Download one application as CSV for a guarantee company; the audit notes it."""
    file = _export_application(screening_id)
    rows = [
        [line.part.ja, line.item.ja, line.item.en, line.value.ja, line.value.en]
        for line in file.lines
    ]
    heads = [_("Part"), *(translate_both("Item")), *(translate_both("Value"))]
    return csv_answer(f"application-{screening_id}.csv", [str(head) for head in heads], rows)


@dashboard.post("/screenings/<screening_id>/application.pdf", roles=OFFICE)
def application_pdf(screening_id: str) -> Response:
    """Show one application as a PDF for a guarantee company; the audit notes it."""
    pdf = _export_application(screening_id).typeset(reading(), today())
    return pdf_answer(pdf, f"application-{screening_id}.pdf")


def _export_application(screening_id: str) -> ApplicationFile:
    return database().write_as(
        current_member().workspace_id,
        clock(),
        actor(),
        lambda work: application_files.export_application(work, screening_id=screening_id),
    )


@dashboard.post("/reservations/<reservation_id>/screening", roles=OFFICE)
def start_screening(reservation_id: str) -> Response:
    """Start the screening of a booking that the office made."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: screening_decisions.start_screening(work, reservation_id=reservation_id),
        then=lambda id_: go(url_for("dashboard.screening", screening_id=id_)),
        again=lambda: go(url_for("dashboard.reservation_contracts", reservation_id=reservation_id)),
        left_to_blueprint=(Collision,),
    )


@dashboard.post("/reservation-links/<reservation_link_id>/screening", roles=OFFICE)
def start_offer_screening(reservation_link_id: str) -> Response:
    """Start the screening of an offer whose applicant had entered their details before."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: applications.start_offer_screening(work, link_id=reservation_link_id),
        then=lambda id_: go(url_for("dashboard.screening", screening_id=id_)),
        again=lambda: go(
            url_for("dashboard.reservation_link", reservation_link_id=reservation_link_id)
        ),
        left_to_blueprint=(Collision,),
    )


def _render_screening(record: ScreeningRecord, form: ScreeningForm) -> Response:
    applicant = listed_screening(reading(), record.id)
    return page(
        "dashboard/screenings/screening.html",
        record=record,
        applicant=applicant,
        people=people_of_tenancy(applicant.reservation_id)
        if applicant.reservation_id
        else people_of_offer(applicant.link_id or ""),
        form=form,
        comes_first=policy(reading()).screening_before_contract,
        today=today(),
    )
