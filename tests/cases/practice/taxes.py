"""The class of consumption tax of a line, and the tax contained in an invoice."""

import re
from collections.abc import Callable, Mapping

from pms.rules.contract_dates import ContractTerm
from pms.rules.days import Days
from pms.rules.enumerations import TaxTreatment
from pms.rules.invoices import TaxedAmount, contained_taxes
from pms.rules.rent_lines import prorated_yen
from pms.rules.tax_classes import (
    ClassedDays,
    ItemClass,
    TaxBasis,
    TaxedItem,
    class_on,
    classed_days,
    divide_yen,
)
from pms.rules.yen import round_half_away
from tests.rules.worked_cases import Answer, Given, certain_day, day

OTHER_WORDS = {
    "office": TaxedItem.OFFICE_FEE,
    "handling": TaxedItem.RENEWAL_HANDLING,
    "handling_of_renewal": TaxedItem.RENEWAL_HANDLING,
    "other_deduction": TaxedItem.DEDUCTION,
    "guarantee_company": TaxedItem.GUARANTEE_COMPANY_FEE,
    "guarantee_fee_passed_on": TaxedItem.GUARANTEE_COMPANY_FEE,
    "opening_debt": TaxedItem.OPENING,
    "opening_debts": TaxedItem.OPENING,
    "opening_deposit": TaxedItem.DEPOSIT,
    "surcharge": TaxedItem.SHORT_TERM_SURCHARGE,
    "interest": TaxedItem.LATE_INTEREST,
    "arrears_charge": TaxedItem.ARREARS,
}


def item_of(word: str) -> TaxedItem:
    name = re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", word)
    return OTHER_WORDS.get(name) or TaxedItem(name)


def basis_of(given: Given) -> TaxBasis:
    return TaxBasis(
        tuple(
            ContractTerm(certain_day(term, "first"), day(term, "last"))
            for term in given.get("terms", [])
        ),
        tuple(
            ItemClass(item_of(rule["item"]), certain_day(rule, "from"), TaxTreatment(rule["class"]))
            for rule in given.get("policy", [])
        ),
        day(given, "issuedOn") or day(given, "first"),
    )


def runs_of(basis: TaxBasis, line: Given) -> tuple[ClassedDays, ...]:
    """The runs of a line that bills days; none for another, and for a fee of the catalogue."""
    if line["item"] == "fee" or "first" not in line:
        return ()
    days = Days(certain_day(line, "first"), certain_day(line, "last"))
    return classed_days(basis, item_of(line["item"]), days)


def class_of(basis: TaxBasis, line: Given) -> TaxTreatment:
    if line.get("reversesClass"):
        return TaxTreatment(line["reversesClass"])
    if line["item"] == "fee":
        return TaxTreatment(line["feeTax"])
    return class_on(basis, item_of(line["item"]), day(line, "first"))


def answer_class(given: Given) -> Answer:
    basis = basis_of(given)
    runs = runs_of(basis, given)
    answer: Answer = {"class": class_of(basis, given).value if len(runs) < 2 else None}
    if "monthly" in given:
        monthly_yen = given["monthly"]
        whole = Days(certain_day(given, "first"), certain_day(given, "last"))
        whole_yen = round_half_away(prorated_yen(monthly_yen, whole))
        parts = [prorated_yen(monthly_yen, run.days) for run in runs]
        amounts = divide_yen(whole_yen, parts)
        answer["total"] = sum(amounts)
        answer["lines"] = [
            {
                "first": run.days.first_on.isoformat(),
                "last": run.days.last_on.isoformat(),
                "class": run.treatment.value,
                "amount": yen,
            }
            for run, yen in zip(runs, amounts, strict=True)
        ]
    return answer


def answer_invoice(given: Given) -> Answer:
    basis = basis_of(given)
    classes = [class_of(basis, line) for line in given["lines"]]
    amounts = [line["amount"] for line in given["lines"]]
    taxes = contained_taxes(map(TaxedAmount, classes, amounts))
    return {
        "classes": [treatment.value for treatment in classes],
        "totals": {tax.treatment.value: tax.inclusive_yen for tax in taxes},
        "contained": {tax.treatment.value: tax.tax_yen for tax in taxes if tax.is_taxed},
        "total": sum(amounts),
    }


ANSWERS: Mapping[str, Callable[[Given], Answer]] = {
    "tax-class": answer_class,
    "tax-invoice": answer_invoice,
}
