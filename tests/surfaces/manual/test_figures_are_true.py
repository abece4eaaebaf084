"""Every figure that the manual works out is what the rules work out."""

import pytest

from pms.surfaces.manual.examples import Fence
from tests.surfaces.manual.figures import all_figures, told_figures, worked_figures

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


@pytest.mark.parametrize(
    ("page", "fence"), FIGURES, ids=[f"{page}-{n}" for n, (page, _) in enumerate(FIGURES)]
)
def test_the_figures_of_a_page_are_those_of_the_rules(page: str, fence: Fence) -> None:
    told, worked = told_figures(fence), worked_figures(fence)
    assert told
    assert [line for line in told if line not in worked] == [], "\n".join(worked)


def test_every_rule_about_money_is_explained_by_figures() -> None:
    assert {fence.marks["rule"] for _, fence in FIGURES} == RULES_EXPLAINED


def test_a_wrong_figure_would_be_seen() -> None:
    body = "base rent: 93,000\nfirst: 2026-03-16\nlast: 2026-03-31\n= total: 48,001\n"
    wrong = Fence("figures", {"rule": "price"}, body)
    assert told_figures(wrong) == ["total: 48,001"]
    assert "total: 48,000" in worked_figures(wrong)
