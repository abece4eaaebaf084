"""Who may import whom: the contracts of pyproject.toml hold, and each of them can break."""

import pytest

from tests.architecture.import_contracts import broken_contracts, empty_program, plant
from tests.architecture.source_tree import ROOT

PLANTED = {
    "a room that has no place": ("pms.attic.boxes", "", "pms.attic"),
    "a surface that has no place": ("pms.surfaces.attic", "", "pms.surfaces.attic"),
    "a rule that imports the foundation": (
        "pms.rules.days",
        "import pms.foundation",
        "pms.rules is not allowed",
    ),
    "the foundation that imports a room": (
        "pms.foundation.db",
        "import pms.catalogue",
        "pms.foundation is not allowed",
    ),
    "a room that imports one above it": (
        "pms.catalogue.slugs",
        "import pms.reservations",
        "pms.catalogue is not allowed",
    ),
    "a surface that imports a job": (
        "pms.surfaces.agent_api.units",
        "import pms.jobs.planted",
        "pms.surfaces is not allowed",
    ),
    "a job that imports a surface": (
        "pms.jobs.billing",
        "import pms.surfaces.agent_api",
        "pms.jobs is not allowed",
    ),
    "a surface that imports another one": (
        "pms.surfaces.manual.page",
        "import pms.surfaces.agent_api.planted",
        "pms.surfaces.manual is not allowed",
    ),
    "what surfaces share that imports a surface": (
        "pms.surfaces.hypermedia",
        "import pms.surfaces.manual.planted",
        "is not allowed",
    ),
    "a surface that reaches a table": (
        "pms.surfaces.agent_api.units",
        "import pms.catalogue.models",
        "pms.surfaces is not allowed to import pms.catalogue.models",
    ),
    "a surface that writes SQL": (
        "pms.surfaces.agent_api.units",
        "import sqlalchemy",
        "pms.surfaces is not allowed to import sqlalchemy",
    ),
    "two modules that import each other": (
        "pms.catalogue.slugs",
        "import pms.catalogue.planted_verb",
        "No cycles BROKEN",
    ),
}
"""What is planted where, and what the linter then says."""
TARGETS = (
    "pms.catalogue.models",
    "pms.jobs.planted",
    "pms.reservations.models",
    "pms.surfaces.agent_api.planted",
    "pms.surfaces.manual.planted",
)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the linter prints about this program, and about each of the planted ones."""
    programs = {"this program": ROOT}
    for name, (module, line, _) in {**PLANTED, "nothing": ("pms.rules", "", "")}.items():
        programs[name] = folder = empty_program(tmp_path_factory.mktemp("planted"))
        for target in TARGETS:
            plant(folder, target, "")
        # A contract names this import as allowed, and would complain if it were gone.
        plant(folder, "pms.surfaces.request_scope", "import sqlalchemy")
        plant(folder, "pms.catalogue.planted_verb", "import pms.catalogue.slugs")
        plant(folder, module, line)
    return broken_contracts(programs)


def test_the_program_keeps_its_contracts(printed: dict[str, str]) -> None:
    assert not printed["this program"], printed["this program"]


def test_a_program_without_imports_keeps_them_too(printed: dict[str, str]) -> None:
    assert not printed["nothing"], printed["nothing"]


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_violation_breaks_the_build(name: str, printed: dict[str, str]) -> None:
    assert PLANTED[name][2] in printed[name]
