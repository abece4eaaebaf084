"""Asks the JSON API: once for each answer that changed, again after a while when it is busy."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

TIMEOUT_SECONDS = 20
MOST_TRIES = 5
LONGEST_WAIT_SECONDS = 120
PAGE = 100

Wait = Callable[[float], None]


class StoppedError(Exception):
    """The service did not answer as hoped; the message says what to do."""


class Answer(NamedTuple):
    """What the service answered."""

    status: int
    body: Any
    tag: str | None


class Service:
    """The service under one key."""

    def __init__(self, address: str, key: str, wait: Wait = time.sleep) -> None:
        self.address = address.rstrip("/")
        self._key, self._wait = key, wait

    def get(self, path: str, tag: str | None = None) -> Answer:
        """Ask for a path; with the tag of the last answer, an unchanged one is 304 and empty."""
        headers = {"If-None-Match": tag} if tag else {}
        return self._ask("GET", path, None, headers)

    def post(self, path: str, body: Mapping[str, Any], name: str | None = None) -> Answer:
        """Send a body; under a name of its own it may be sent again and counts once."""
        headers = {"Content-Type": "application/json"}
        if name:
            headers["Idempotency-Key"] = name
        return self._ask("POST", path, json.dumps(body).encode(), headers)

    def _ask(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Answer:
        for number in range(MOST_TRIES):
            try:
                return self._once(method, path, body, headers)
            except urllib.error.HTTPError as refusal:
                self._wait_or_stop(refusal, number)
            except OSError as failure:
                if number + 1 == MOST_TRIES:
                    raise StoppedError(f"{self.address} cannot be reached: {failure}") from failure
                self._wait(2**number)
        raise StoppedError(f"{path}: the service is busy; try again in some minutes.")

    def _once(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Answer:
        # The address comes from the operator's own environment.
        request = urllib.request.Request(self.address + path, body, method=method)
        request.add_header("Authorization", f"Bearer {self._key}")
        request.add_header("Accept", "application/json")
        for name, value in headers.items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
                return Answer(answer.status, json.load(answer)["data"], answer.headers["ETag"])
        except urllib.error.HTTPError as answer:
            if answer.code == 304:
                return Answer(304, None, answer.headers["ETag"])
            raise

    def _wait_or_stop(self, refusal: urllib.error.HTTPError, number: int) -> None:
        """Wait as long as the service says, or twice as long each time; stop for what stays so."""
        if refusal.code == 429:
            seconds = float(refusal.headers.get("Retry-After") or 60)
            if seconds > LONGEST_WAIT_SECONDS:
                raise StoppedError(f"The budget is spent: try again in {seconds:.0f} s.")
        elif refusal.code >= 500:
            seconds = 2.0**number
        else:
            raise StoppedError(f"{refusal.code}: {_reason(refusal)}")
        if number + 1 < MOST_TRIES:
            self._wait(seconds)


class Kept:
    """The last answers in a file, each under its path with its tag."""

    def __init__(self, service: Service, file: Path) -> None:
        self._service, self._file = service, file
        self._answers: dict[str, dict[str, Any]] = {}
        if file.exists():
            self._answers = json.loads(file.read_text("utf-8"))
        self._asked: set[str] = set()
        self.fresh = self.unchanged = 0

    def read(self, path: str) -> Any:
        """Return the data of an answer: the kept one, when the service says it is unchanged."""
        self._asked.add(path)
        known = self._answers.get(path)
        answer = self._service.get(path, known["tag"] if known else None)
        if answer.status == 304 and known:
            self.unchanged += 1
            return known["data"]
        self.fresh += 1
        self._answers[path] = {"tag": answer.tag, "data": answer.body}
        return answer.body

    def all(self, path: str, name: str) -> Iterator[Any]:
        """Give every record of a list, page by page."""
        page = pages = 1
        while page <= pages:
            mark = "&" if "?" in path else "?"
            found = self.read(f"{path}{mark}limit={PAGE}&page={page}")
            yield from found[name]
            pages = found["pagination"]["totalPages"]
            page += 1

    def save(self) -> None:
        """Keep what was asked for this time; what nobody asks for any more is forgotten."""
        kept = {path: self._answers[path] for path in sorted(self._asked)}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        part = self._file.with_suffix(".part")
        part.write_text(json.dumps(kept, ensure_ascii=False), "utf-8")
        part.replace(self._file)


def _reason(refusal: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(refusal)["error"])
    except (ValueError, KeyError, TypeError):
        return refusal.reason
