"""`pms owner ...`: the terms agreed with the owner of a building, and its management form."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import click

from pms.catalogue.buildings import named_building_id
from pms.catalogue.management_forms import (
    WrittenManagementForm,
    forms_of_building,
    set_management_form,
)
from pms.foundation.errors import Refused
from pms.rules.management_forms import ManagementForm
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
