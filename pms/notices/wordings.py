"""The words of notices: one sentence a kind, in mails and in the page."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from pms.foundation.errors import unreadable_stored
from pms.foundation.mail_texts import format_day, format_yen
from pms.foundation.phrases import Bilingual
from pms.foundation.translations import deferred_texts, translate
from pms.rules.enumerations import RunKind, TaskKind
from pms.rules.notices_to_people import NoticeKind

_SENTENCES: Final = deferred_texts(
    {
        NoticeKind.TASK_GIVEN: "New task for you: {task}, {place}",
        NoticeKind.TASK_CHANGED: "Changed: {task}, {place}",
        NoticeKind.TASK_SENT_BACK: "To do again: {task}, {place}",
        NoticeKind.REPORT_RECEIVED: "Problem reported: {subject}, {place}",
        NoticeKind.MESSAGE_RECEIVED: "New message from a resident: {subject}, {place}",
        NoticeKind.ENQUIRY_RECEIVED: "New enquiry from {name}",
        NoticeKind.LEAD_RECEIVED: "New job application from {name}",
        NoticeKind.APPLICATION_RECEIVED: "New application for {place}",
        NoticeKind.MOVE_OUT_FILED: "Notice to leave received: {place}, last day {last_on}",
        NoticeKind.MOVE_OUT_WITHDRAWN: "Notice to leave withdrawn: {place}",
        NoticeKind.SETTLEMENT_OBJECTED: "A resident objects to a deposit settlement: {place}",
        NoticeKind.PAYOUT_TO_CONFIRM: "A payout file of {total_yen} waits for your confirmation",
        NoticeKind.PAYOUT_WITHOUT_CONFIRMER: "No colleague may confirm a payout file of {total_yen}",
        NoticeKind.CONTRACT_TO_EXPLAIN: "A contract has to be explained before it is signed: {place}",
        NoticeKind.CONTRACT_SIGNED: "Contract signed: {place}",
        NoticeKind.RUN_FINISHED: "Finished: {run}",
        NoticeKind.RUN_FAILED: "Stopped with an error: {run}",
    },
    "notice",
)
_TASKS: Final = deferred_texts(
    {
        TaskKind.TURNOVER: "Move-out cleaning",
        TaskKind.CLEANING: "Cleaning",
        TaskKind.REPAIR: "Repair",
        TaskKind.INSPECTION: "Inspection",
        TaskKind.OTHER: "Other work",
    },
    "task",
)

_RUNS: Final = deferred_texts(
    {
        RunKind.BILLING: "Monthly billing",
        RunKind.CHARGES: "Charge for several residents",
        RunKind.STATEMENT: "Import of a bank statement",
        RunKind.PLACING: "Recording of certain transfers",
        RunKind.UNDOING: "Undoing of a bank statement",
        RunKind.IMPORT: "Import",
        RunKind.TAKEOVER: "Take-over",
        RunKind.PUBLISHING: "Publishing of owner statements",
        RunKind.EXPORT: "Export of all data",
    },
    "run",
)


def notice_text(kind: NoticeKind, facts: Mapping[str, Any], language: str) -> str:
    """Return the sentence of a notice.

    Of its facts, those in both languages are two texts, days end in `_on`, amounts in `_yen`, and a
    kind of work stands where a task has no title. Raises `StoredUnreadable` for others.
    """
    try:
        values = _read_facts(facts, language)
        return translate(_SENTENCES[kind], language, "notice", **values)
    except (AttributeError, KeyError, TypeError, ValueError) as unreadable:
        raise unreadable_stored() from unreadable


def _read_facts(facts: Mapping[str, Any], language: str) -> Mapping[str, object]:
    values: dict[str, object] = {}
    for name, fact in facts.items():
        if isinstance(fact, dict):
            values[name] = Bilingual(fact.get("ja"), fact.get("en")).in_language(language)
        elif name.endswith("_on"):
            values[name] = format_day(date.fromisoformat(fact), language)
        elif name.endswith("_yen"):
            values[name] = format_yen(fact)
        elif name == "run_kind":
            values["run"] = translate(_RUNS[RunKind(fact)], language, "run")
        elif name == "task_kind":
            values.setdefault("task", translate(_TASKS[TaskKind(fact)], language, "task"))
        else:
            values[name] = fact
    return values
