"""An arrears charge collects an earlier entry's shortfall, and the debt still counts once."""

from pms.rules.ledger_entries import ArrearsOf, Standing


def arrears_of(standing: Standing, amount_yen: int) -> ArrearsOf:
    """What an arrears charge takes over of the entry it names, when it is raised (Deposit 2).

    The smaller of the charge and the shortfall as it stands then; written down once, so that
    a later payment of the entry becomes an overpayment.
    """
    return ArrearsOf(standing.id, min(amount_yen, standing.unpaid_yen))
