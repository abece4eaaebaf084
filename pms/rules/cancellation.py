"""What a cancelled booking leaves of its move-in invoice."""


def kept_fee_yen(reservation_fee_yen: int, paid_yen: int) -> int:
    """The reservation fee a cancellation keeps: as far as the invoice was paid (States).

    Payments fill the payable lines first; the rest of them goes back through settlement.
    """
    return min(reservation_fee_yen, max(paid_yen, 0))
