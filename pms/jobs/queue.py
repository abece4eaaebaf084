"""Opens the queue that wakes the worker: a file by default, Redis or PostgreSQL when configured."""

from huey import Huey, PostgresHuey, RedisHuey, SqliteHuey

from pms.foundation.settings import Settings

NAME = "pms"


def open_queue(settings: Settings) -> Huey:
    """Return the queue of the settings; what must not be lost is a row, never a queued task."""
    if settings.redis_url:
        return RedisHuey(NAME, results=False, url=settings.redis_url)
    if settings.is_sqlite:
        return SqliteHuey(NAME, results=False, filename=str(settings.jobs_path))
    # A migration made its tables, which hold no workspace's rows.
    plain = settings.database_url.replace("postgresql+psycopg://", "postgresql://", 1)
    return PostgresHuey(NAME, results=False, dsn=plain, create_tables=False)
