"""Whose contract it is: the management form of a building, and what a master lease pays its owner."""

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal

from pms.rules.management_forms import FormFrom, ManagementForm, form_in_force
from pms.rules.master_leases import (
    BilledRent,
    LeaseRentKind,
    LeaseStep,
    LeaseTerms,
    ReceivedRent,
    lease_lines,
)
from tests.rules.worked_cases import Answer, Given, certain_day, day, written


def answer_form(given: Given) -> Answer:
    forms = [
        FormFrom(ManagementForm(form["form"]), certain_day(form, "from"))
        for form in given.get("forms", [])
    ]
    found = form_in_force(forms, certain_day(given, "on"), has_owner=given["hasOwner"])
    return {
        "form": found.form.value,
        "lessor": found.lessor.value,
        "agent": found.agent.value if found.agent else None,
        "asked": found.is_asked,
    }


def answer_master(given: Given) -> Answer:
    lease = given["lease"]
    terms = LeaseTerms(
        certain_day(lease, "first"),
        day(lease, "last"),
        [
            LeaseStep(
                certain_day(step, "from"),
                LeaseRentKind(step["kind"]),
                step.get("rent", 0),
                Decimal(step.get("percent", "0")),
            )
            for step in lease["steps"]
        ],
        lease.get("freeMonths", 0),
    )
    lines = lease_lines(
        terms,
        date.fromisoformat(f"{given['month']}-01"),
        due=[
            BilledRent(certain_day(line, "first"), certain_day(line, "last"), line["amount"])
            for line in given.get("rentsDue", [])
        ],
        received=[
            ReceivedRent(certain_day(part, "on"), part["amount"])
            for part in given.get("received", [])
        ],
    )
    total_yen = sum(line.yen for line in lines)
    return {
        "lines": [
            {
                "kind": line.kind.value,
                "first": line.first_on.isoformat(),
                "last": line.last_on.isoformat(),
                "amount": line.yen,
            }
            for line in lines
        ],
        "total": total_yen,
        "freeThrough": written(terms.free_through_on),
        "own": given.get("income", 0) - total_yen,
    }


ANSWERS: Mapping[str, Callable[[Given], Answer]] = {
    "form": answer_form,
    "master": answer_master,
}
