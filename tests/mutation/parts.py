"""The parts of the program that are changed, the tests that must notice, and the aims."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

# Whole histories and the tests of many rows take longer than all the others together.
_OF_MONEY: Final = (
    "tests/ledger",
    "tests/deposits",
    "tests/departures",
    "tests/stories/test_stories.py",
    "tests/stories/test_corrected_dates.py",
)
_OF_ENTRIES: Final = (
    *_OF_MONEY,
    "tests/jobs/test_charging_run.py",
    "tests/pricing/test_prices.py",
    "tests/statements/test_receipts.py",
    "tests/arrivals/test_amend.py",
    "tests/arrivals/test_paid_invoice.py",
    "tests/arrivals/test_preview_amendment.py",
    "tests/arrivals/test_taking_back_what_moved.py",
    "tests/takeover/test_take_over.py",
)
_OF_LEAVING: Final = (
    *_OF_MONEY,
    "tests/takeover/test_leaving.py",
)
_NOT_OF_MONEY: Final = (
    "not killed and not postgresql and not race and not random_ledgers and not written_once"
)


@dataclass(frozen=True)
class Part:
    """One package, and how many of its mutants must be noticed."""

    package: str
    aim: int
    """Percent."""
    sample: int
    """How many mutants are tried unless all are asked for."""
    tests: tuple[str, ...]
    chosen: str
    """The tests among them, as pytest's `-k` has it."""


PARTS: Final[Mapping[str, Part]] = {
    "rules": Part(
        "pms/rules",
        95,
        800,
        (
            "tests/rules",
            "tests/bank/test_bank_samples.py",
            "tests/takeover/test_rent_rolls.py",
            "tests/accounting/test_any_history_is_booked.py",
        ),
        "not stands_alone and not mebibyte and not single_character and not postgresql",
    ),
    "providers": Part(
        "pms/providers",
        85,
        200,
        (
            "tests/rules",
            "tests/channels",
            "tests/checkouts",
            "tests/collections",
            "tests/contracts",
        ),
        "(provider or event or sign or message or delivery or answer) and not postgresql",
    ),
    "ledger": Part("pms/ledger", 85, 200, _OF_ENTRIES, _NOT_OF_MONEY),
    "deposits": Part("pms/deposits", 85, 100, _OF_MONEY, _NOT_OF_MONEY),
    "departures": Part("pms/departures", 85, 100, _OF_LEAVING, _NOT_OF_MONEY),
}
