"""The management form of a building, and who stands on its papers."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any, Self

from sqlalchemy import Select, exists, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_LINE, check_text, count_change
from pms.catalogue.models import Building, ManagementFormRow, Unit
from pms.catalogue.owners import building_shares_on, owner_names
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.sealing import sealed_text
from pms.foundation.stored_forms import read_stored
from pms.foundation.tenancy import refers_to
from pms.foundation.translations import translate
from pms.foundation.versions import asked_once
from pms.foundation.work import Work, locked
from pms.rules.account_numbers import hide_both
from pms.rules.audit_events import AuditEvent
from pms.rules.management_forms import (
    ContractSide,
    FormFrom,
    ManagementForm,
    form_in_force,
    shown_registration,
)
from pms.workspaces.models import Workspace
from pms.workspaces.settings import check_invoice_number


@dataclass(frozen=True, kw_only=True)
class WrittenManagementForm:
    """A form as it is typed; what concerns the owner as lessor counts under agency."""

    form: ManagementForm
    from_on: date
    lessor_address: str | None = None
    lessor_number: str | None = None
    informed_on: date | None = None
    payee_account: str | None = None


def set_management_form(
    work: Work, *, building_id: str, written: WrittenManagementForm, version: int | None = None
) -> str:
    """Add the form of a building from a day on and return its id.

    Another one of the same day takes its place; papers that were made by it keep it. Raises
    `Refused` for agency or a master lease without an owner, and for an invalid number.
    """
    building = locked(work.session, Building, building_id, version)
    has_owner = bool(building_shares_on(work.session, building, written.from_on))
    if written.form is not ManagementForm.OWN and not has_owner:
        raise Refused("kind: the building has no owner. Set the owner first.")
    is_owners = written.form is ManagementForm.AGENCY
    row = ManagementFormRow(
        id=new_id(),
        building_id=building_id,
        form=written.form,
        from_on=written.from_on,
        lessor_address=check_text("address", written.lessor_address if is_owners else None),
        lessor_number=check_invoice_number(written.lessor_number) if is_owners else None,
        informed_on=written.informed_on if is_owners else None,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    account = check_text("payeeAccount", written.payee_account if is_owners else None, LONGEST_LINE)
    row.sealed_account = sealed_text(work.session, account)
    work.session.add(row)
    note_audit_event(
        work,
        AuditEvent.MANAGEMENT_FORM_SET,
        ("building", building_id),
        after={
            "form": row.form,
            "from_on": row.from_on,
            "lessor_address": row.lessor_address,
            "qualified_invoice_number": row.lessor_number,
            "informed_on": row.informed_on,
            "payout_account": hide_both(None, account)[1],
        },
    )
    count_change(building, work.clock)
    work.session.flush()
    return row.id


def forms_of_building(session: Session, building_id: str) -> Sequence[ManagementFormRow]:
    """Return the forms of a building by day, of one day the one that counts last."""
    return forms_of_buildings(session, [building_id]).get(building_id, ())


def forms_of_buildings(
    session: Session, building_ids: Iterable[str]
) -> Mapping[str, Sequence[ManagementFormRow]]:
    """Return the forms of buildings by day, by building; those without any are left out."""
    return asked_once(session, _ask_forms, tuple(sorted(building_ids)))


def _ask_forms(
    session: Session, building_ids: tuple[str, ...]
) -> Mapping[str, Sequence[ManagementFormRow]]:
    asked = (
        select(ManagementFormRow)
        .where(one_of(ManagementFormRow.building_id, building_ids))
        .order_by(ManagementFormRow.from_on, ManagementFormRow.written_at, ManagementFormRow.id)
    )
    found: defaultdict[str, list[ManagementFormRow]] = defaultdict(list)
    for row in session.scalars(asked):
        found[row.building_id].append(row)
    return found


def select_buildings_without_form() -> Select[str]:
    """Select the ids of the buildings that have an owner but no form, by name."""
    has_form = exists().where(refers_to(ManagementFormRow.building_id, Building))
    return (
        select(Building.id)
        .where(Building.owner_id.is_not(None), ~has_form)
        .order_by(Building.name, Building.id)
    )


@dataclass(frozen=True)
class PaperParties:
    """Lessor, agent and registration number of a paper, as they are kept with it.

    `form_id` is the form that it was made by, None where nobody named one; `registration_of` is
    whose number `registration` is.
    """

    form: ManagementForm
    form_id: str | None
    lessor: Bilingual
    lessor_address: str | None
    agent: Bilingual | None = None
    agent_address: str | None = None
    registration: str | None = None
    registration_of: ContractSide | None = None

    def say_lessor(self, locale: str) -> str:
        """Return the lessor with the address, and the agent who signs, in one line."""
        lessor = _name_with_address(self.lessor, self.lessor_address, locale)
        if self.agent is None:
            return lessor
        agent = _name_with_address(self.agent, self.agent_address, locale)
        return translate(
            "{lessor}; agent of the lessor: {agent}", locale, lessor=lessor, agent=agent
        )

    @property
    def to_json(self) -> dict[str, Any]:
        """The parties in the form a paper stores them."""
        return asdict(self) | {
            "lessor": list(self.lessor),
            "agent": None if self.agent is None else list(self.agent),
        }

    @classmethod
    def of(cls, kept: dict[str, Any] | None) -> Self | None:
        """Return the parties that a paper keeps; None for one made before they were kept."""
        return None if kept is None else read_stored(cls, kept)


def _name_with_address(name: Bilingual, address: str | None, locale: str) -> str:
    shown = name.in_language(locale) or ""
    return translate("{name}, {address}", locale, name=shown, address=address) if address else shown


def parties_of_building(session: Session, building_id: str, on: date) -> PaperParties:
    """Return who stands on the papers of a building that are made on a day."""
    found = session.execute(
        select(Building, Workspace, ManagementFormRow)
        .join(Workspace, Workspace.id == Building.workspace_id)
        .outerjoin(ManagementFormRow, refers_to(ManagementFormRow.building_id, Building))
        .where(Building.id == building_id)
        .order_by(ManagementFormRow.from_on, ManagementFormRow.written_at, ManagementFormRow.id)
    ).all()
    building, workspace, _first = found[0]
    rows = [row for *_, row in found if row is not None]
    shares = building_shares_on(session, building, on)
    in_force = form_in_force(
        [FormFrom(row.form, row.from_on) for row in rows], on, has_owner=bool(shares)
    )
    row = next((row for row in reversed(rows) if row.from_on <= on), None)
    operator = Bilingual(workspace.name, workspace.name_en)
    postcode = f"〒{workspace.postcode}" if workspace.postcode else ""
    address = " ".join(part for part in (postcode, workspace.address or "") if part) or None
    number = shown_registration(
        in_force,
        on,
        operator_number=workspace.qualified_invoice_number,
        owner_number=row.lessor_number if row else None,
        owner_informed_on=row.informed_on if row else None,
    )
    operators = PaperParties(
        form=in_force.form,
        form_id=row.id if row else None,
        lessor=operator,
        lessor_address=address,
        registration=number.number if number else None,
        registration_of=number.side if number else None,
    )
    if in_force.lessor is ContractSide.OPERATOR or not shares:
        return operators
    names = owner_names(session, shares)
    return replace(
        operators,
        lessor=Bilingual("、".join(names[share.owner_id] for share in shares), None),
        lessor_address=row.lessor_address if row else None,
        agent=operator,
        agent_address=address,
    )


def parties_of_unit(session: Session, unit_id: str, on: date) -> PaperParties:
    """Return who stands on the papers of a unit's building that are made on a day."""
    asked = select(Unit.building_id).where(Unit.id == unit_id)
    return parties_of_building(session, session.scalars(asked).one(), on)


def payee_account(session: Session, parties: PaperParties | None) -> str | None:
    """Return the owner's own account that a paper names; None where the operator is paid."""
    if parties is None or parties.form_id is None:
        return None
    asked = select(ManagementFormRow).where(ManagementFormRow.id == parties.form_id)
    return account_of_form(session.scalars(asked).one())


def account_of_form(row: ManagementFormRow | None) -> str | None:
    """Return the owner's own account of a form; None where the operator is paid."""
    if row is None or row.form is not ManagementForm.AGENCY:
        return None
    return row.payee_account
