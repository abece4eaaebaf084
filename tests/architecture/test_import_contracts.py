"""Who may import whom: the contracts of pyproject.toml hold, and each of them can break."""

from pathlib import Path

import pytest

from tests.architecture.import_contracts import broken_contracts, copy_of_the_program, plant


def test_the_program_keeps_its_contracts(tmp_path: Path) -> None:
    told = broken_contracts(copy_of_the_program(tmp_path))
    assert not told, told


@pytest.mark.parametrize(
    ("module", "line", "said"),
    [
        ("pms.attic.boxes", "", "pms.attic"),
        ("pms.surfaces.attic", "", "pms.surfaces.attic"),
        ("pms.rules.days", "import pms.foundation", "pms.rules is not allowed"),
        ("pms.foundation.db", "import pms.catalogue", "pms.foundation is not allowed"),
        ("pms.catalogue.queries", "import pms.reservations", "pms.catalogue is not allowed"),
        ("pms.surfaces.agent_api.units", "import pms.jobs.planted", "pms.surfaces is not allowed"),
        ("pms.jobs.billing", "import pms.surfaces.agent_api", "pms.jobs is not allowed"),
        (
            "pms.surfaces.manual.page",
            "import pms.surfaces.agent_api.planted",
            "pms.surfaces.manual is not allowed",
        ),
        ("pms.surfaces.hypermedia", "import pms.surfaces.manual.planted", "is not allowed"),
        (
            "pms.surfaces.agent_api.units",
            "import pms.catalogue.models",
            "pms.surfaces is not allowed to import pms.catalogue.models",
        ),
        (
            "pms.surfaces.agent_api.units",
            "import sqlalchemy",
            "pms.surfaces is not allowed to import sqlalchemy",
        ),
        ("pms.catalogue.queries", "import pms.catalogue.planted_verb", "No cycles BROKEN"),
    ],
)
def test_a_planted_violation_breaks_the_build(
    tmp_path: Path, module: str, line: str, said: str
) -> None:
    folder = copy_of_the_program(tmp_path)
    for target in ("pms.catalogue.models", "pms.jobs.planted", "pms.surfaces.manual.planted"):
        plant(folder, target, "")
    plant(folder, "pms.surfaces.agent_api.planted", "")
    plant(folder, "pms.reservations.models", "")
    plant(folder, "pms.catalogue.planted_verb", "import pms.catalogue.queries")
    plant(folder, module, line)
    told = broken_contracts(folder)
    assert said in told
