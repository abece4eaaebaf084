"""The documents of a reservation: issuing, sending for signature, reading."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.arrivals import reservation_headers
from pms.collections.collections_read import store_number
from pms.contracts import (
    contract_papers,
    envelopes,
    explanations,
    issuing,
    merged_documents,
    outdated_papers,
    queries,
    templates,
)
from pms.contracts.issuing import SentPapers
from pms.contracts.queries import ContractRecord
from pms.contracts.screenings import screening_of
from pms.contracts.stated_terms import ChangedTerm
from pms.contracts.templates import ContractTemplateRecord
from pms.foundation.translations import translate
from pms.foundation.work import Work
from pms.rules.enumerations import Lifecycle, Locale
from pms.surfaces.dashboard.explanations import TalkForm
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.reservation_prices import render_reservation_tab
from pms.surfaces.fields import ChoiceField, DayField, HiddenField, Required
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page, pdf_answer
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.request_scope import files, today
from pms.workspaces.page_links import tenancy_link
from pms.workspaces.queries import policy


class IssueForm(FlaskForm):
    """The template and the language; their defaults are the default template and the resident's."""

    templateId = ChoiceField(lazy_gettext("Template"))
    locale = ChoiceField(lazy_gettext("Language"))

    @classmethod
    def of(
        cls,
        templates: list[ContractTemplateRecord],
        locale: str,
        typed: MultiDict[str, str] | None = None,
        template_id: str | None = None,
    ) -> Self:
        """Return the form with its choices and an optional preselected template."""
        form = cls(typed, data={"locale": locale, "templateId": template_id or ""})
        form.templateId.choices = [("", lazy_gettext("Default template"))] + [
            (
                template.id,
                lazy_gettext(
                    "%(name)s (%(kind)s)", name=template.name, kind=label_of(template.lease_kind)
                ),
            )
            for template in templates
            if template.archived_at is None
        ]
        form.locale.choices = choices(Locale)
        return form


class HandingForm(FlaskForm):
    """The day on which the prior explanation was handed over on paper and explained."""

    handedOn = DayField(lazy_gettext("Paper handed over on"), [Required()])


class SendContractForm(FlaskForm):
    """When the document had last been sent, as shown on the page."""

    sentAt = HiddenField()

    @property
    def seen_at(self) -> datetime | None:
        """The instant on the form; None for a text that is not an instant."""
        try:
            return datetime.fromisoformat(self.sentAt.data or "")
        except ValueError:
            return None


@dashboard.get("/contracts/<contract_id>", roles=OFFICE)
def contract(contract_id: str) -> Response:
    """Show a document as it will be signed."""
    record = queries.contract_record(reading(), contract_id)
    return _render_handing(record, _explanation_form(record))


@dashboard.get("/contracts/<contract_id>/paper", roles=OFFICE)
def contract_paper(contract_id: str) -> Response:
    """Give a document as a PDF."""
    record = queries.contract_record(reading(), contract_id)
    return pdf_answer(
        contract_papers.handed_paper(reading(), files(), contract_id),
        contract_papers.contract_file_name(record),
    )


@dashboard.get("/contracts/<contract_id>/explanation", roles=OFFICE)
def explanation_paper(contract_id: str) -> Response:
    """Give the prior explanation of a document as a PDF, to be handed over on paper."""
    record = queries.contract_record(reading(), contract_id)
    name = translate("explanation-{number}.pdf", record.locale, number=record.number)
    return pdf_answer(explanations.explanation_pdf(reading(), record), name)


@dashboard.get("/contracts/<contract_id>/explanation/state", roles=OFFICE)
def explanation_state(contract_id: str) -> Response:
    """Give how far the explanation has come; once the document is signed, let the page be read again."""
    record = queries.contract_record(reading(), contract_id)
    response = page(
        "dashboard/contracts/explanation_state.html",
        contract=record,
        explained=explanations.explanation_of(reading(), record),
        lack=explanations.explanation_lack(reading(), record),
    )
    if not record.may_be_signed:
        response.headers["HX-Refresh"] = "true"
    return response


