"""Commands of `pms` in tests: over the database of the test, and by the clock of the test."""

from collections.abc import Sequence

from click.testing import CliRunner, Result

from pms.foundation.clock import Clock
from pms.foundation.settings import Settings
from pms.surfaces.command_line import pms


def command_environment(settings: Settings) -> dict[str, str]:
    """Return the variables with which a command opens the database of a test."""
    return {
        "PMS_ENV": "test",
        "PMS_DATA_DIR": str(settings.data_dir),
        "PMS_SECRET_KEY": settings.secret_key,
        "PMS_DATABASE_URL": settings.database_url,
        "PMS_OWNER_DATABASE_URL": settings.owner_database_url,
    }


def run_command(
    arguments: Sequence[str], clock: Clock, settings: Settings, *, catch_exceptions: bool = False
) -> Result:
    """Run `pms` as an operator would; what it raises comes through, or stands in the result."""
    runner = CliRunner(env=command_environment(settings))
    return runner.invoke(pms, arguments, obj=clock, catch_exceptions=catch_exceptions)
