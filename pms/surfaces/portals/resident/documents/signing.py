"""Shows a document to read, and takes the name typed below it."""

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.contracts.explanations import is_unexplained
from pms.contracts.merge_contract import document
from pms.contracts.sign_contract import sign_contract
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import clock, reading, submitted
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.documents.own_contract import own_contract
from pms.surfaces.portals.resident.documents.signature_form import SignatureForm


def show(reservation_id: str, contract_id: str) -> Response:
    """Show one document; below it the form where it is signed here.

    A fixed-term lease that waits is explained first.
    """
    record = own_contract(reservation_id, contract_id)
    if record.may_be_signed and is_unexplained(reading(), record):
        return go(url_for(".explanation", reservation_id=reservation_id, contract_id=contract_id))
    return _shown(reservation_id, contract_id, SignatureForm())


def sign(reservation_id: str, contract_id: str) -> Response:
    """Sign it; the second of two clicks finds the signature of the first."""
    own_contract(reservation_id, contract_id)
    form = SignatureForm(request.form)
    return submitted(
        form,
        act=lambda session: sign_contract(
            session,
            clock(),
            own.actor(),
            contract_id=contract_id,
            name=form.signature.data or "",
            document_hash=form.documentHash.data or "",
            device=request.user_agent.string,
        ),
        then=lambda _none: go(
            url_for(".documents", reservation_id=reservation_id),
            said=_("Signed. The signed document comes to you by mail."),
        ),
        again=lambda: _shown(reservation_id, contract_id, form),
    )


def _shown(reservation_id: str, contract_id: str, form: SignatureForm) -> Response:
    record = own_contract(reservation_id, contract_id)
    return page(
        "portals/resident/documents/contract.html",
        tenancy=own.tenancy(reservation_id),
        contract=record,
        document=document(record.body, record.locale),
        form=form,
    )
