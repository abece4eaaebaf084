"""The newest revision as the program reads it is the one that Alembic itself would name."""

from alembic.config import Config
from alembic.script import ScriptDirectory

from pms.foundation.migrating import MIGRATIONS, current_head


def test_both_name_the_same_head() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert current_head() == ScriptDirectory.from_config(config).get_current_head()
