"""Sends the requests of the manual's examples to the program, as a reader's terminal would."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from string import Template
from urllib.parse import urlsplit

from pms.rules.enumerations import Scope
from pms.surfaces.manual.contents import SLUGS
from pms.surfaces.manual.rendering import ORIGINAL, fences, read_page

BASE = "{base_url}"
KEYS = {
    "PMS_KEY": (Scope.PROPERTIES_READ, Scope.CONTENT_READ),
    "PMS_RESIDENTS_KEY": (Scope.RESIDENTS_READ,),
    "PMS_SHOWINGS_KEY": (Scope.SHOWINGS_READ,),
    "PMS_SPENT_KEY": (Scope.PROPERTIES_READ,),
    "PMS_ACTIONS_KEY": (Scope.INQUIRIES_WRITE, Scope.LEADS_WRITE, Scope.CHAT_INVOKE),
    "PMS_TELEMETRY_KEY": (Scope.ANALYTICS_WRITE,),
    "PMS_STAYS_KEY": (Scope.CHECK_IN_LINKS_WRITE,),
    "PMS_OFFERS_KEY": (Scope.RESERVATION_LINKS_WRITE,),
    "PMS_PURCHASES_KEY": (Scope.PURCHASES_WRITE,),
    "PMS_OTA_KEY": (Scope.OTA_INGEST,),
}
"""The keys a reader has in the shell, by the names the examples call them."""


@dataclass(frozen=True)
class Example:
    """One request of a page, and the answer printed below it, if one is."""

    page: str
    name: str
    command: str
    answer: str | None
    status: int

    def __str__(self) -> str:
        return f"{self.page}#{self.name}"


@dataclass(frozen=True)
class Asked:
    """A curl line taken apart."""

    method: str
    address: str
    headers: dict[str, str]
    body: str | None = None
    form: tuple[tuple[str, str], ...] = ()


def all_examples() -> list[Example]:
    """Every example of the manual, in its order."""
    return [example for slug in SLUGS for example in _examples_of(slug)]


def read_curl(command: str, variables: Mapping[str, str]) -> Asked:
    """Take a curl line apart as a shell would; an unknown variable or option is an error."""
    words = shlex.split(Template(command.replace("\\\n", " ")).substitute(variables))
    assert words.pop(0) == "curl"
    headers, addresses, form, body = {}, [], [], None
    while words:
        word = words.pop(0)
        if word == "-H":
            name, _, value = words.pop(0).partition(": ")
            headers[name] = value
        elif word == "-F":
            name, _, value = words.pop(0).partition("=")
            form.append((name, value))
        elif word == "-d":
            body = words.pop(0)
        elif word != "-i":
            assert not word.startswith("-"), f"an option the manual does not use: {word}"
            addresses.append(word)
    (address,) = addresses
    assert address.startswith(f"{BASE}/")
    method = "GET" if body is None and not form else "POST"
    return Asked(method, address.removeprefix(BASE), headers, body, tuple(form))


def path_of(command: str) -> str:
    """The path a command asks for, variables and all."""
    words = shlex.split(command.replace("\\\n", " "))
    return urlsplit(words[-1].removeprefix(BASE)).path


def _examples_of(slug: str) -> list[Example]:
    found = fences(read_page(slug, ORIGINAL).source)
    answers = {fence.marks["answer"]: fence for fence in found if "answer" in fence.marks}
    examples = []
    for fence in found:
        if "example" in fence.marks:
            name = fence.marks["example"]
            answer = answers.pop(name, None)
            status = int(answer.marks["status"]) if answer else 200
            body = answer.body if answer else None
            examples.append(Example(slug, name, fence.body, body, status))
    assert not answers, f"{slug}: an answer without its request"
    return examples
