"""What a deposit's balance is made of, part by part, so that it can be read aloud."""

from typing import NamedTuple

from pms.ledger.statement import Statement
from pms.rules.enumerations import DepositMoveKind


class BalanceParts(NamedTuple):
    """The parts of what is held, in whole yen; what leaves is negative."""

    collected_yen: int
    moved_in_yen: int
    moved_out_yen: int
    settled_yen: int


def balance_parts(found: Statement) -> BalanceParts:
    """Return the parts of a day; together they are what is held."""
    moved = dict.fromkeys(DepositMoveKind, 0)
    for move in found.moves:
        moved[move.kind] += move.line_yen
    return BalanceParts(
        sum(standing.collected_yen for standing in found.standings),
        moved[DepositMoveKind.IN],
        moved[DepositMoveKind.OUT],
        moved[DepositMoveKind.SETTLED],
    )