@dashboard.post("/contracts/<contract_id>/explanation", roles=OFFICE)
def record_explanation(contract_id: str) -> Response:
    """Record that the explanation was handed over on paper, and who explained it."""
    record = queries.contract_record(reading(), contract_id)
    form = _explanation_form(record, is_sent=True)

    def act(work: Work) -> None:
        if form.handedOn.data is not None:
            explanations.record_explanation(
                work, contract_id=contract_id, handed_on=form.handedOn.data
            )
        if isinstance(form, TalkForm):
            explanations.record_talk(work, contract_id=contract_id, **form.talk_facts)

    return submitted(
        form,
        act=act,
        then=lambda _none: go(
            url_for("dashboard.contract", contract_id=contract_id),
            message=_("Prior explanation recorded."),
        ),
        again=lambda: _render_handing(record, form),
    )


def _explanation_form(record: ContractRecord, *, is_sent: bool = False) -> HandingForm | TalkForm:
    """Return the form of the explanation: with who explained it, where the workspace asks for that."""
    if policy(reading()).explanation_by_person:
        given = explanations.explanation_of(reading(), record) if record.needs_explanation else None
        return TalkForm.of(given, is_sent=is_sent)
    return HandingForm() if is_sent else HandingForm(formdata=None, data={"handedOn": today()})


def _render_handing(record: ContractRecord, form: HandingForm | TalkForm) -> Response:
    text, given = (
        explanations.explanation_to_read(reading(), record)
        if record.needs_explanation
        else (None, None)
    )
    if given is not None:
        text = merged_documents.document(given.body, given.locale)
    return render_reservation_tab(
        record.reservation_id,
        "dashboard/contracts/contract.html",
        tab="reservation_documents",
        contract=record,
        changes=outdated_papers.changes_since(reading(), record)
        if issuing.is_outdated(record)
        else (),
        document=merged_documents.document(record.body, record.locale),
        explained=given,
        explanation_text=text,
        lack=explanations.explanation_lack(reading(), record),
        asks_for_talk=isinstance(form, TalkForm),
        form=form,
    )


@dashboard.get("/reservations/<reservation_id>/contracts", roles=OFFICE)
def reservation_contracts(reservation_id: str) -> Response:
    """Show every document of the reservation with its state and its next step."""
    return _render_contracts(reservation_id, _build_form(reservation_id))


@dashboard.post("/reservations/<reservation_id>/contracts", roles=OFFICE)
def issue_contract(reservation_id: str) -> Response:
    """Issue a document; it replaces an earlier unsigned one."""
    form = _build_form(reservation_id)
    return submitted(
        form,
        act=lambda work: issuing.issue_contract(
            work,
            reservation_id=reservation_id,
            template_id=form.templateId.data,
            locale=form.locale.data,
        ),
        then=lambda id_: go(
            url_for("dashboard.contract", contract_id=id_),
            message=_("The document is issued. Check it, then send it."),
        ),
        again=lambda: _render_contracts(reservation_id, form),
    )


@dashboard.post("/contracts/<contract_id>/sending", roles=OFFICE)
def send_contract(contract_id: str) -> Response:
    """Mail the link to a document to the person who signs it."""
    record = queries.contract_record(reading(), contract_id)
    form = SendContractForm()
    address = url_for("dashboard.reservation_contracts", reservation_id=record.reservation_id)
    link = _build_signing_link(record)
    return submitted(
        form,
        act=lambda work: envelopes.send_contract(
            work, contract_id=contract_id, link=link, seen_sent_at=form.seen_at
        ),
        then=lambda _none: go(address, message=_("The document has been sent for signature.")),
        again=lambda: _render_contracts(
            record.reservation_id, _build_form(record.reservation_id), form
        ),
    )


