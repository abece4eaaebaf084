"""Notices to people: their kinds, who of the staff has them by default, and when a mail may leave.

Nobody sets anything up: each role has what its work needs, by mail or in the page alone. A person
may turn mails of a group off.
"""

from collections.abc import Iterable
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from pms.rules.days import JAPAN, ONE_DAY, day_of
from pms.rules.enumerations import StaffRole


class NoticeGroup(StrEnum):
    """What a person chooses by: kinds of one subject."""

    TASKS = "tasks"
    MESSAGES = "messages"
    MONEY = "money"
    CONTRACTS = "contracts"
    RUNS = "runs"


class NoticeKind(StrEnum):
    """What happened."""

    TASK_GIVEN = "task.given"
    TASK_CHANGED = "task.changed"
    TASK_SENT_BACK = "task.sent_back"
    REPORT_RECEIVED = "report.received"
    MESSAGE_RECEIVED = "message.received"
    ENQUIRY_RECEIVED = "enquiry.received"
    LEAD_RECEIVED = "lead.received"
    APPLICATION_RECEIVED = "application.received"
    MOVE_OUT_FILED = "move_out.filed"
    MOVE_OUT_WITHDRAWN = "move_out.withdrawn"
    SETTLEMENT_OBJECTED = "settlement.objected"
    PAYOUT_TO_CONFIRM = "payout.to_confirm"
    PAYOUT_WITHOUT_CONFIRMER = "payout.without_confirmer"
    CONTRACT_TO_EXPLAIN = "contract.to_explain"
    CONTRACT_SIGNED = "contract.signed"
    RUN_FINISHED = "run.finished"
    RUN_FAILED = "run.failed"


class SendingWay(StrEnum):
    """How a notice leaves the page, in which everybody has it."""

    MAIL = "mail"


class NoticeReaderKind(StrEnum):
    """Who reads a notice: what the reader's id names."""

    STAFF = "staff"
    RESIDENT = "resident"
    OWNER = "owner"


class UnsentBecause(StrEnum):
    """Why a notice did not leave by a way."""

    ROLE = "role"
    """The role has this kind in the page alone, unless the person asked for more."""
    CHOICE = "choice"
    NO_ADDRESS = "no-address"
    READ = "read"
    """It was read in the page before."""
    OVER = "over"
    """What it was about was over by then: done, paid, answered, cancelled."""
    GONE = "gone"
    """The person does not work here any more."""


class KindOfNotice(NamedTuple):
    """A kind's group, the roles that are mailed about it by default, and how long it gathers.

    Others who may see it have it in the page. All that a person is sent of one group within
    `gathers` minutes is one mail.
    """

    group: NoticeGroup
    mailed: frozenset[StaffRole]
    gathers: int


ANSWERING: Final = frozenset({StaffRole.OPERATOR, StaffRole.OFFICE})
"""Who answers people and decides about money."""
_OFFICE: Final = frozenset({StaffRole.OFFICE})
_ALL: Final = frozenset(StaffRole)
_OFFICE_AND_REPAIRS: Final = _OFFICE | {StaffRole.MAINTENANCE}
KINDS_OF_NOTICES: Final = {
    NoticeKind.TASK_GIVEN: KindOfNotice(NoticeGroup.TASKS, _ALL, 5),
    NoticeKind.TASK_CHANGED: KindOfNotice(NoticeGroup.TASKS, _ALL, 5),
    NoticeKind.TASK_SENT_BACK: KindOfNotice(NoticeGroup.TASKS, _ALL, 5),
    NoticeKind.REPORT_RECEIVED: KindOfNotice(NoticeGroup.MESSAGES, _OFFICE_AND_REPAIRS, 5),
    NoticeKind.MESSAGE_RECEIVED: KindOfNotice(NoticeGroup.MESSAGES, _OFFICE, 15),
    NoticeKind.ENQUIRY_RECEIVED: KindOfNotice(NoticeGroup.MESSAGES, _OFFICE, 15),
    NoticeKind.LEAD_RECEIVED: KindOfNotice(NoticeGroup.MESSAGES, _OFFICE, 60),
    NoticeKind.APPLICATION_RECEIVED: KindOfNotice(NoticeGroup.CONTRACTS, _OFFICE, 5),
    NoticeKind.MOVE_OUT_FILED: KindOfNotice(NoticeGroup.CONTRACTS, _OFFICE, 5),
    NoticeKind.MOVE_OUT_WITHDRAWN: KindOfNotice(NoticeGroup.CONTRACTS, _OFFICE, 5),
    NoticeKind.SETTLEMENT_OBJECTED: KindOfNotice(NoticeGroup.MONEY, _OFFICE, 5),
    NoticeKind.PAYOUT_TO_CONFIRM: KindOfNotice(NoticeGroup.MONEY, _ALL, 0),
    NoticeKind.PAYOUT_WITHOUT_CONFIRMER: KindOfNotice(NoticeGroup.MONEY, _ALL, 0),
    NoticeKind.CONTRACT_TO_EXPLAIN: KindOfNotice(NoticeGroup.CONTRACTS, _OFFICE, 5),
    NoticeKind.CONTRACT_SIGNED: KindOfNotice(NoticeGroup.CONTRACTS, _OFFICE, 15),
    NoticeKind.RUN_FINISHED: KindOfNotice(NoticeGroup.RUNS, frozenset(), 5),
    NoticeKind.RUN_FAILED: KindOfNotice(NoticeGroup.RUNS, _ALL, 5),
}


def is_mailed_by_default(
    kind: NoticeKind, role: StaffRole, colleagues: Iterable[StaffRole], *, is_urgent: bool = False
) -> bool:
    """Whether a role is mailed about a kind where the person chose nothing.

    Operators are mailed what the office is where nobody has the role of the office, and everything
    urgent.
    """
    mailed = KINDS_OF_NOTICES[kind].mailed
    if role in mailed:
        return True
    is_alone = StaffRole.OFFICE not in set(colleagues)
    return role is StaffRole.OPERATOR and StaffRole.OFFICE in mailed and (is_alone or is_urgent)


def leaves_at(
    caused_at: datetime, gathers: int, quiet: tuple[int, int], *, is_urgent: bool = False
) -> datetime:
    """Return when a notice may leave: after its minutes, and outside the quiet hours in Japan.

    `quiet` is the hour in which they begin and the one in which they end; equal hours are none.
    What is urgent leaves at once, at any hour.
    """
    if is_urgent:
        return caused_at
    at = (caused_at + timedelta(minutes=gathers)).astimezone(JAPAN)
    begins, ends = quiet
    is_over_midnight = begins > ends
    is_evening = is_over_midnight and at.hour >= begins
    is_quiet = (
        (at.hour >= begins or at.hour < ends) if is_over_midnight else begins <= at.hour < ends
    )
    if not is_quiet:
        return at
    day = day_of(at) + ONE_DAY if is_evening else day_of(at)
    return datetime.combine(day, time(ends), tzinfo=JAPAN)
