"""Stores the budget in PostgreSQL: one round trip a request, on connections of its own."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import Connection

from pms.foundation.budget.rolling_window import RollingWindowStorage, Tally, kept_at_most
from pms.foundation.db import IdleConnections

SCHEMES = ["budget+postgresql"]
# Key ids and instants only, no data of a workspace: no workspace column and no row security.
# The program's role needs SELECT, INSERT and DELETE on the table and EXECUTE on the function.
BUDGET_TABLE_DDL = """
CREATE TABLE IF NOT EXISTS request_budget (
  bucket text NOT NULL, number bigint NOT NULL, at_us bigint NOT NULL,
  CONSTRAINT pk_request_budget PRIMARY KEY (bucket, number)
)
"""
# A function, because each of its statements sees what was committed while it waited for the lock;
# a single statement would still see the table as it was before the wait.
BUDGET_FUNCTION_DDL = """
CREATE OR REPLACE FUNCTION spend_request(
  IN wanted text, IN now_us bigint, IN window_us bigint, IN budget bigint, IN kept bigint,
  OUT tally bigint, OUT oldest_us bigint, OUT turning_us bigint
) LANGUAGE plpgsql AS $$
DECLARE
  first_number bigint; last_number bigint; last_us bigint; at bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(wanted, 37));
  -- A clock that ran far ahead was set right; its requests would count for too long.
  SELECT r.number, r.at_us INTO last_number, last_us FROM request_budget r
    WHERE r.bucket = wanted ORDER BY r.number DESC LIMIT 1;
  IF last_us > now_us + window_us THEN
    DELETE FROM request_budget r WHERE r.bucket = wanted AND r.at_us > now_us + window_us;
    SELECT r.number, r.at_us INTO last_number, last_us FROM request_budget r
      WHERE r.bucket = wanted ORDER BY r.number DESC LIMIT 1;
  END IF;
  at := greatest(now_us, coalesce(last_us, now_us));
  SELECT r.number, r.at_us INTO first_number, oldest_us FROM request_budget r
    WHERE r.bucket = wanted ORDER BY r.number LIMIT 1;
  IF oldest_us <= at - window_us THEN
    SELECT r.number, r.at_us INTO first_number, oldest_us FROM request_budget r
      WHERE r.bucket = wanted AND r.at_us > at - window_us ORDER BY r.number LIMIT 1;
    DELETE FROM request_budget r
      WHERE r.bucket = wanted AND r.number < coalesce(first_number, last_number + 1);
  END IF;
  last_number := coalesce(last_number, 0) + 1;
  first_number := coalesce(first_number, last_number);
  oldest_us := coalesce(oldest_us, at);
  INSERT INTO request_budget (bucket, number, at_us) VALUES (wanted, last_number, at);
  tally := last_number - first_number + 1;
  IF tally > kept THEN
    DELETE FROM request_budget r WHERE r.bucket = wanted AND r.number <= last_number - kept;
  END IF;
  IF tally > budget THEN
    SELECT r.at_us INTO turning_us FROM request_budget r
      WHERE r.bucket = wanted AND r.number = last_number - budget + 1;
  END IF;
END $$
"""
BUDGET_DDL = (BUDGET_TABLE_DDL, BUDGET_FUNCTION_DDL)

IS_MISSING = (
    "SELECT to_regprocedure('spend_request(text,bigint,bigint,bigint,bigint)') IS NULL"
    " OR to_regclass('request_budget') IS NULL"
)
ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('request_budget', 37))"
# Commits do not wait for the disk: a crash of the server may lose the last moments, nothing more.
SESSION = (
    "SET synchronous_commit = off; SET statement_timeout = '5s';"
    " SET default_transaction_isolation = 'read committed'"
)
SPEND = "SELECT tally, oldest_us, turning_us FROM spend_request(%s, %s, %s, %s, %s)"
NEWEST = """
SELECT wanted.bucket, newest.at_us FROM unnest(%s::text[]) AS wanted (bucket)
CROSS JOIN LATERAL (
  SELECT at_us FROM request_budget r WHERE r.bucket = wanted.bucket ORDER BY number DESC LIMIT 1
) AS newest
"""

Row = tuple[int, ...]


class PostgresqlBudget(RollingWindowStorage):
    """The storage for several machines that share a PostgreSQL database."""

    STORAGE_SCHEME = SCHEMES

    def __init__(self, uri: str, wrap_exceptions: bool = False, **options: Any) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions, **options)
        self._address = f"postgresql{uri[len(urlsplit(uri).scheme) :]}"
        self._connections = IdleConnections(self._open_connection)

    @property
    def base_exceptions(self) -> type[Exception] | tuple[type[Exception], ...]:
        return psycopg.Error

    def record(self, bucket: str, limit: int, now_us: int, window_us: int) -> Tally:
        kept = kept_at_most(limit)
        rows = self._run_statement(SPEND, (bucket, now_us, window_us, limit, kept))
        return Tally(*rows[0])

    def instants(self, bucket: str) -> list[int]:
        statement = "SELECT at_us FROM request_budget WHERE bucket = %s ORDER BY number"
        return [row[0] for row in self._run_statement(statement, (bucket,))]

    def newest(self, buckets: list[str]) -> dict[str, int]:
        return {str(bucket): at_us for bucket, at_us in self._run_statement(NEWEST, (buckets,))}

    def check(self) -> bool:
        try:
            return bool(self._run_statement("SELECT 1", ()))
        except self.base_exceptions:
            return False

    def clear(self, key: str) -> None:
        self._run_statement("DELETE FROM request_budget WHERE bucket = %s RETURNING number", (key,))

    def reset(self) -> None:
        self._run_statement("DELETE FROM request_budget RETURNING number", ())

    def close(self) -> None:
        self._connections.close()

    def _run_statement(self, statement: str, values: Sequence[object]) -> list[Row]:
        try:
            return self._run_statement_once(statement, values)
        except psycopg.OperationalError as failure:
            # Whether the connection was lost: no SQLSTATE, or class 57P (server stops or starts).
            is_lost = failure.sqlstate is None or failure.sqlstate.startswith("57P")
            if not is_lost:
                raise
            # The server was restarted while the connections were idle: retry once on a new one.
            self._connections.close()
            return self._run_statement_once(statement, values)

    def _run_statement_once(self, statement: str, values: Sequence[object]) -> list[Row]:
        connection = self._connections.take()
        try:
            rows = connection.execute(statement, values, prepare=True).fetchall()
        except BaseException:
            connection.close()
            raise
        self._connections.give_back(connection)
        return rows

    def _open_connection(self) -> Connection[Row]:
        connection = psycopg.connect(self._address, autocommit=True, connect_timeout=3)
        try:
            connection.execute(SESSION)
            if connection.execute(IS_MISSING).fetchall() != [(False,)]:
                with connection.transaction():
                    connection.execute(ONE_AT_A_TIME)
                    for statement in BUDGET_DDL:
                        connection.execute(statement)
        except BaseException:
            connection.close()
            raise
        return connection
