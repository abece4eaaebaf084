"""The fields of a row that a question is about."""

from typing import Final

from pms.rules.roll_heads import FEES, Meaning

_OF_MEANING: Final = {
    Meaning.BUILDING: "building",
    Meaning.ROOM: "room",
    Meaning.NUMBER: "room",
    Meaning.BED: "room",
    Meaning.PAID_UNTIL: "billedThrough",
    Meaning.NAME: "name",
    Meaning.FAMILY: "name",
    Meaning.GIVEN: "name",
    Meaning.KANA: "kana",
    Meaning.OCCUPANT: "others",
    Meaning.CO_OCCUPANTS: "others",
    Meaning.PHONE: "phone",
    Meaning.EMAIL: "email",
    Meaning.START: "start",
    Meaning.TERM: "start",
    Meaning.END: "end",
    Meaning.RENEWAL: "end",
    Meaning.MOVE_OUT: "moveOut",
    Meaning.RENT: "rent",
    Meaning.ASKING_RENT: "rent",
    Meaning.MONTHLY: "rent",
    Meaning.DEPOSIT: "deposit",
    Meaning.DEPOSIT_HELD: "deposit",
    Meaning.DEPOSIT_AND_KEY_MONEY: "deposit",
    Meaning.OVERPAID: "overpaid",
    Meaning.BILLED_THROUGH: "billedThrough",
    Meaning.STATUS: "state",
    **{fee: fee.value for fee in FEES},
}
_OF_CODE: Final = {
    "notice_in_remark": ("moveOut", "filedOn"),
    "not_made_again": ("moveOut",),
    "starts_later": ("billedThrough",),
    "starts_later_paid": ("billedThrough",),
    "billed_missing": ("billedThrough",),
    "made_again": ("end", "start"),
    "automatic_renewal": ("end",),
    "term_over": ("end",),
    "term_ends_soon": ("end",),
    "renewal_is_end": ("end",),
    "end_before_start": ("end", "start"),
    "renewed_on": ("start",),
    "free_rent": ("freeUntil",),
    "free_rent_over": ("freeUntil",),
    "owner_use": ("state", "name"),
    "left_already": ("state",),
    "hidden_row": ("state",),
    "vacant_with_name": ("state", "name"),
    "same_name": ("name",),
    "minus_debt": ("unpaid", "overpaid"),
    "carried_over": ("unpaid", "overpaid"),
    "rent_changes": ("rent",),
    "parking": ("parking", "state"),
    "room_twice": ("room", "state"),
    "room_taken": ("start", "state"),
    "broken_quotes": ("rent", "name", "start"),
    "too_many_cells": ("rent", "name", "start"),
    "too_few_cells": ("rent", "name", "start"),
    "split_amount": ("rent", "name", "start"),
    "room_changed": ("room",),
    "beds": ("room",),
    "term_length": ("end",),
    "term_differs": ("end", "start"),
    "open_ended": ("end",),
    "code_unknown": ("state",),
    "whole_house": ("state",),
    "room_not_in_the_roll": ("state", "room"),
    "tenancy_twice": ("state", "room"),
    "left_without_day": ("state", "moveOut"),
    "left_owes": ("state", "unpaid"),
    "billed_and_owed": ("billedThrough",),
    "paid_behind": ("billedThrough", "unpaid"),
    "pays_from_day_to_day": ("billedThrough",),
    "rent_includes_fee": ("commonFee",),
    "two_people_surcharge": ("guestSurcharge", "commonFee"),
    "company": ("name", "others"),
    "deposit_missing": ("deposit",),
    "name_missing": ("name",),
}


def fields_of(code: str, meaning: Meaning | None) -> tuple[str, ...]:
    """Return the fields whose edit answers a question, the likeliest first."""
    known = _OF_CODE.get(code)
    if known is not None:
        return known
    found = None if meaning is None else _OF_MEANING.get(meaning, "unpaid")
    return (found or "unpaid",)
