"""Keys, codes and request budgets allow exactly what the specification names."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.request_budget import (
    BUDGET_WINDOW,
    Checks,
    Spent,
    passes,
    retry_after_seconds,
    status_of,
)
from pms.rules.scopes import (
    LEGACY_SCOPES,
    PRESETS,
    Preset,
    Scope,
    ScopeProblem,
    ScopeRefusal,
    allowed_scopes,
    read_scopes,
    refusal_of_scopes,
)
from pms.rules.sign_in_codes import GUESSES_A_DAY, SentCode, is_code, refusal_of_code, takes_link

NOW = datetime(2026, 6, 10, 1, tzinfo=UTC)
scope_sets = st.frozensets(st.sampled_from(Scope))
histories = st.lists(
    st.builds(
        lambda seconds, requests: Spent(NOW - timedelta(seconds=seconds), requests),
        st.integers(0, 4000),
        st.integers(1, 50),
    ),
    max_size=12,
)


def problem_of(refusal: ScopeRefusal | None) -> ScopeProblem | None:
    return None if refusal is None else refusal.problem


def test_there_are_twelve_scopes() -> None:
    assert len(Scope) == 12


@pytest.mark.parametrize("preset", Preset)
def test_every_preset_may_be_embedded_in_a_public_page(preset: Preset) -> None:
    assert refusal_of_scopes(PRESETS[preset], is_public=True) is None


@given(scope_sets, st.booleans())
def test_no_key_that_reads_listings_reads_residents(
    scopes: frozenset[Scope], is_public: bool
) -> None:
    if refusal_of_scopes(scopes, is_public) is None:
        assert not {Scope.PROPERTIES_READ, Scope.RESIDENTS_READ} <= scopes
        assert not (is_public and Scope.RESIDENTS_READ in scopes)


def test_a_refused_list_of_scopes_says_why() -> None:
    residents = frozenset({Scope.RESIDENTS_READ})
    assert problem_of(refusal_of_scopes(residents, is_public=False)) is None
    assert refusal_of_scopes(residents, is_public=True) == ScopeRefusal(
        ScopeProblem.FORBIDDEN_IN_PUBLIC, ("residents:read",)
    )
    assert refusal_of_scopes(residents | {Scope.PROPERTIES_READ}, is_public=False) == ScopeRefusal(
        ScopeProblem.LISTINGS_WITH_RESIDENTS, ("properties:read", "residents:read")
    )
    nothing: frozenset[Scope] = frozenset()
    assert problem_of(refusal_of_scopes(nothing, False)) is ScopeProblem.NO_SCOPES


def test_scopes_are_read_by_their_words() -> None:
    assert read_scopes(["ota:ingest", "chat:invoke"]) == frozenset(
        {Scope.OTA_INGEST, Scope.CHAT_INVOKE}
    )
    assert read_scopes(["ota:ingest", "root", "all"]) == ScopeRefusal(
        ScopeProblem.UNKNOWN, ("all", "root")
    )


@given(scope_sets)
def test_the_legacy_key_reads_listings_and_content_at_most(scopes: frozenset[Scope]) -> None:
    assert allowed_scopes(scopes, is_legacy=True) <= LEGACY_SCOPES
    assert allowed_scopes(scopes, is_legacy=False) == scopes


@given(st.integers(-5, 1200), st.integers(0, 9), st.booleans(), st.booleans())
def test_a_code_works_young_newest_unspoiled_and_on_its_own_screen_only(
    age: int, wrong_tries: int, is_newest: bool, is_same_screen: bool
) -> None:
    code = SentCode(NOW, is_newest, wrong_tries)
    refusal = refusal_of_code(code, NOW + timedelta(seconds=age), is_same_screen)
    assert (refusal is None) == (age < 600 and wrong_tries < 5 and is_newest and is_same_screen)


@pytest.mark.parametrize("text", ["12345", "1234567", "12345a", "１２３４５６", " 123456", ""])
def test_a_code_is_six_plain_digits(text: str) -> None:
    assert is_code("012345")
    assert not is_code(text)


def test_after_the_guesses_of_a_day_a_link_is_mailed_instead() -> None:
    assert not takes_link(GUESSES_A_DAY - 1)
    assert takes_link(GUESSES_A_DAY)


@given(histories, st.integers(1, 60))
def test_requests_pass_while_fewer_than_the_budget_were_made(
    earlier: list[Spent], budget: int
) -> None:
    recent = sum(spent.requests for spent in earlier if NOW - spent.at < BUDGET_WINDOW)
    assert passes(budget, NOW, earlier) == (recent < budget)


@given(histories, st.integers(1, 60))
def test_after_the_told_wait_a_request_passes_and_a_second_earlier_it_does_not(
    earlier: list[Spent], budget: int
) -> None:
    wait = retry_after_seconds(budget, NOW, earlier)
    assert (wait == 0) == passes(budget, NOW, earlier)
    assert passes(budget, NOW + timedelta(seconds=wait), earlier)
    if wait:
        assert not passes(budget, NOW + timedelta(seconds=wait - 1), earlier)


def test_a_retry_pushes_the_reset_out_and_no_budget_never_passes() -> None:
    full = [Spent(NOW - timedelta(minutes=30), 2)]
    assert retry_after_seconds(2, NOW, full) == 1800
    assert retry_after_seconds(2, NOW, [*full, Spent(NOW, 1)]) == 1800
    assert retry_after_seconds(1, NOW, [*full, Spent(NOW, 1)]) == 3600
    assert not passes(0, NOW, [])
    assert retry_after_seconds(0, NOW, []) == 3600


@given(st.builds(Checks, *(st.booleans() for _ in range(6))))
def test_the_first_failing_check_speaks(checks: Checks) -> None:
    order = [
        (checks.is_key_valid, 401),
        (checks.is_budget_left, 429),
        (checks.has_scope, 403),
        (checks.is_valid, 400),
        (checks.is_found, 404),
        (checks.is_unique, 409),
    ]
    failing = [status for is_passed, status in order if not is_passed]
    assert status_of(checks) == (failing[0] if failing else 200)


def test_a_refusal_names_the_scopes_at_fault_and_no_others() -> None:
    asked = frozenset({Scope.RESIDENTS_READ, Scope.CHAT_INVOKE, Scope.PROPERTIES_READ})
    assert refusal_of_scopes(asked, is_public=True) == ScopeRefusal(
        ScopeProblem.FORBIDDEN_IN_PUBLIC, ("residents:read",)
    )
    assert refusal_of_scopes(asked, is_public=False) == ScopeRefusal(
        ScopeProblem.LISTINGS_WITH_RESIDENTS, ("properties:read", "residents:read")
    )
