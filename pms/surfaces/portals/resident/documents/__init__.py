"""The resident's papers: the contract, how its signature stands, and signing it."""

from pms.surfaces.portals.reach import PortalAddress
from pms.surfaces.portals.resident.documents import documents, explanation, provider_page, signing
from pms.surfaces.portals.resident.own import PARAMETER

_ALL = f"/<{PARAMETER}>/documents"
_ONE = f"/<{PARAMETER}>/contracts/<contract_id>"

ADDRESSES = (
    PortalAddress(_ALL, "documents", documents.show),
    PortalAddress(_ONE, "contract", signing.show),
    PortalAddress(_ONE, "sign_contract", signing.sign, "POST"),
    PortalAddress(f"{_ONE}/explanation", "explanation", explanation.show),
    PortalAddress(f"{_ONE}/explanation", "take_explanation", explanation.take, "POST"),
    PortalAddress(f"{_ONE}/explanation/paper", "explanation_paper", explanation.paper),
    PortalAddress(f"{_ONE}/paper", "contract_paper", documents.paper),
    PortalAddress(f"{_ONE}/signing-page", "signing_page", provider_page.show),
    PortalAddress(f"{_ONE}/signing-page", "ask_signing_page", provider_page.ask, "POST"),
)
