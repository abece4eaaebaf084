"""The documents of one reservation: issued, sent for signature and renewed from here."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Iterable, Mapping, Sequence

from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.arrivals.reservation_header import reservation_header
from pms.contracts.issue_contract import issue_contract as issue_contract_verb
from pms.contracts.merge_contract import endless_template
from pms.contracts.outdated_papers import changes_since
from pms.contracts.queries import ContractRecord, contract_record, contracts_of
from pms.contracts.renew_paper import is_outdated, renew_paper
from pms.contracts.send_contract import send_contract as send_contract_verb
from pms.contracts.stated_terms import ChangedTerm
from pms.contracts.templates import contract_templates
from pms.surfaces.dashboard.contracts.contract_form import IssueForm, SendForm
from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted, today
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.hypermedia import go


@dashboard.get("/reservations/<reservation_id>/contracts", roles=OFFICE)
def reservation_contracts(reservation_id: str) -> Response:
    """Show every document with how it stands and what comes next."""
    return _shown(reservation_id, _form(reservation_id))


@dashboard.post("/reservations/<reservation_id>/contracts", roles=OFFICE)
def issue_contract(reservation_id: str) -> Response:
    """Issue a document; an unsigned one of before is replaced."""
    form = _form(reservation_id)
    return submitted(
        form,
        act=lambda session: issue_contract_verb(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            template_id=form.templateId.data,
            locale=form.locale.data,
        ),
        then=lambda id_: go(
            url_for("dashboard.contract", contract_id=id_),
            said=_("The document is issued. Read it, then send it."),
        ),
        again=lambda: _shown(reservation_id, form),
    )


@dashboard.post("/contracts/<contract_id>/sending", roles=OFFICE)
def send_contract(contract_id: str) -> Response:
    """Mail the way to a document to the person who signs it."""
    record = contract_record(reading(), contract_id)
    form = SendForm(request.form)
    here = url_for("dashboard.reservation_contracts", reservation_id=record.reservation_id)
    link = _link(record)
    return submitted(
        form,
        act=lambda session: send_contract_verb(
            session,
            clock(),
            actor(),
            contract_id=contract_id,
            link=link,
            seen_sent_at=form.seen,
        ),
        then=lambda _none: go(here, said=_("The document is on its way to be signed.")),
        again=lambda: _shown(record.reservation_id, _form(record.reservation_id), form),
    )


@dashboard.post("/contracts/<contract_id>/renewal", roles=OFFICE)
def renew_contract(contract_id: str) -> Response:
    """Write an outdated document anew, or the amendment of a signed one, and have it signed."""
    record = contract_record(reading(), contract_id)
    form, here = (
        Form(),
        url_for("dashboard.reservation_contracts", reservation_id=record.reservation_id),
    )
    return submitted(
        form,
        act=lambda session: contract_record(
            session,
            renew_paper(session, clock(), actor(), contract_id=contract_id, link=_link(record)),
        ),
        then=lambda new: go(
            here,
            said=_("%(title)s is on its way to be signed.", title=new.title)
            if new.sent_at
            else _("%(title)s is issued. Read it, then send it.", title=new.title),
        ),
        again=lambda: _shown(record.reservation_id, _form(record.reservation_id), form),
    )


def _link(record: ContractRecord) -> str:
    """The address at which the resident reads and signs a document."""
    path = url_for(
        "resident.documents", workspace=desk().slug, reservation_id=record.reservation_id
    )
    return f"{current_app.config['BASE_URL']}{path}"


def _form(reservation_id: str) -> IssueForm:
    header = reservation_header(reading(), reservation_id, today())
    typed = request.form if request.method == "POST" else None
    # A lease without an end is not written with the default template where that needs one.
    chosen = endless_template(reading()) if header.end_on is None else None
    return IssueForm.of(list(contract_templates(reading())), header.locale, typed, chosen)


def _shown(reservation_id: str, form: IssueForm, refused: Form | None = None) -> Response:
    found = contracts_of(reading(), reservation_id)
    return framed(
        reservation_id,
        "dashboard/contracts/of_reservation.html",
        tab="reservation_documents",
        contracts=found,
        changes=_changes(found),
        form=form,
        refused=refused,
    )


def _changes(found: Iterable[ContractRecord]) -> Mapping[str, Sequence[ChangedTerm]]:
    """What the stay says otherwise, by the documents that wait to be renewed or amended."""
    return {one.id: changes_since(reading(), one) for one in found if is_outdated(one)}
