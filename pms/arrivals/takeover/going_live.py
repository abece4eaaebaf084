"""Going live: writing a guide in one transaction."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from pms.arrivals.models import Takeover
from pms.arrivals.takeover.checking import Check, check_guide
from pms.arrivals.takeover.guides import Guide, open_as_read
from pms.arrivals.takeover.running import Progress, TakeOverRun, run_take_over
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Refused
from pms.foundation.phrases import Phrase, join_with_commas
from pms.foundation.runs import Run, ask_run
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import RunKind, TakeoverState

MOST_AT_ONCE: Final = 500
"""With more tenancies than this a background worker goes live, and its progress is shown."""


def ask_to_go_live(work: Work, guide: Guide, *, leaves_waiting: bool = False) -> TakeOverRun | Run:
    """Go live at once, or by a worker for many rows; return the result or the started run.

    In both cases a check that is not settled is refused here.
    """
    row = open_as_read(work.session, guide)
    check = check_guide(work.session, guide, work.clock.today())
    if len(check.bills) <= MOST_AT_ONCE:
        return go_live(work, guide, leaves_waiting=leaves_waiting)
    _refuse_unsettled(check, leaves_waiting=leaves_waiting)
    asked = {"file": row.name, "leaves_waiting": leaves_waiting}
    run = ask_run(work, kind=RunKind.TAKEOVER.value, subject=guide.id, **asked)
    run.total = len(check.bills)
    work.session.flush()
    return run


def go_live(
    work: Work,
    guide: Guide,
    *,
    leaves_waiting: bool = False,
    progress: Progress | None = None,
) -> TakeOverRun:
    """Write everything of a guide; refuse one whose check is not settled, or that was changed since.

    Rows that wait for an answer are left out only with `leaves_waiting`; they stay in the guide, to
    be downloaded and read again.
    """
    row = open_as_read(work.session, guide)
    check = check_guide(work.session, guide, work.clock.today())
    _refuse_unsettled(check, leaves_waiting=leaves_waiting)
    run = run_take_over(work, guide.prepared.build_take_over(), progress=progress)
    row.state, row.live_at = TakeoverState.LIVE, work.clock.now()
    facts = {
        "units": run.units,
        "tenancies": run.tenancies,
        "deposit_held_yen": run.deposit_held_yen,
        "unpaid_yen": run.unpaid_yen,
        "overpaid_yen": run.overpaid_yen,
    }
    row.made = {
        **run.made,
        "refused": [[refusal.at, refusal.why] for refusal in run.refused],
        "facts": facts | {"unchanged": run.unchanged, "owners": run.owners},
    }
    about = ("takeover", row.id)
    note_audit_event(work, AuditEvent.TAKEOVER_WENT_LIVE, about, after=facts)
    work.session.flush()
    return run


def _refuse_unsettled(check: Check, *, leaves_waiting: bool) -> None:
    if check.about_files:
        raise Refused(
            "Answer what is asked about the files first. Open questions: {count}.",
            count=len(check.about_files),
        )
    if check.waiting and not leaves_waiting:
        raise Refused(
            "leaveWaiting: rows without an answer: {count}. Answer them or leave them out.",
            count=len(check.waiting),
        )
    if check.is_nothing_new:
        raise Refused("Everything in these files is here already. There is nothing to take over.")
    if not check.is_settled:
        # Each sum that is missing or differs, and by how much.
        sums: list[Phrase] = []
        for total in check.open_sums:
            what = _SUMS[total.name]
            if total.expected_yen is None:
                sums.append(Phrase("the total of {what} is missing", what=what))
            else:
                sums.append(
                    Phrase(
                        "{what} are {rows} yen in the rows and {books} yen in your books",
                        what=what,
                        rows=total.rows_yen + total.here_yen,
                        books=total.expected_yen,
                    )
                )
        raise Refused(
            "The check is not finished: {what}. Correct a row, enter the total of your books or give "
            "a reason.",
            what=join_with_commas([*sums, *_open_bills(check)]),
        )


def _open_bills(check: Check) -> Iterator[Phrase]:
    """Yield the first bills that differ without a reason, and how many more there are."""
    differing = check.open_bills
    for bill in differing[:_BILLS_NAMED]:
        values = bill.row.values
        yield Phrase(
            "the bill of {room} {name} is {bill} yen, the file says {file} yen",
            room=values["room"],
            name=values["name"],
            bill=bill.bill_yen,
            file=bill.sheet_yen,
        )
    if len(differing) > _BILLS_NAMED:
        yield Phrase("{count} more bills differ", count=len(differing) - _BILLS_NAMED)


_BILLS_NAMED: Final = 3
_SUMS: Final = {
    "depositHeld": Phrase("deposits held"),
    "unpaid": Phrase("unpaid amounts"),
    "overpaid": Phrase("overpaid amounts"),
}


class WrittenTakeover(NamedTuple):
    """What going live wrote: counts, and sums in yen."""

    tenancies: int
    joined: int
    rooms: int
    buildings: int
    owners: int
    unchanged: int
    refused: int
    held_yen: int
    unpaid_yen: int
    overpaid_yen: int


def count_written(row: Takeover) -> WrittenTakeover:
    """Return what a guide that went live wrote."""
    made, facts = row.made, row.made.get("facts", {})
    written = {name: len(made.get(name, ())) for name in ("reservation", "joined")}
    return WrittenTakeover(
        tenancies=facts.get("tenancies", sum(written.values())),
        joined=written["joined"],
        rooms=len(made.get("unit", ())),
        buildings=len(made.get("building", ())),
        owners=facts.get("owners", 0),
        unchanged=facts.get("unchanged", 0),
        refused=len(made.get("refused", ())),
        held_yen=facts.get("deposit_held_yen", 0),
        unpaid_yen=facts.get("unpaid_yen", 0),
        overpaid_yen=facts.get("overpaid_yen", 0),
    )
