"""Every figure that the manual works out is what the rules work out."""

from pms.surfaces.manual.rendering import Fence
from tests.surfaces.manual.figures import all_figures, figures_named, worked_figures

FIGURES = all_figures()
RULES_EXPLAINED = {
    "contract",
    "deposit",
    "due",
    "edit",
    "notice",
    "penalty",
    "percent",
    "plan",
    "price",
    "reprice",
    "settlement",
    "state",
    "tax",
}


def test_the_figures_of_every_page_are_those_of_the_rules() -> None:
    wrong = []
    for page, fence in FIGURES:
        found, worked = figures_named(fence), worked_figures(fence)
        if not found or not set(found) <= set(worked):
            wrong.append(f"{page}: {[line for line in found if line not in worked]} of {worked}")
    assert wrong == []


def test_every_rule_about_money_is_explained_by_figures() -> None:
    assert {fence.marks["rule"] for _, fence in FIGURES} == RULES_EXPLAINED


def test_a_wrong_figure_would_be_seen() -> None:
    body = "base rent: 93,000\nfirst: 2026-03-16\nlast: 2026-03-31\n= total: 48,001\n"
    wrong = Fence("figures", {"rule": "price"}, body)
    assert figures_named(wrong) == ["total: 48,001"]
    assert "total: 48,000" in worked_figures(wrong)
