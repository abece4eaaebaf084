"""`pms owner ...`: the terms agreed with the owner of a building, and its management form."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final

import click

from pms.catalogue.buildings import named_building_id
from pms.catalogue.management_forms import (
    WrittenManagementForm,
    forms_of_building,
    set_management_form,
)
from pms.foundation.errors import Refused
from pms.rules.days import strict_day
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.rules.management_forms import ManagementForm
from pms.rules.master_leases import LeaseRentKind, LeaseStep
from pms.rules.yen import read_percent
from pms.statements.master_leases import (
    LEASE_TAXES,
    LEASED_CATEGORIES,
    USUAL_CATEGORIES,
    WrittenMasterLease,
    agree_master_lease,
    leases_in_force,
    master_leases,
    remove_master_lease,
    steps_of,
)
from pms.statements.owner_figures import USUAL_PAYOUT_DAY
from pms.statements.owner_terms import agree_terms, terms_of_building
from pms.surfaces.command_line.listing import DAY, PERCENT, show_rows, values
from pms.surfaces.command_line.workspace_access import (
    CommandWorkspace,
    of_workspace,
    reading,
    writing,
)


@click.group()
def owner() -> None:
    """Show and set the terms with the owners of buildings."""


@owner.command("terms")
@click.argument("building", metavar="BUILDING")
@of_workspace
@click.option("--from", "from_on", type=DAY, help="The first day of the month they apply from.")
@click.option("--fee", "percent", type=PERCENT, help="The management fee in percent.")
@click.option("--payout-day", type=int, help="The day of the following month; 31 is its last day.")
@click.option("--account", help="The payout account that statements print.")
def terms(
    *,
    building: str,
    at: CommandWorkspace,
    from_on: date | None,
    percent: Decimal | None,
    payout_day: int | None,
    account: str | None,
) -> None:
    """Show the terms of BUILDING (slug, name or id); with --from and --fee set them.

    What is left out stays as it was agreed last. Terms from the same day are replaced.
    """
    if from_on is None or percent is None:
        if (from_on, percent, payout_day, account) != (None, None, None, None):
            raise Refused("Give --from and --fee to set the terms.")
        with reading(at) as (session, _clock):
            rows = _build_term_rows(
                terms_of_building(session, named_building_id(session, building))
            )
    else:
        with writing(at) as work:
            building_id = named_building_id(work.session, building)
            agreed = terms_of_building(work.session, building_id)
            usual = (agreed[-1].payout_day, agreed[-1].payout_account) if agreed else _USUAL
            agree_terms(
                work,
                building_id=building_id,
                from_on=from_on,
                management_percent=percent,
                payout_day=usual[0] if payout_day is None else payout_day,
                payout_account=usual[1] if account is None else account.strip() or None,
            )
            rows = _build_term_rows(terms_of_building(work.session, building_id))
    show_rows(rows, as_json=at.as_json, empty="No terms are set: the fee is 0%.")


_USUAL = (USUAL_PAYOUT_DAY, None)


def _build_term_rows(agreed: Sequence[Any]) -> list[dict[str, Any]]:
    return [
        {
            "from": agreement.from_on,
            "fee": f"{agreement.management_percent}%",
            "payout_day": agreement.payout_day,
            "account": agreement.payout_account,
        }
        for agreement in agreed
    ]


@owner.command("form")
@click.argument("building", metavar="BUILDING")
@of_workspace
@click.option("--from", "from_on", type=DAY, help="The day from which it applies.")
@click.option("--form", type=click.Choice(values(ManagementForm)), help="Whose contracts they are.")
@click.option("--address", "lessor_address", help="The owner's address on contracts.")
@click.option("--number", "lessor_number", help="The owner's registration number.")
@click.option("--informed", "informed_on", type=DAY, help="When the owner was told of your number.")
@click.option("--account", "payee_account", help="The owner's account, if residents pay into it.")
def form(*, building: str, at: CommandWorkspace, **value: Any) -> None:
    """Show the management forms of BUILDING; with --form and --from add one.

    Papers made before keep what they say.
    """
    if value["form"] is None or value["from_on"] is None:
        if any(given is not None for given in value.values()):
            raise Refused("Give --form and --from to set the management form.")
        with reading(at) as (session, _clock):
            building_id = named_building_id(session, building)
            rows = _build_form_rows(forms_of_building(session, building_id))
    else:
        with writing(at) as work:
            building_id = named_building_id(work.session, building)
            written = WrittenManagementForm(**{**value, "form": ManagementForm(value["form"])})
            set_management_form(work, building_id=building_id, written=written)
            rows = _build_form_rows(forms_of_building(work.session, building_id))
    show_rows(rows, as_json=at.as_json, empty="No management form is set.")


@owner.command("lease")
@click.argument("building", metavar="BUILDING")
@of_workspace
@click.option("--from", "first_on", type=DAY, help="The first day of the master lease.")
@click.option("--to", "last_on", type=DAY, help="Its last day, if it has one.")
@click.option("--free-months", type=int, default=0, help="Months without rent at the start.")
@click.option(
    "--step",
    "steps",
    multiple=True,
    metavar="RENT[@DAY]",
    help="The rent from the first day, or from DAY on: 280000, 85%-due or 90%-received.",
)
@click.option(
    "--of",
    "categories",
    multiple=True,
    type=click.Choice([category.value for category in LEASED_CATEGORIES]),
    help="What a percentage is of; rent and building maintenance unless given.",
)
@click.option(
    "--tax",
    "tax_treatment",
    type=click.Choice([treatment.value for treatment in LEASE_TAXES]),
    default=TaxTreatment.EXEMPT.value,
    help="The class of consumption tax of the rent.",
)
@click.option("--remove", "is_removed", is_flag=True, help="Remove the lease of --from.")
def lease(*, building: str, at: CommandWorkspace, is_removed: bool, **value: Any) -> None:
    """Show the master leases of BUILDING; with --from and --step agree one.

    A lease from the same day is replaced.
    """
    if value["first_on"] is None:
        if is_removed or value["steps"]:
            raise Refused("Give --from to set or remove a master lease.")
        with reading(at) as (session, _clock):
            rows = _build_lease_rows(session, named_building_id(session, building))
    else:
        with writing(at) as work:
            building_id = named_building_id(work.session, building)
            if is_removed:
                found = [
                    row.id
                    for row in master_leases(work.session, building_id)
                    if row.first_on == value["first_on"]
                ]
                if not found:
                    raise Refused(
                        "firstOn: no master lease begins on {day}.", day=value["first_on"]
                    )
                remove_master_lease(work, building_id=building_id, lease_id=found[0])
            else:
                written = WrittenMasterLease(
                    first_on=value["first_on"],
                    last_on=value["last_on"],
                    free_months=value["free_months"],
                    steps=tuple(_read_step(text, value["first_on"]) for text in value["steps"]),
                    categories=tuple(map(FeeCategory, value["categories"])) or USUAL_CATEGORIES,
                    tax_treatment=TaxTreatment(value["tax_treatment"]),
                )
                agree_master_lease(work, building_id=building_id, written=written)
            rows = _build_lease_rows(work.session, building_id)
    show_rows(rows, as_json=at.as_json, empty="No master lease is entered.")


_STEP: Final = re.compile(
    r"(?:(?P<yen>[0-9]{1,9})|(?P<percent>[0-9.]{1,8})%-(?P<kind>due|received))(?:@(?P<day>.+))?"
)


def _read_step(text: str, first_on: date) -> LeaseStep:
    """Read a step as it is typed; raise `Refused` for anything else."""
    found = _STEP.fullmatch(text.strip())
    percent = read_percent(found["percent"]) if found and found["percent"] else Decimal(0)
    day = strict_day(found["day"]) if found and found["day"] else first_on
    if found is None or day is None or percent is None:
        raise Refused(
            "--step: '{given}' is not a rent. Give 280000, 85%-due or 90%-received, with @ and a day "
            "for a later one.",
            given=text[:40],
        )
    if found["yen"]:
        return LeaseStep(day, LeaseRentKind.FIXED, rent_yen=int(found["yen"]))
    return LeaseStep(day, LeaseRentKind(found["kind"]), percent=percent)


def _build_lease_rows(session: Any, building_id: str) -> list[dict[str, Any]]:
    in_force = {
        lease.row.id for lease in leases_in_force(session, [building_id]).get(building_id, ())
    }
    return [
        {
            "from": row.first_on,
            "to": row.last_on,
            "free_months": row.free_months,
            "rent": ", ".join(
                (f"{step.rent_yen}" if step.rent_yen else f"{step.percent}%-{step.kind.value}")
                + f"@{step.from_on}"
                for step in steps_of(row)
            ),
            "of": ", ".join(row.categories),
            "tax": row.tax_treatment.value,
            "in_force": row.id in in_force,
        }
        for row in master_leases(session, building_id)
    ]


def _build_form_rows(forms: Sequence[Any]) -> list[dict[str, Any]]:
    return [
        {
            "from": row.from_on,
            "form": row.form.value,
            "number": row.lessor_number,
            "informed": row.informed_on,
        }
        for row in forms
    ]
