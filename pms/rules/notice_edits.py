"""A filed move-out notice: what is refused, and which filing day counts after an edit."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from pms.rules.contract_dates import Term


@dataclass(frozen=True, slots=True)
class FiledNotice:
    """The filing day that counts and the move-out day."""

    filed_on: date
    move_out_on: date


class NoticeProblem(StrEnum):
    """Why a notice cannot be filed (specification, Contract dates)."""

    BEFORE_MOVE_IN = "before_move_in"


def refusal_of_notice(term: Term, move_out_on: date) -> NoticeProblem | None:
    """Why nobody can move out on that day, or None (Contract dates); the first day is one."""
    return NoticeProblem.BEFORE_MOVE_IN if move_out_on < term.start_on else None


def edited_notice(notice: FiledNotice, edited_on: date, move_out_on: date) -> FiledNotice:
    """The notice after an edit of its move-out day (Move-out penalties 8).

    A later day keeps the filing day, an earlier one is a new filing; later and earlier compare
    with the day filed last.
    """
    is_earlier = move_out_on < notice.move_out_on
    return FiledNotice(edited_on if is_earlier else notice.filed_on, move_out_on)
