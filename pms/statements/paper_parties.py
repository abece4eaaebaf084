"""Who stands on the papers of a tenancy: lessor, agent, payee and registration number."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.management_forms import PaperParties, parties_of_unit, payee_account
from pms.reservations.models import Reservation
from pms.rules.enumerations import TaxTreatment
from pms.rules.invoices import TAX_PERCENT
from pms.rules.management_forms import ContractSide


def parties_of_home(session: Session, reservation_id: str, on: date) -> PaperParties:
    """Return who stands on the papers of a reservation that are made on a day."""
    asked = select(Reservation.unit_id).where(Reservation.id == reservation_id)
    return parties_of_unit(session, session.scalars(asked).one(), on)


def party_facts(
    session: Session,
    parties: PaperParties | None,
    locale: str,
    *,
    operator_number: str | None,
    treatments: Iterable[TaxTreatment] = (),
) -> dict[str, Any]:
    """Return the rows of a paper about its parties; a paper of earlier releases has none.

    A paper with taxable lines and no registration number says that it is no qualified invoice.
    """
    if parties is None:
        return {"registration": operator_number, "parties": None}
    is_operators = parties.registration_of is ContractSide.OPERATOR
    is_taxed = any(treatment in TAX_PERCENT for treatment in treatments)
    return {
        "registration": parties.registration if is_operators else None,
        "parties": {
            "lessor": parties.lessor.in_language(locale),
            "lessor_address": parties.lessor_address,
            "registration": None if is_operators else parties.registration,
            "agent": None if parties.agent is None else parties.agent.in_language(locale),
            "account": payee_account(session, parties),
            "is_unqualified": is_taxed and parties.registration is None,
        },
    }
