"""The management form of a building: who lets its homes, who signs for them, and who is paid."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple


class ManagementForm(StrEnum):
    """Whose contract a tenancy of a building is."""

    OWN = "own"
    AGENCY = "agency"
    MASTER_LEASE = "master_lease"


class ContractSide(StrEnum):
    """Who acts in a contract besides the resident."""

    OWNER = "owner"
    OPERATOR = "operator"


class FormFrom(NamedTuple):
    """A form that a building has from a day on."""

    form: ManagementForm
    from_on: date


@dataclass(frozen=True, slots=True)
class FormInForce:
    """The form of a building on a day; `is_asked` where an owner is known and nobody named a form."""

    form: ManagementForm
    is_asked: bool = False

    @property
    def lessor(self) -> ContractSide:
        """Who lets the home: the owner under agency, else the operator."""
        return ContractSide.OWNER if self.form is ManagementForm.AGENCY else ContractSide.OPERATOR

    @property
    def agent(self) -> ContractSide | None:
        """Who signs for the lessor; nobody where the operator is the lessor."""
        return ContractSide.OPERATOR if self.form is ManagementForm.AGENCY else None

    def payee(self, *, names_owner_account: bool) -> ContractSide:
        """Who is paid: the operator, under agency as the owner's collector, or the owner's own account."""
        if self.form is ManagementForm.AGENCY and names_owner_account:
            return ContractSide.OWNER
        return ContractSide.OPERATOR


def form_in_force(forms: Iterable[FormFrom], on: date, *, has_owner: bool) -> FormInForce:
    """The form of a building on a day: the one that began last, of one day the later in order.

    Before the first one, and without any, a building with an owner is managed as agency and another
    is the operator's own.
    """
    begun = list(forms)
    in_force = max(
        (form for form in reversed(begun) if form.from_on <= on),
        key=lambda form: form.from_on,
        default=None,
    )
    is_asked = has_owner and not begun
    if in_force is not None:
        return FormInForce(in_force.form)
    return FormInForce(ManagementForm.AGENCY if has_owner else ManagementForm.OWN, is_asked)


class RegisteredNumber(NamedTuple):
    """The registration number that a paper shows, and whose it is."""

    number: str
    side: ContractSide


def shown_registration(
    in_force: FormInForce,
    on: date,
    *,
    operator_number: str | None,
    owner_number: str | None = None,
    owner_informed_on: date | None = None,
) -> RegisteredNumber | None:
    """The number on a paper with taxable lines of a day; without one it is no qualified invoice.

    Under agency it is the owner's, or the operator's own where both are registered and the owner was
    informed by that day (Order for Enforcement of the Consumption Tax Act, Article 70-12).
    """
    operators = (
        RegisteredNumber(operator_number, ContractSide.OPERATOR) if operator_number else None
    )
    if in_force.lessor is ContractSide.OPERATOR:
        return operators
    if not owner_number:
        return None
    if operators is not None and owner_informed_on is not None and owner_informed_on <= on:
        return operators
    return RegisteredNumber(owner_number, ContractSide.OWNER)
