"""The resident's documents: the contract, the state of its signature, and signing it."""

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_wtf import FlaskForm
from wtforms import Form

from pms.arrivals import reservation_headers
from pms.arrivals.tenancy_ways import reservation_ways
from pms.contracts import envelopes, explanations, merged_documents, queries
from pms.contracts.contract_papers import contract_file_name, handed_paper
from pms.contracts.queries import ContractRecord, ContractState
from pms.contracts.signing import sign_contract
from pms.foundation.errors import no_such
from pms.rules.explanations import ExplanationWay
from pms.surfaces.explanation_forms import ExplanationWishForm
from pms.surfaces.forms import ConsentForm, ReadForm, SignatureForm, submitted
from pms.surfaces.hypermedia import go, page, pdf_answer
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.own import blueprint
from pms.surfaces.request_scope import clock, files, today


def own_contract(reservation_id: str, contract_id: str) -> ContractRecord:
    """Return a document of this reservation; raise `NotFound` for any other."""
    record = queries.contract_record(reading(), contract_id)
    if record.reservation_id != reservation_id or not is_shown(record):
        raise no_such("contract", contract_id)
    return record


def is_shown(record: ContractRecord) -> bool:
    """Whether the resident is shown a document: it was sent or signed, and not replaced."""
    return record.sent_at is not None and record.state is not ContractState.REPLACED


@blueprint.get("/<reservation_id>/contracts/<contract_id>", endpoint="contract")
def show(reservation_id: str, contract_id: str) -> Response:
    """Show one document, with the form below it if it is signed here.

    A fixed-term lease that waits for its explanation leads to that first.
    """
    record = own_contract(reservation_id, contract_id)
    if record.may_be_signed and explanations.is_unexplained(reading(), record):
        return go(url_for(".explanation", reservation_id=reservation_id, contract_id=contract_id))
    return _render_signing(reservation_id, contract_id, _signature_form(reservation_id))


@blueprint.post("/<reservation_id>/contracts/<contract_id>", endpoint="sign_contract")
def sign(reservation_id: str, contract_id: str) -> Response:
    """Sign the document; a second click finds the signature of the first."""
    own_contract(reservation_id, contract_id)
    form = _signature_form(reservation_id, is_sent=True)
    return submitted(
        form,
        act=lambda work: sign_contract(
            work,
            contract_id=contract_id,
            name=form.signature.data or "",
            document_hash=form.documentHash.data or "",
            device=request.user_agent.string,
        ),
        then=lambda _none: go(
            url_for(".documents", reservation_id=reservation_id),
            message=_("Signed. You will get the signed document by email."),
        ),
        again=lambda: _render_signing(reservation_id, contract_id, form),
    )


def _signature_form(reservation_id: str, *, is_sent: bool = False) -> SignatureForm:
    return SignatureForm.of(own.tenancy(reservation_id).name, is_sent=is_sent)


def _render_signing(reservation_id: str, contract_id: str, form: SignatureForm) -> Response:
    record = own_contract(reservation_id, contract_id)
    return page(
        "portals/resident/documents/contract.html",
        tenancy=own.tenancy(reservation_id),
        contract=record,
        document=merged_documents.document(record.body, record.locale),
        form=form,
    )


@blueprint.post(
    "/<reservation_id>/contracts/<contract_id>/signing-page", endpoint="ask_signing_page"
)
def ask(reservation_id: str, contract_id: str) -> Response:
    """Request the provider's signing page, which is valid for a few minutes."""
    record = own_contract(reservation_id, contract_id)
    if record.may_be_signed and explanations.is_unexplained(reading(), record):
        return go(url_for(".explanation", reservation_id=reservation_id, contract_id=contract_id))
    back = url_for(".documents", reservation_id=reservation_id)
    address = url_for(".signing_page", reservation_id=reservation_id, contract_id=contract_id)
    return submitted(
        FlaskForm(),
        act=lambda work: envelopes.ask_signing_page(
            work.session, clock(), contract_id=contract_id, return_path=back
        ),
        then=lambda _none: go(address),
        again=lambda: show(reservation_id, contract_id),
    )


@blueprint.get("/<reservation_id>/contracts/<contract_id>/signing-page", endpoint="signing_page")
def show_provider_page(reservation_id: str, contract_id: str) -> Response:
    """Show the link to the signing page once there is one."""
    return page(
        "portals/resident/documents/provider.html",
        tenancy=own.tenancy(reservation_id),
        contract=own_contract(reservation_id, contract_id),
    )


