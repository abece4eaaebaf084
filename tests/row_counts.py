"""How many rows every table has: what a refusal must leave as it was."""

from functools import cache

from sqlalchemy import TextClause, text

from pms.foundation.database import Database


def row_counts(database: Database) -> dict[str, int]:
    """Count the rows of every table, over all workspaces, by one statement."""
    with database.connection_across_workspaces() as connection:
        return {row.name: row.rows for row in connection.execute(_counting())}


@cache
def _counting() -> TextClause:
    from pms.tables import metadata

    names = sorted(metadata.tables)
    return text(
        " UNION ALL ".join(
            f"SELECT '{name}' AS name, count(*) AS rows FROM \"{name}\"" for name in names
        )
    )
