"""The places a template may hold, and what stands there in a contract: a closed list of names."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from types import MappingProxyType
from typing import Final

from pms.contracts.contract_facts import ContractFacts, MonthlyLine
from pms.foundation.wording import said_day, said_yen

Said = Callable[[ContractFacts, str], str | None]
NOTHING: Final = "—"


def _term(facts: ContractFacts, locale: str) -> str:
    """The whole term in words; without an end nothing says "until"."""
    start_on = said_day(facts.start_on, locale)
    if facts.end_on is None:
        return (
            f"{start_on}から（期間の定めなし）"
            if locale == "ja"
            else f"from {start_on}, open-ended"
        )
    end_on = said_day(facts.end_on, locale)
    return f"{start_on}から{end_on}まで" if locale == "ja" else f"{start_on} to {end_on}"


def _end(facts: ContractFacts, locale: str) -> str | None:
    return None if facts.end_on is None else said_day(facts.end_on, locale)


def _lines(monthly: Iterable[MonthlyLine], locale: str) -> str:
    lines = [f"{line.label.said(locale)} {said_yen(line.yen)}" for line in monthly]
    return ("、" if locale == "ja" else ", ").join(lines)


def _monthly_lines(facts: ContractFacts, locale: str) -> str:
    later = [(one.from_on, _lines(one.monthly, locale)) for one in facts.later]
    return _with_later(_lines(facts.monthly, locale), later, locale)


def _monthly_total(facts: ContractFacts, locale: str) -> str:
    later = [(one.from_on, said_yen(sum(line.yen for line in one.monthly))) for one in facts.later]
    return _with_later(said_yen(facts.monthly_total_yen), later, locale)


def _with_later(said: str, later: Iterable[tuple[date, str]], locale: str) -> str:
    """What is agreed at the start, and what from later days on."""
    for from_on, words in later:
        day = said_day(from_on, locale)
        said += f"（{day}から：{words}）" if locale == "ja" else f" (from {day}: {words})"
    return said


def _discount(facts: ContractFacts, locale: str) -> str | None:
    """The discount with what earned it: how much, how often, from how long a stay on."""
    if facts.reduction is None:
        return None
    off, label = facts.reduction.discount, facts.reduction.label.said(locale)
    amount = f"{off.percent.normalize():f}%" if off.percent is not None else said_yen(off.yen or 0)
    if locale == "ja":
        often = "毎月" if off.is_recurring else "初回のみ"
        stay = f"、{off.minimum_stay_days}日以上の契約が条件" if off.minimum_stay_days else ""
        told = f"賃料から{amount}引き（{often}{stay}）"
        return f"{label}：{told}" if label else told
    often = "each month" if off.is_recurring else "once"
    stay = f", for at least {off.minimum_stay_days} days" if off.minimum_stay_days else ""
    told = f"{amount} off the rent, {often}{stay}"
    return f"{label}: {told}" if label else told


def _move_in_total(facts: ContractFacts, locale: str) -> str:
    if facts.move_in_total_yen is not None:
        return said_yen(facts.move_in_total_yen)
    return "別途の請求書による" if locale == "ja" else "as invoiced"


PLACES: Final[Mapping[str, Said]] = MappingProxyType(
    {
        "operator.name": lambda facts, locale: facts.operator.said(locale),
        "operator.address": lambda facts, _: facts.operator_address,
        "operator.bank": lambda facts, _: facts.bank_details,
        "building.name": lambda facts, locale: facts.building.said(locale),
        "building.address": lambda facts, locale: facts.address.said(locale),
        "unit.name": lambda facts, _: facts.unit,
        "resident.name": lambda facts, _: facts.resident,
        "resident.kana": lambda facts, _: facts.resident_kana,
        "resident.email": lambda facts, _: facts.email,
        "resident.phone": lambda facts, _: facts.phone,
        "resident.others": lambda facts, locale: ("、" if locale == "ja" else ", ").join(
            facts.co_occupants
        ),
        "term": _term,
        "term.start": lambda facts, locale: said_day(facts.start_on, locale),
        "term.end": _end,
        "rent.base": lambda facts, _: said_yen(facts.base_rent_yen),
        "rent.lines": _monthly_lines,
        "rent.total": _monthly_total,
        "rent.discount": _discount,
        "fee.reservation": lambda facts, _: said_yen(facts.reservation_fee_yen),
        "deposit": lambda facts, _: said_yen(facts.deposit_yen),
        "movein.total": _move_in_total,
    }
)


def said_place(name: str, facts: ContractFacts, locale: str) -> str:
    """Return what stands at a place; where there is nothing to say, a dash."""
    return PLACES[name](facts, locale) or NOTHING