@blueprint.get("/<reservation_id>/documents", endpoint="documents")
def show_documents(reservation_id: str) -> Response:
    """Show the contract with the next step, and earlier documents."""
    found = [
        contract
        for contract in queries.contracts_of(reading(), reservation_id)
        if is_shown(contract)
    ]
    current = found[0] if found else None
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    return page(
        "portals/resident/documents/index.html",
        tenancy=own.tenancy(reservation_id),
        header=header,
        way=reservation_ways(reading(), [header.way_record], today())[reservation_id],
        current=current,
        lack=explanations.explanation_lack(reading(), current)
        if current and current.may_be_signed
        else None,
        earlier=found[1:],
    )


@blueprint.get("/<reservation_id>/contracts/<contract_id>/paper", endpoint="contract_paper")
def paper(reservation_id: str, contract_id: str) -> Response:
    """Send a document as a PDF."""
    record = own_contract(reservation_id, contract_id)
    return pdf_answer(handed_paper(reading(), files(), contract_id), contract_file_name(record))


@blueprint.get("/<reservation_id>/contracts/<contract_id>/explanation", endpoint="explanation")
def show_explanation(reservation_id: str, contract_id: str) -> Response:
    """Ask for the consent, then show the document."""
    record = _explained_document(reservation_id, contract_id)
    given = explanations.explanation_to_read(reading(), record)[1]
    return _render_explanation(
        record, ConsentForm(formdata=None) if given is None else ReadForm(formdata=None)
    )


@blueprint.post(
    "/<reservation_id>/contracts/<contract_id>/explanation", endpoint="take_explanation"
)
def take(reservation_id: str, contract_id: str) -> Response:
    """Save the consent or the confirmation, whichever comes next."""
    record = _explained_document(reservation_id, contract_id)
    if explanations.explanation_to_read(reading(), record)[1] is None:
        form: Form = ConsentForm()
        return submitted(
            form,
            act=lambda work: explanations.consent_to_explanation(
                work,
                contract_id=contract_id,
                document_hash=form["documentHash"].data or "",
                device=request.user_agent.string,
            ),
            then=lambda _none: go(_build_address(record, ".explanation")),
            again=lambda: _render_explanation(record, form),
        )
    form = ReadForm()
    return submitted(
        form,
        act=lambda work: explanations.confirm_explanation(
            work, contract_id=contract_id, document_hash=form["documentHash"].data or ""
        ),
        then=lambda _none: go(_build_address(record, ".contract")),
        again=lambda: _render_explanation(record, form),
    )


@blueprint.get(
    "/<reservation_id>/contracts/<contract_id>/explanation/paper", endpoint="explanation_paper"
)
def download_explanation(reservation_id: str, contract_id: str) -> Response:
    """Send the explanation as a PDF, after the consent or if it was given on paper."""
    record = _explained_document(reservation_id, contract_id)
    if explanations.explanation_to_read(reading(), record)[1] is None:
        return go(_build_address(record, ".explanation"))
    return pdf_answer(explanations.explanation_pdf(reading(), record), "explanation.pdf")


@blueprint.post(
    "/<reservation_id>/contracts/<contract_id>/explanation/time", endpoint="wish_explanation"
)
def choose_time(reservation_id: str, contract_id: str) -> Response:
    """Save how and when the resident wants to be explained the document."""
    record = _explained_document(reservation_id, contract_id)
    given = explanations.explanation_to_read(reading(), record)[1]
    form = ExplanationWishForm.of(given, is_sent=True)
    return submitted(
        form,
        act=lambda work: explanations.wish_explanation(
            work,
            contract_id=contract_id,
            way=ExplanationWay(form.way.data),
            wished_at=form.chosen_at,
        ),
        then=lambda _none: go(_build_address(record, ".explanation")),
        again=lambda: _render_explanation(record, ReadForm(formdata=None), form),
    )


def _build_address(record: ContractRecord, endpoint: str) -> str:
    return url_for(endpoint, reservation_id=record.reservation_id, contract_id=record.id)


def _explained_document(reservation_id: str, contract_id: str) -> ContractRecord:
    """Return a document of this reservation that is explained; raise `NotFound` for any other."""
    record = own_contract(reservation_id, contract_id)
    if not record.needs_explanation:
        raise no_such("explanation", contract_id)
    return record


def _render_explanation(
    record: ContractRecord, form: Form, wish_form: ExplanationWishForm | None = None
) -> Response:
    text, given = explanations.explanation_to_read(reading(), record)
    return page(
        "portals/resident/documents/explanation.html",
        tenancy=own.tenancy(record.reservation_id),
        contract=record,
        document=text if given is None else merged_documents.document(given.body, given.locale),
        given=given,
        lack=explanations.explanation_lack(reading(), record) if record.may_be_signed else None,
        form=form,
        wish_form=wish_form or ExplanationWishForm.of(given),
    )
