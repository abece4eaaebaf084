"""`pms rents ...`: proposes new rents to the residents of a building, and lists the answers."""

from datetime import date

import click

from pms.catalogue.buildings import named_building_id
from pms.contracts.rent_proposals import (
    RentWishes,
    listed_proposals,
    plan_rents,
    propose_rents,
    residents_of_building,
)
from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual
from pms.foundation.settings import Settings
from pms.rules.rent_proposals import ROUNDING_UNITS, AmountChange, AmountWay, read_change
from pms.surfaces.command_line.listing import DAY, show_rows
from pms.surfaces.command_line.workspace_access import (
    CommandWorkspace,
    of_workspace,
    reading,
    writing,
)


@click.group()
def rents() -> None:
    """Propose new rents to residents, and list what they answered."""


@rents.command("list")
@of_workspace
def list_rents(*, at: CommandWorkspace) -> None:
    """List the proposals of the past year and those that wait, with their answers."""
    with reading(at) as (session, clock):
        rows = [
            {
                "from": each.proposal.from_on,
                "name": each.name,
                "unit": each.unit,
                "rent_before_yen": each.proposal.rent_before_yen,
                "rent_yen": each.proposal.rent_yen,
                "maintenance_before_yen": each.proposal.maintenance_before_yen,
                "maintenance_yen": each.proposal.maintenance_yen,
                "answer": each.proposal.answer,
                "applies": each.proposal.begun_at is not None,
                "reservation": each.proposal.reservation_id,
            }
            for each in listed_proposals(session, clock.today())
        ]
    show_rows(rows, as_json=at.as_json, empty="No rents are proposed.")


@rents.command("propose")
@click.argument("building", metavar="BUILDING")
@of_workspace
@click.option("--from", "from_on", type=DAY, required=True, help="The first day of the new rent.")
@click.option("--rent", help="The base rent: +3%, -2.5%, +2000, -500, or the new amount.")
@click.option("--maintenance", help="Building maintenance, in the same way.")
@click.option(
    "--round",
    "unit_yen",
    type=click.Choice([str(unit) for unit in ROUNDING_UNITS]),
    default="1",
    help="The yen to which an amount by percent is rounded.",
)
@click.option("--reason", "reason_ja", help="The reason in Japanese.")
@click.option("--reason-en", help="The reason in English.")
@click.option("--only", "only", multiple=True, help="Only this reservation; can be repeated.")
@click.option("--preview", is_flag=True, help="Show the new amounts without sending anything.")
def propose(
    *,
    building: str,
    at: CommandWorkspace,
    from_on: date,
    rent: str | None,
    maintenance: str | None,
    unit_yen: str,
    reason_ja: str | None,
    reason_en: str | None,
    only: tuple[str, ...],
    preview: bool,
) -> None:
    """Propose a new rent to the current residents of BUILDING (slug, name or id)."""
    wishes = RentWishes(
        from_on=from_on,
        rent=_read_option("rent", rent),
        maintenance=_read_option("maintenance", maintenance),
        unit_yen=int(unit_yen),
        reason=Bilingual(reason_ja, reason_en),
    )
    with reading(at) as (session, clock):
        living = residents_of_building(session, named_building_id(session, building))
        unknown = sorted(set(only) - set(living))
        if unknown:
            raise Refused("--only: {id} is no current resident of the building.", id=unknown[0])
        chosen = [id_ for id_ in living if not only or id_ in only]
        planned = plan_rents(session, clock.today(), chosen, wishes)
    if not preview:
        with writing(at) as work:
            base_url = Settings.from_environment().base_url
            propose_rents(work, reservation_ids=chosen, wishes=wishes, base_url=base_url)
    rows = [
        {
            "name": each.name,
            "rent_before_yen": each.rent_before_yen,
            "rent_yen": each.rent_yen,
            "maintenance_before_yen": each.maintenance_before_yen,
            "maintenance_yen": each.maintenance_yen,
            "not_possible": str(each.refusal) if each.refusal else None,
            "reservation": each.reservation_id,
        }
        for each in planned
    ]
    show_rows(rows, as_json=at.as_json, empty="Nobody lives in the building.")


def _read_option(name: str, text: str | None) -> AmountChange:
    if text is None:
        return AmountChange(AmountWay.KEEP)
    change = read_change(text)
    if change is None:
        raise Refused(
            "--{name}: '{text}' is no change. Write +3%, -2.5%, +2000, -500 or 71000.",
            name=name,
            text=text[:40],
        )
    return change
