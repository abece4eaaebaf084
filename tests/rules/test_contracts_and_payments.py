"""Places of a template, references of a transfer, and where a visit to a payment page may go."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.foundation.markdown import to_html
from pms.rules.bill_collection import CHECKOUT_CHANGES, checkout_state_after
from pms.rules.enumerations import CheckoutState
from pms.rules.invoices import transfer_reference
from pms.rules.template_places import escape_markdown, fill_places, unknown_places

KNOWN = {"resident.name", "deposit"}


@pytest.mark.parametrize(
    ("template", "unknown"),
    [
        ("Dear {{resident.name}}, {{ deposit }}", ()),
        ("{{resident.age}} {{deposit}} {{resident.age}}", ("resident.age",)),
        ("{{7*7}} {{deposit|upper}}", ("7*7", "deposit|upper")),
        ("{{deposit} and }}", ("{{", "}}")),
        ("{{ {{deposit}} }}", ("{{", "}}")),
        ("no place, one { brace }", ()),
    ],
)
def test_a_template_holds_the_known_places_and_nothing_else(
    template: str, unknown: tuple[str, ...]
) -> None:
    assert unknown_places(template, KNOWN) == unknown


def test_places_are_filled_once() -> None:
    assert fill_places("{{deposit}}!", lambda _: "{{resident.name}}") == (
        r"\{\{resident\.name\}\}!"
    )


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))))
def test_whatever_a_value_holds_stays_words(value: str) -> None:
    shown = to_html(f"x{escape_markdown(value)}x").removeprefix("<p>x").removesuffix("x</p>\n")
    assert "<" not in shown
    words = " ".join(value.split())
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        words = words.replace(sign, entity)
    assert shown == words


def test_references_of_many_bills_differ() -> None:
    assert len({transfer_reference("r", str(number)) for number in range(5_000)}) == 5_000


@pytest.mark.parametrize(("before", "event"), list(product(CheckoutState, CheckoutState)))
def test_a_visit_goes_where_it_may_and_never_back(
    before: CheckoutState, event: CheckoutState
) -> None:
    after = checkout_state_after(before, event)
    assert after is (event if event in CHECKOUT_CHANGES[before] else before)
    assert before is not CheckoutState.PAID or after is CheckoutState.PAID
    assert event is not CheckoutState.ASKED or after is before
