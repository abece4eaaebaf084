"""Reads the worked figures of a page: what is given, and what the rules make of it.

In a fence ```` ```figures rule=NAME ```` each line is `name: value`; those behind `=` are answers.
The names are the ones of the worked cases, as words, so that the same readers answer them.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from pms.surfaces.manual.contents import SLUGS
from pms.surfaces.manual.rendering import Fence, fences, read_page
from tests.cases.by_rules import ANSWERS
from tests.rules.worked_cases import Answer

_DAYS = r"(\d{4}-\d\d-\d\d)"


def all_figures() -> list[tuple[str, Fence]]:
    """Every fence of figures with its page, in the order of the manual."""
    return [
        (slug, fence)
        for slug in SLUGS
        for fence in fences(read_page(slug, "en").source)
        if fence.language == "figures"
    ]


def figures_named(fence: Fence) -> list[str]:
    """The answers a fence prints."""
    return [line[2:] for line in fence.body.splitlines() if line.startswith("= ")]


def worked_figures(fence: Fence) -> list[str]:
    """All that the rules answer to what the fence gives, as lines."""
    given: dict[str, Any] = {}
    for line in fence.body.splitlines():
        if not line.startswith("= "):
            name, _, value = line.partition(": ")
            _read(given, name.strip(), value.strip())
    answer = ANSWERS[fence.marks["rule"]](_whole(given))
    assert answer is not None, fence.marks["rule"]
    return list(_lines(answer))


def _read(given: dict[str, Any], name: str, value: str) -> None:
    for pattern, read in _SENTENCES.items():
        found = re.fullmatch(pattern, name)
        if found:
            read(given, found.groups(), value)
            return
    given[_key(name)] = _value(value)


def _price(given: dict[str, Any], words: tuple[Any, ...], value: str) -> None:
    parts = (part.rsplit(" ", 1) for part in value.split(" + "))
    amounts = {_key(item): _value(yen) for item, yen in parts}
    given.setdefault("prices", []).append({"from": words[0], "amounts": amounts})


def _discount(given: dict[str, Any], words: tuple[Any, ...], value: str) -> None:
    figure = value.partition(" ")[0]
    percent = figure.removesuffix("%")
    facts = {"percent": percent} if percent != figure else {"yen": _value(figure)}
    given["discount"] = {**facts, "recurring": not words[0]}


def _issued(given: dict[str, Any], words: tuple[Any, ...], value: str) -> None:
    kind, first, _, last = value.split(" ")
    row = {"kind": kind.replace("-", "_"), "first": first, "last": last}
    given.setdefault("issued", []).append(row)


def _edit(given: dict[str, Any], words: tuple[Any, ...], value: str) -> None:
    given.setdefault("edits", []).append({"on": words[0], "moveOut": value})


def _entry(given: dict[str, Any], words: tuple[Any, ...], value: str) -> None:
    name, issued_on, due_on = words
    payable, _, deposit = value.partition(" and deposit ")
    facts = {"id": name, "issuedOn": issued_on, "amount": _value(payable), "payments": []}
    facts |= {"dueOn": due_on} if due_on else {}
    facts |= {"deposit": _value(deposit)} if deposit else {}
    given.setdefault("entries", []).append(facts)


def _arrears(given: dict[str, Any], words: tuple[Any, ...], value: str) -> None:
    name, issued_on = words
    _entry(given, (f"arrears of {name}", issued_on, None), value)
    given["entries"][-1]["arrearsFor"] = name


def _paid(given: dict[str, Any], words: tuple[Any, ...], value: str) -> None:
    name, paid_on = words
    (entry,) = (entry for entry in given["entries"] if entry["id"] == name)
    entry["payments"].append({"on": paid_on, "amount": _value(value)})


def _policy(given: dict[str, Any], words: tuple[Any, ...], value: str) -> None:
    given.setdefault("policy", {})[words[0].replace(" ", "_")] = _value(value)


def _deductions(given: dict[str, Any], words: tuple[Any, ...], value: str) -> None:
    given["deductions"] = [_value(part) for part in value.split(" + ")]


def _tax_line(given: dict[str, Any], words: tuple[Any, ...], value: str) -> None:
    treatment = "taxable_10" if words[0] == "taxable 10" else "exempt"
    given.setdefault("lines", []).append({"tax": treatment, "amount": _value(value)})


_SENTENCES: dict[str, Callable[[dict[str, Any], tuple[Any, ...], str], None]] = {
    f"price from {_DAYS}": _price,
    "discount( once)?": _discount,
    "issued row": _issued,
    f"edited on {_DAYS}": _edit,
    rf"entry ([\w -]+?) issued {_DAYS}(?: due {_DAYS})?": _entry,
    rf"arrears of ([\w -]+?) issued {_DAYS}": _arrears,
    rf"paid on ([\w -]+?) {_DAYS}": _paid,
    r"policy ([\w ]+)": _policy,
    "deductions": _deductions,
    "amount (exempt|taxable 10)": _tax_line,
}


def _whole(given: dict[str, Any]) -> dict[str, Any]:
    """Prices of which each ends on the eve of the next."""
    for one, following in pairwise(given.get("prices", ())):
        eve = date.fromisoformat(following["from"]) - timedelta(days=1)
        one["to"] = eve.isoformat()
    return given


def _key(words: str) -> str:
    first, *others = re.split(r"[ -]", words)
    return first + "".join(word.capitalize() for word in others)


def _value(text: str) -> Any:
    if text in {"yes", "no"}:
        return text == "yes"
    digits = text.replace(",", "")
    return int(digits) if digits.isdigit() else text


def _lines(answer: Answer, place: str = "") -> Iterator[str]:
    for name, value in answer.items():
        words = f"{place} {_words(name)}".strip()
        if isinstance(value, dict):
            yield from _lines(value, words)
        elif isinstance(value, list):
            for member in value:
                yield from _member(member)
        else:
            yield f"{words}: {_shown(value)}"


def _member(member: Any) -> Iterator[str]:
    """A row or a line with its days; the lines of a row follow it."""
    if isinstance(member, dict) and "first" in member:
        name = _words(member.get("item") or member.get("kind") or "row")
        yen = member["total"] if "total" in member else member["amount"]
        days = f"{member['first']} to {member['last']}" if member["last"] else member["first"]
        yield f"{name} {days}: {_shown(yen)}"
        for line in member.get("lines", ()):
            yield from _member(line)


def _words(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: f" {letter[0].lower()}", name).replace("_", " ")


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return "none" if value is None else str(value).replace("_", " ")