@dashboard.post("/contracts/<contract_id>/renewal", roles=OFFICE)
def renew_contract(contract_id: str) -> Response:
    """Issue an outdated document again, or an amendment of a signed one, for signature."""
    record = queries.contract_record(reading(), contract_id)
    form, address = (
        FlaskForm(),
        url_for("dashboard.reservation_contracts", reservation_id=record.reservation_id),
    )
    return submitted(
        form,
        act=lambda work: queries.contract_record(
            work.session,
            issuing.renew_paper(work, contract_id=contract_id, link=_build_signing_link(record)),
        ),
        then=lambda new: go(
            address,
            message=_("%(title)s has been sent for signature.", title=new.title)
            if new.sent_at
            else _("%(title)s is issued. Check it, then send it.", title=new.title),
        ),
        again=lambda: _render_contracts(
            record.reservation_id, _build_form(record.reservation_id), form
        ),
    )


@dashboard.get("/reservations/<reservation_id>/papers", roles=OFFICE)
def move_in_papers(reservation_id: str) -> Response:
    """Show what would be sent to whom, before contract and invoice are sent together."""
    return _render_papers(reservation_id, FlaskForm())


@dashboard.post("/reservations/<reservation_id>/papers", roles=OFFICE)
def send_move_in_papers(reservation_id: str) -> Response:
    """Send the contract and the move-in invoice, each unless it was sent already."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: issuing.send_move_in_papers(
            work,
            files(),
            reservation_id=reservation_id,
            link=signing_page(reservation_id),
            number_of=partial(store_number, work.clock),
        ),
        then=lambda sent: go(
            url_for("dashboard.reservation", reservation_id=reservation_id),
            message=_sent_words(sent),
        ),
        again=lambda: _render_papers(reservation_id, form),
    )


def _sent_words(sent: SentPapers) -> str:
    words: str = _("%(title)s has been sent for signature.", title=sent.contract)
    if sent.contract and sent.invoice:
        words = _("Contract and invoice %(number)s have been sent.", number=sent.invoice)
    elif sent.invoice:
        words = _("Invoice %(number)s has been sent.", number=sent.invoice)
    return words


def _render_papers(reservation_id: str, form: Form) -> Response:
    return render_reservation_tab(
        reservation_id,
        "dashboard/reservations/papers.html",
        tab="reservation_documents",
        form=form,
        entry=issuing.move_in_entry(reading(), reservation_id),
    )


def _build_signing_link(record: ContractRecord) -> str:
    return signing_page(record.reservation_id)


def signing_page(reservation_id: str) -> str:
    """Return the address of the page where the resident reads and signs the documents."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    return tenancy_link(reading(), reservation_id, "/documents", header.email)


def _build_form(reservation_id: str) -> IssueForm:
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    typed = request.form if request.method == "POST" else None
    # A lease without an end needs a template for it if the default one requires an end.
    chosen = merged_documents.endless_template(reading()) if header.end_on is None else None
    return IssueForm.of(list(templates.contract_templates(reading())), header.locale, typed, chosen)


def _render_contracts(
    reservation_id: str, form: IssueForm, refused: Form | None = None
) -> Response:
    found = queries.contracts_of(reading(), reservation_id)
    screening = screening_of(reading(), reservation_id)
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    is_closed = screening is None or not screening.choices
    return render_reservation_tab(
        reservation_id,
        "dashboard/contracts/of_reservation.html",
        tab="reservation_documents",
        contracts=found,
        screening=screening,
        may_be_screened=is_closed and header.lifecycle in (Lifecycle.BOOKED, Lifecycle.CONFIRMED),
        changes=_list_changed_terms(found),
        form=form,
        refused=refused,
    )


def _list_changed_terms(found: Iterable[ContractRecord]) -> Mapping[str, Sequence[ChangedTerm]]:
    """Return what changed in the stay since each outdated document, by document id."""
    return {
        document.id: outdated_papers.changes_since(reading(), document)
        for document in found
        if issuing.is_outdated(document)
    }
