"""A plugin of pytest: what makes the many short runs of the tests quicker.

To migrate a database takes longer than most tests, so it is done once for all mutants. A property
is tried with fewer examples, the same ones each time, and what fails is not made simpler.
"""

import shutil
from pathlib import Path

import hypothesis
from hypothesis import Phase

from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings

_KEPT = Path("migrated.sqlite3").absolute()

hypothesis.settings.register_profile(
    "mutation",
    deadline=None,
    max_examples=20,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
)
hypothesis.settings.load_profile("mutation")


def pytest_configure() -> None:
    from tests import databases

    # Both are replaced where they are used; a test that is stopped leaves its database behind,
    # so that belongs into the folder that is removed.
    for name, mine in (("migrate", _migrated), ("SHARED_MEMORY", _KEPT.parent)):
        assert hasattr(databases, name)
        setattr(databases, name, mine)


def _migrated(settings: Settings) -> None:
    made = settings.data_dir / "pms.sqlite3"
    if _KEPT.exists():
        shutil.copy(_KEPT, made)
        return
    migrate(settings)
    shutil.copy(made, _KEPT)
