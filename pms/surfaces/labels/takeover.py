"""The labels of the takeover: its fields, states, columns and reasons."""

import re
from typing import Final

from flask_babel import LazyString, gettext, lazy_gettext, lazy_pgettext

from pms.arrivals.takeover.checking import DifferenceReason
from pms.arrivals.takeover.instructions import Direction
from pms.arrivals.takeover.row_fields import GuideStep, State
from pms.rules.roll_heads import FEES, DayOrder, Meaning
from pms.rules.roll_legends import Sign

STEP_WORDS: Final[dict[GuideStep, LazyString]] = {
    GuideStep.FILES: lazy_gettext("Files and columns"),
    GuideStep.ROOMS: lazy_gettext("Rooms"),
    GuideStep.PEOPLE: lazy_gettext("Residents and contracts"),
    GuideStep.MONEY: lazy_pgettext("takeover", "Money"),
    GuideStep.CHECK: lazy_pgettext("takeover", "Check and go live"),
}
STATE_WORDS: Final[dict[State, LazyString]] = {
    State.LET: lazy_pgettext("takeover", "Occupied"),
    State.VACANT: lazy_pgettext("takeover", "Vacant"),
    State.BLOCK: lazy_pgettext("takeover", "Owner's use (blocked)"),
    State.OWNER: lazy_pgettext("takeover", "Owner lives there"),
    State.OUT: lazy_pgettext("takeover", "Leave out"),
}
FIELD_WORDS: Final[dict[str, LazyString]] = {
    "building": lazy_gettext("Building"),
    "room": lazy_gettext("Room"),
    "state": lazy_pgettext("takeover", "Status"),
    "rent": lazy_gettext("Rent"),
    "commonFee": lazy_gettext("Common fee"),
    "utilities": lazy_gettext("Utilities"),
    "parking": lazy_gettext("Parking"),
    "neighbourhood": lazy_gettext("Neighbourhood association"),
    "guestSurcharge": lazy_gettext("Guest surcharge"),
    "other": lazy_gettext("Other monthly fees"),
    "name": lazy_gettext("Name"),
    "kana": lazy_gettext("Reading"),
    "others": lazy_gettext("Co-occupants"),
    "phone": lazy_gettext("Phone"),
    "email": lazy_gettext("Email"),
    "start": lazy_gettext("Contract start"),
    "end": lazy_gettext("Contract end"),
    "filedOn": lazy_gettext("Notice filed on"),
    "moveOut": lazy_gettext("Move-out"),
    "deposit": lazy_gettext("Deposit held"),
    "billedThrough": lazy_gettext("Billed through"),
    "unpaid": lazy_gettext("Unpaid"),
    "overpaid": lazy_gettext("Overpaid"),
    "freeUntil": lazy_gettext("Rent-free until"),
}
SUM_WORDS: Final[dict[str, LazyString]] = {
    "depositHeld": lazy_gettext("Deposits held"),
    "unpaid": lazy_gettext("Unpaid"),
    "overpaid": lazy_gettext("Overpaid"),
}
REASON_WORDS: Final[dict[DifferenceReason, LazyString]] = {
    DifferenceReason.BILLED_ALREADY: lazy_gettext("This month was already billed before"),
    DifferenceReason.BEGINS_LATER: lazy_gettext("The contract starts after this month"),
    DifferenceReason.PART_OF_MONTH: lazy_gettext("Part of the month"),
    DifferenceReason.ENDED: lazy_gettext("The contract ends"),
    DifferenceReason.MOVES_OUT: lazy_gettext("The resident moves out"),
    DifferenceReason.FREE_OF_RENT: lazy_gettext("Rent-free"),
    DifferenceReason.EDITED: lazy_gettext("Amounts were edited here"),
    DifferenceReason.SHEET_SUM: lazy_gettext("The row's own total differs"),
}
MEANING_WORDS: Final[dict[Meaning, LazyString]] = {
    Meaning.BUILDING: lazy_gettext("Building"),
    Meaning.ROOM: lazy_gettext("Room"),
    Meaning.NAME: lazy_gettext("Name"),
    Meaning.KANA: lazy_gettext("Reading"),
    Meaning.OCCUPANT: lazy_gettext("Who lives there"),
    Meaning.CO_OCCUPANTS: lazy_gettext("Co-occupants"),
    Meaning.PHONE: lazy_gettext("Phone"),
    Meaning.EMAIL: lazy_gettext("Email"),
    Meaning.START: lazy_gettext("Contract start"),
    Meaning.END: lazy_gettext("Contract end"),
    Meaning.TERM: lazy_gettext("Contract start and end"),
    Meaning.MOVE_OUT: lazy_gettext("Move-out"),
    Meaning.RENT: lazy_gettext("Rent"),
    Meaning.COMMON_FEE: lazy_gettext("Common fee"),
    Meaning.UTILITIES: lazy_gettext("Utilities"),
    Meaning.PARKING: lazy_gettext("Parking"),
    Meaning.NEIGHBOURHOOD: lazy_gettext("Neighbourhood association"),
    Meaning.GUEST_SURCHARGE: lazy_gettext("Guest surcharge"),
    Meaning.OTHER_FEE: lazy_gettext("Other monthly fees"),
    Meaning.MONTHLY: lazy_gettext("Monthly total"),
    Meaning.DEPOSIT: lazy_gettext("Deposit agreed"),
    Meaning.DEPOSIT_HELD: lazy_gettext("Deposit held"),
    Meaning.UNPAID: lazy_gettext("Unpaid"),
    Meaning.UNPAID_DETAIL: lazy_gettext("Unpaid items"),
    Meaning.OVERPAID: lazy_gettext("Overpaid"),
    Meaning.BILLED_THROUGH: lazy_gettext("Billed through"),
    Meaning.NEXT_BILLED: lazy_gettext("Next month to bill"),
    Meaning.GUARANTOR: lazy_gettext("Guarantor"),
    Meaning.STATUS: lazy_pgettext("takeover", "Status"),
    Meaning.NOTE: lazy_gettext("Note"),
    Meaning.FAMILY: lazy_gettext("Family name"),
    Meaning.GIVEN: lazy_gettext("Given name"),
    Meaning.FAMILY_KANA: lazy_gettext("Reading of the family name"),
    Meaning.GIVEN_KANA: lazy_gettext("Reading of the given name"),
    Meaning.ASKING_RENT: lazy_gettext("Rent asked for a vacant room"),
    Meaning.OLD_RENT: lazy_gettext("Rent of earlier years"),
    Meaning.DEPOSIT_AND_KEY_MONEY: lazy_gettext("Deposit and key money"),
    Meaning.CARRIED: lazy_gettext("Carried over"),
    Meaning.BILLED: lazy_gettext("Billed for the month"),
    Meaning.PAID: lazy_gettext("Paid for the month"),
    Meaning.BALANCE: lazy_gettext("Balance"),
    Meaning.RENEWAL: lazy_gettext("Renewal"),
    Meaning.ITEM: lazy_gettext("What an amount is for"),
    Meaning.NUMBER: lazy_gettext("Line number"),
    Meaning.MONTH: lazy_gettext("Payments of one month"),
    Meaning.BED: lazy_gettext("Bed"),
    Meaning.PAID_UNTIL: lazy_gettext("Paid until"),
    Meaning.INCLUDED: lazy_gettext("Part of the rent (inside it)"),
    Meaning.PASSED_OVER: lazy_gettext("Not needed"),
}
MEANING_GROUPS: Final[tuple[tuple[LazyString, tuple[Meaning, ...]], ...]] = (
    (
        lazy_pgettext("takeover", "Room and people"),
        (
            *(Meaning.ROOM, Meaning.BUILDING, Meaning.BED, Meaning.STATUS, Meaning.NAME),
            *(Meaning.KANA, Meaning.FAMILY, Meaning.GIVEN, Meaning.FAMILY_KANA),
            *(Meaning.GIVEN_KANA, Meaning.OCCUPANT, Meaning.CO_OCCUPANTS, Meaning.PHONE),
            *(Meaning.EMAIL, Meaning.GUARANTOR, Meaning.NOTE, Meaning.NUMBER),
        ),
    ),
    (
        lazy_pgettext("takeover", "Contract"),
        (Meaning.START, Meaning.END, Meaning.TERM, Meaning.RENEWAL, Meaning.MOVE_OUT),
    ),
    (
        lazy_pgettext("takeover", "Each month"),
        (
            *(Meaning.RENT, Meaning.ASKING_RENT, Meaning.OLD_RENT, *FEES, Meaning.MONTHLY),
            *(Meaning.INCLUDED, Meaning.ITEM),
        ),
    ),
    (
        lazy_pgettext("takeover", "Deposits and balances"),
        (
            *(Meaning.DEPOSIT_HELD, Meaning.DEPOSIT, Meaning.DEPOSIT_AND_KEY_MONEY),
            *(Meaning.UNPAID, Meaning.UNPAID_DETAIL, Meaning.OVERPAID, Meaning.BALANCE),
            *(Meaning.CARRIED, Meaning.BILLED, Meaning.PAID, Meaning.BILLED_THROUGH),
            *(Meaning.PAID_UNTIL, Meaning.NEXT_BILLED, Meaning.MONTH),
        ),
    ),
)
"""The meanings that a person may choose for a column, in groups."""
UNIT_WORDS: Final[dict[str, LazyString]] = {
    "1": lazy_pgettext("takeover", "yen"),
    "1000": lazy_pgettext("takeover", "thousand yen"),
    "10000": lazy_pgettext("takeover", "ten thousand yen"),
}
SIGN_WORDS: Final[dict[Sign, LazyString]] = {
    Sign.OWED: lazy_pgettext("takeover", "no sign: owed by the resident"),
    Sign.AHEAD: lazy_pgettext("takeover", "no sign: paid ahead"),
}
DAY_FORM_WORDS: Final[dict[DayOrder, LazyString]] = {
    DayOrder.YEAR_FIRST: lazy_gettext("year, month, day"),
    DayOrder.DAY_FIRST: lazy_gettext("day, month, year"),
    DayOrder.MONTH_FIRST: lazy_gettext("month, day, year"),
    DayOrder.SERIAL_1900: lazy_gettext("Excel serial number (from 1900)"),
    DayOrder.SERIAL_1904: lazy_gettext("Excel serial number (from 1904)"),
}
DIRECTION_WORDS: Final[dict[Direction, LazyString]] = {
    Direction.DOWN: lazy_gettext("A room is a row"),
    Direction.ACROSS: lazy_gettext("A room is a column"),
}
ROLE_WORDS: Final[dict[str, LazyString]] = {
    "roll": lazy_gettext("Read: tenancies"),
    "beside the roll": lazy_gettext("Read: more about the same rooms"),
    "earlier month": lazy_gettext("Earlier month: only balances are read"),
}
WHY_NOT_READ_WORDS: Final[dict[str, LazyString]] = {
    "empty": lazy_gettext("The sheet is empty."),
    "hidden": lazy_gettext("The sheet is hidden in the file and is not read."),
    "not_chosen": lazy_gettext("You chose not to read this sheet."),
    "no_head": lazy_gettext(
        "No header row was found. Press “Header” on the row with the column names, or choose what "
        "each column means."
    ),
    "other_sheet": lazy_gettext("This sheet has no tenancies of its own."),
}
WRONG_WORDS: Final[dict[str, LazyString]] = {
    "not_yen": lazy_gettext("Whole yen only, e.g. 86000."),
    "not_a_day": lazy_gettext("Enter a date such as 2026-11-20."),
    "not_a_state": lazy_gettext("Choose one of the statuses."),
    "not_an_email": lazy_gettext("Enter an email address such as name@example.com."),
    "not_debts": lazy_gettext("Enter for example 2026-10 20,000; 2026-11 79,000."),
    "no_name": lazy_gettext("Enter a name."),
    "too_long": lazy_gettext("This is too long."),
}
# Answers that leave a row as it is and have their own labels.
LEFT_WORDS: Final[dict[str, LazyString]] = {
    "starts_later": lazy_gettext("Nothing billed yet"),
    "starts_later_paid": lazy_gettext("Nothing billed yet"),
    "made_again": lazy_gettext("Month to month"),
    "automatic_renewal": lazy_gettext("Month to month"),
    "term_over": lazy_gettext("Month to month"),
    "term_ends_soon": lazy_gettext("Month to month afterwards"),
    "notice_in_remark": lazy_gettext("No notice given"),
    "two_people_surcharge": lazy_gettext("No surcharge"),
    "free_rent": lazy_gettext("Rent is payable"),
    "minus_debt": lazy_gettext("As shown in the row"),
    "carried_over": lazy_gettext("As shown in the row"),
    "hidden_row": lazy_gettext("It still runs"),
}
_PLACE: Final = re.compile(r"(line|record|row) (\d+)$")


def place_words(at: str) -> str:
    """Return where a row is in its file, in words."""
    found = _PLACE.search(at)
    if found is None:
        return at
    before, number = at[: found.start()], found[2]
    # Kept outside the concatenation, where the extraction of texts would not find them.
    line, row = gettext("Line %(number)s", number=number), gettext("Row %(number)s", number=number)
    return str(before + (line if found[1] == "line" else row))
