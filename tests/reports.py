"""Runs what users of other programs reported, as commands of this one: tests/cases/reports.json.

A case names the tool that runs it, its input, and what may come of it; it holds when one of
`anyOf` does. A fact named `...Has` is a text that the fact has to contain.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from unicodedata import normalize
from xml.sax.saxutils import escape

from click.testing import Result
from sqlalchemy import select

from pms.catalogue.calendar_feeds import read_calendar
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.outbox import OutboxMail
from pms.foundation.settings import Settings
from tests.cases.files import kept_cases
from tests.commands import run_command
from tests.imports.test_workbooks import row, workbook

SLUG = "reports"
_ROOMS = range(101, 121)


def cases_of(tool: str) -> Mapping[str, Any]:
    """The reported cases that a tool runs, by their ids."""
    return {case["id"]: case for case in kept_cases("reports.json", f"reported-{tool}")}


@dataclass(frozen=True)
class Reports:
    """Runs cases in a folder, and where a case needs one, in a workspace of twenty rooms."""

    folder: Path
    settings: Settings
    clock: Clock
    database: Database | None = None

    def differences(self, case: Mapping[str, Any]) -> list[str]:
        """What comes of the input of a case, when it is none of what may come of it."""
        check = case["check"]
        result = TOOLS[check["tool"]](self, check)
        if any(all(_is_so(result, *fact) for fact in facts.items()) for facts in check["anyOf"]):
            return []
        return [f"expected one of {check['anyOf']}, found {result}"]

    def _bank(self, check: Mapping[str, Any]) -> dict[str, Any]:
        self._open()
        on, last = check["on"], None
        for file in check["files"]:
            last = self._run(
                "bank", "import", self._put(file), "--account", "A", *check.get("args", []), on=on
            )
            if isinstance(last, dict) and not check.get("goOn"):
                break
        rows = self._run("bank", "transfers", on=on)
        transfers = rows if isinstance(rows, list) else []
        words = last if isinstance(last, dict) else {}
        return {
            "transfers": sorted([row["day"], row["amount_yen"]] for row in transfers),
            "payers": sorted(row["payer"] for row in transfers),
            "refused": "refused" in words,
            "words": json.dumps(words, ensure_ascii=False),
        }

    def _takeover(self, check: Mapping[str, Any]) -> dict[str, Any]:
        path = self._put(check["file"])
        done = self._invoke("takeover", "check", path, "--on", check["on"], "--json")
        if isinstance(done.exception, Refused):
            return {"refused": True, "words": str(done.exception)}
        if done.exception is not None:
            raise done.exception
        read = json.loads(done.output)
        columns = [question.get("column") or "" for question in read["askAboutRows"]]
        days = ("last month billed", "Through which month")
        words = [
            question["why"]
            for question in read["askAboutTheFile"]
            if not any(day in question["why"] for day in days)
        ]
        sums = ("rent", "fees", "depositHeld", "unpaid", "overpaid")
        return {
            "refused": False,
            "asked": bool(columns or words),
            "askedAbout": columns + words,
            "rooms": sorted(f"{unit['building'] or ''}/{unit['room']}" for unit in read["units"]),
            "people": sorted(who["name"] for let in read["tenancies"] for who in let["people"]),
            **{name: read["totals"][name] for name in sums},
            "ends": [let["end"] for let in read["tenancies"]],
        }

    def _book(self, check: Mapping[str, Any]) -> dict[str, Any]:
        self._open()
        who = ("--unit", "101", "--building", "H", "--name", "佐藤 花子", "--rent", "60000")
        days = ("--move-in", "2026-12-01", "--contract-end", "2027-11-30")
        found = self._run("reservation", "book", *who, *days, *check["args"], on=check["on"])
        return {"refused": isinstance(found, dict) and "refused" in found, "words": str(found)}

    def _remind(self, check: Mapping[str, Any]) -> dict[str, Any]:
        """The days on which reminders of a bill that is not paid are written."""
        self._open()
        on = check["bookedOn"]
        who = ("--unit", "101", "--building", "H", "--name", "佐藤 花子", "--rent", "60000")
        rest = ("--email", "a@example.jp", "--move-in", check["moveIn"])
        booked = self._run("reservation", "book", *who, *rest, on=on)
        self._run("ledger", "pay", booked["reservation"], str(booked["invoice_yen"]), on=on)
        for month in check["billed"]:
            self._run("billing", "run", on=month)
            if month == check["billed"][-1]:
                break
            for entry in self._run("ledger", "show", booked["reservation"], on=month)["entries"]:
                if entry["total_yen"] > entry["paid_yen"]:
                    paid = ("--entry", entry["id"])
                    yen = str(entry["total_yen"])
                    self._run("ledger", "pay", booked["reservation"], yen, *paid, on=month)
        for day in check["days"]:
            for job in ("send-invoices", "send-overdue-reminders"):
                self._invoke("job", "run", job, "--on", day)
        assert self.database is not None
        with self.database.across_workspaces_reading() as session:
            mails = session.execute(select(OutboxMail.subject, OutboxMail.written_at)).all()
        return {
            "reminded": sorted(f"{at:%Y-%m-%d}" for subject, at in mails if "ご確認" in subject)
        }

    def _open(self) -> None:
        """Open a workspace with a building of twenty rooms."""
        heads = "building,address,area,unit,type\n"
        rooms = "".join(f"H,東京都墨田区1-1,墨田区,{room},sharehouse\n" for room in _ROOMS)
        units = self._put({"name": "units.csv", "text": heads + rooms})
        self._invoke("workspaces", "open", SLUG, "--name", "X")
        self._invoke("import", "units", units, "--workspace", SLUG, "--commit")

    def _put(self, file: Mapping[str, Any]) -> str:
        path = self.folder / file["name"]
        if "sheets" in file:
            sheets = {name: _rows_of(rows) for name, rows in file["sheets"].items()}
            path.write_bytes(workbook(**sheets))
        else:
            path.write_bytes(file["text"].encode(file.get("encoding", "utf-8")))
        return str(path)

    def _run(self, *words: str, on: str) -> Any:
        """Return what a command tells as JSON, or why it refused."""
        done = self._invoke(*words, "-w", SLUG, "--on", on, "--json")
        if isinstance(done.exception, Refused):
            return {"refused": str(done.exception)}
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        if done.exit_code:
            return {"refused": done.output[-300:]}
        try:
            return json.loads(done.output)
        except ValueError:
            return {"text": done.output}

    def _invoke(self, *words: str) -> Result:
        return run_command(words, self.clock, self.settings, catch_exceptions=True)


def _rows_of(rows: Sequence[Sequence[str]]) -> str:
    return "".join(row(number, *map(escape, cells)) for number, cells in enumerate(rows, start=1))


def _calendar(_reports: Reports, check: Mapping[str, Any]) -> dict[str, Any]:
    try:
        text = check["text"].replace("\n", "\r\n").encode()
        read = read_calendar(text, date.fromisoformat(check["on"]))
    except Refused as refusal:
        return {"refused": True, "words": str(refusal)}
    return {
        "refused": False,
        "nights": sorted([str(span.first_on), str(span.last_on)] for span in read.nights),
        "problem": any(event.is_problem for event in read.events),
    }


def _is_so(found: Mapping[str, Any], name: str, wanted: Any) -> bool:
    if name.endswith("Has"):
        return normalize("NFC", wanted) in str(found.get(name.removesuffix("Has")))
    return bool(found.get(name) == wanted)


TOOLS: Mapping[str, Callable[[Reports, Mapping[str, Any]], dict[str, Any]]] = {
    "bank": Reports._bank,
    "takeover": Reports._takeover,
    "calendar": _calendar,
    "book": Reports._book,
    "remind": Reports._remind,
}
