"""Two tiers of tests: the quick one, which every change must pass, and everything.

`--tier quick` (the default) runs each test once, on SQLite, and leaves out what is marked
`thorough`; a test marked `differs` runs on PostgreSQL too. `--tier all` runs everything on both
databases. `--tier rest` runs what the quick tier leaves out.
"""

from collections.abc import Iterable, Sequence

import hypothesis
import pytest

# A busy machine makes one example slow without making the rule wrong.
hypothesis.settings.register_profile("quick", deadline=None, max_examples=50)
hypothesis.settings.register_profile("all", deadline=None)
KINDS = ("sqlite", "postgresql")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--tier",
        choices=("quick", "rest", "all"),
        default="quick",
        help="quick: what a change must pass; all: everything; rest: all without quick",
    )


def pytest_configure(config: pytest.Config) -> None:
    for line in (
        "thorough(why): runs in `make test-all` alone",
        "differs(why): runs on both databases in `make test` too, because they may differ in it",
        "only_on(kind): runs on that kind of database alone, because it is about that kind",
    ):
        config.addinivalue_line("markers", line)
    if hypothesis.settings.get_current_profile_name() in {"default", "ci"}:
        tier = config.getoption("--tier")
        hypothesis.settings.load_profile("quick" if tier == "quick" else "all")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Choose on which databases a test runs that asks for one."""
    if "database_kind" not in metafunc.fixturenames:
        return
    is_quick = metafunc.config.getoption("--tier") == "quick"
    find = metafunc.definition.get_closest_marker
    only = find("only_on")
    kinds = KINDS[:1] if is_quick and find("differs") is None else KINDS
    metafunc.parametrize("database_kind", only.args if only else kinds, indirect=True)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tier = config.getoption("--tier")
    if tier == "all":
        return
    wanted, others = _parted(items)
    if tier == "rest":
        wanted, others = others, wanted
    items[:] = wanted
    config.hook.pytest_deselected(items=others)


def examples(quick: int, thorough: int) -> int:
    """Return how many examples a property is tried with in the tier that runs."""
    return thorough if hypothesis.settings.get_current_profile_name() == "all" else quick


def _parted(items: Iterable[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    parts: tuple[list[pytest.Item], list[pytest.Item]] = [], []
    for item in items:
        parts[not is_quick(item)].append(item)
    return parts


def is_quick(item: pytest.Item) -> bool:
    """Tell whether a test belongs to the quick tier."""
    for mark in ("thorough", "differs"):
        _expect_a_reason(item, mark)
    if item.get_closest_marker("thorough") is not None:
        return False
    if item.get_closest_marker("differs") or item.get_closest_marker("only_on"):
        return True
    callspec = getattr(item, "callspec", None)
    return callspec is None or callspec.params.get("database_kind", KINDS[0]) == KINDS[0]


def _expect_a_reason(item: pytest.Item, name: str) -> None:
    marker = item.get_closest_marker(name)
    reasons: Sequence[object] = marker.args if marker else ("",)
    if len(reasons) != 1 or not isinstance(reasons[0], str) or (marker and not reasons[0]):
        raise pytest.UsageError(f"{item.nodeid}: say why, as in @pytest.mark.{name}('locks')")
