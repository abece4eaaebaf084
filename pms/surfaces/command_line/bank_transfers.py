"""`pms bank transfers|record|aside|off|payers|forget`: what a person decides about one transfer."""

from collections.abc import Sequence

import click

from pms.bank import payers as bank_payers
from pms.bank import transfers as bank_transfers
from pms.bank.bank_day import BankDay, Matched, match_waiting
from pms.foundation.errors import Refused
from pms.foundation.lists import Paging
from pms.rules.enumerations import TransferState
from pms.surfaces.command_line.import_listing import printable
from pms.surfaces.command_line.listing import show_record, show_rows
from pms.surfaces.command_line.workspace_access import Place, of_workspace, reading, writing

_MOST_PAYERS = 10_000
_ASIDE = (TransferState.KEPT, TransferState.NOT_OURS, TransferState.WAITING)
_transfer_id = click.argument("transfer_id", metavar="TRANSFER")


@click.command("transfers")
@of_workspace
def transfers(*, at: Place) -> None:
    """List the waiting transfers, the most certain first, with numbered suggestions."""
    with reading(at) as (session, clock):
        day = match_waiting(session, clock.today())
    kept = {one.transfer_id for one in day.kept}
    rows = [
        {
            "transfer": one.transfer_id,
            "day": one.match.row.booked_on,
            "amount_yen": one.match.row.yen,
            "payer": printable(one.match.row.payer or one.match.row.text),
            "state": "kept" if one.transfer_id in kept else one.match.verdict.value,
            "offers": " | ".join(_offers(one, day)),
        }
        for one in day.every_one
    ]
    show_rows(rows, as_json=at.as_json, empty="No transfer waits.")


def _offers(one: Matched, day: BankDay) -> Sequence[str]:
    """Each offer by its number: whose bills, and how much of them."""
    return [
        f"{number}: "
        + ", ".join(
            f"{printable(day.book.residents[part.resident_id].name)} {part.yen:,}"
            for part in offer.parts
        )
        for number, offer in enumerate(one.match.offers, 1)
    ]


@click.command("record")
@_transfer_id
@of_workspace
@click.option(
    "--offer", "number", type=click.IntRange(1), help="Record the suggestion with this number."
)
@click.option(
    "--bill",
    "bills",
    multiple=True,
    metavar="RESERVATION/ENTRY",
    help="Pay this bill; repeatable, in the order of payment, for one resident or several.",
)
@click.option("--learn", "learns", is_flag=True, help="Remember the payer for these residents.")
def record(
    *, transfer_id: str, at: Place, number: int | None, bills: tuple[str, ...], learns: bool
) -> None:
    """Record one transfer as suggested, or for the given bills."""
    if (number is None) == (not bills):
        raise click.UsageError("Give either --offer or one --bill or more.")
    with writing(at) as work:
        if number is None:
            named = [one.partition("/") for one in bills]
            chosen = [(reservation, entry) for reservation, _slash, entry in named]
            done = bank_transfers.place_on_bills(work, transfer_id, chosen, learns=learns)
        else:
            mark = _mark_of(match_waiting(work.session, work.clock.today()), transfer_id, number)
            done = bank_transfers.place_as_offered(work, transfer_id, mark)
    show_record({"transfer": transfer_id, "payments": len(done)}, as_json=at.as_json)


def _mark_of(day: BankDay, transfer_id: str, number: int) -> str:
    """The mark of an offer; a transfer that does not wait has none, as `place_as_offered` says."""
    offers = [
        offer
        for one in day.every_one
        if one.transfer_id == transfer_id
        for offer in one.match.offers
    ]
    if not offers:
        return ""
    if number > len(offers):
        raise Refused(
            "offer: There is no suggestion {number}. Choose one of the {count} listed.",
            count=len(offers),
            number=number,
        )
    return offers[number - 1].mark


@click.command("aside")
@_transfer_id
@of_workspace
@click.option(
    "--as",
    "state",
    type=click.Choice([one.value for one in _ASIDE]),
    required=True,
    help="kept (suspense), not_ours (no rent) or waiting.",
)
def aside(*, transfer_id: str, at: Place, state: str) -> None:
    """Keep a transfer as suspense, mark it as no rent, or return it to the list."""
    with writing(at) as work:
        bank_transfers.set_transfer_aside(work, transfer_id, TransferState(state))
    show_record({"transfer": transfer_id, "state": state}, as_json=at.as_json)


@click.command("off")
@_transfer_id
@of_workspace
@click.option("--reason", required=True, help="The reason, for colleagues.")
def off(*, transfer_id: str, at: Place, reason: str) -> None:
    """Reverse the payments of a transfer; it is listed as waiting again."""
    with writing(at) as work:
        count = bank_transfers.take_off(work, transfer_id, reason=reason)
    show_record({"transfer": transfer_id, "reversed": count}, as_json=at.as_json)


@click.command("payers")
@of_workspace
def payers(*, at: Place) -> None:
    """List the remembered payers and their residents."""
    with reading(at) as (session, _clock):
        found = bank_payers.list_payers(session, Paging(1, _MOST_PAYERS))
    rows = [
        {
            "payer_id": one.id,
            "payer": printable(one.payer),
            "reservation": one.reservation_id,
            "name": printable(one.name),
            "unit": one.unit,
        }
        for one in found.payers
    ]
    show_rows(rows, as_json=at.as_json, empty="No payer is remembered.")


@click.command("forget")
@click.argument("payer_id", metavar="PAYER")
@of_workspace
def forget(*, payer_id: str, at: Place) -> None:
    """Forget a remembered payer; recorded payments are kept."""
    with writing(at) as work:
        bank_payers.forget_payer(work, payer_id)
    show_record({"payer_id": payer_id, "state": "forgotten"}, as_json=at.as_json)
