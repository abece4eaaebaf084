"""The ledger of bills and payments of reservations: append-only, with computed balances."""
