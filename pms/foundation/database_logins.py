"""Creates the login that the program uses on PostgreSQL, and checks one."""

from collections.abc import Iterator
from typing import Any, Final

from psycopg import sql
from psycopg.errors import InsufficientPrivilege
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from pms.foundation.database import Database
from pms.foundation.db import APP_ROLE, make_engine
from pms.foundation.errors import Refused
from pms.foundation.readiness import Finding
from pms.foundation.settings import Settings

_MAKE: Final = "CREATE ROLE {login} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS{password}"
_ALLOW: Final = "ALTER ROLE {login} LOGIN{password}"
_STATE: Final = """
    SELECT rolcanlogin, rolsuper, pg_has_role(oid, %s, 'MEMBER') FROM pg_roles WHERE rolname = %s
"""
_LOGIN: Final = """
    SELECT session_user, r.rolsuper OR r.rolbypassrls,
           EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
                   AND c.relkind = 'r' AND c.relowner = r.oid)
    FROM pg_roles r WHERE r.rolname = session_user
"""


def prepare_login(settings: Settings) -> str | None:
    """Let the login of `PMS_DATABASE_URL` act as the program, and create it when it is missing.

    Return its name, `None` where one login does everything. It owns no table, so that row security
    applies to it. Raises `Refused` with what an administrator has to run when the owner may not.
    """
    url = make_url(settings.database_url)
    login = url.username
    if settings.is_sqlite or not login or login == make_url(settings.owner_database_url).username:
        return None
    engine = make_engine(settings, as_owner=True)
    try:
        with engine.connect() as connection:
            state = connection.exec_driver_sql(_STATE, (APP_ROLE, login)).first()
            for statement in _list_statements(login, state and tuple(state)):
                _run_statement(
                    connection.connection.driver_connection, statement, login, url.password
                )
            connection.commit()
    finally:
        engine.dispose()
    return login


def _run_statement(driver: Any, statement: str, login: str, password: str | None) -> None:
    password_clause = (
        sql.SQL(" PASSWORD {}").format(sql.Literal(password)) if password else sql.SQL("")
    )
    parts = {"login": sql.Identifier(login), "password": password_clause}
    try:
        driver.execute(sql.SQL(statement).format(**parts))
    except InsufficientPrivilege as failure:
        raise Refused(
            "The owner of the database is not allowed to prepare the login {login}. Run this "
            "as a PostgreSQL administrator, then migrate again: {statement};",
            login=login,
            statement=statement.format(login=login, password=" PASSWORD '...'"),
        ) from failure


def _list_statements(login: str, state: tuple[Any, ...] | None) -> Iterator[str]:
    may_log_in, is_superuser, is_member = state or (False, False, False)
    if state is None:
        yield _MAKE
    elif not may_log_in:
        yield _ALLOW
    if not (is_member or is_superuser) and login != APP_ROLE:
        yield f"GRANT {APP_ROLE} TO {{login}}"


def login_findings(database: Database) -> Iterator[Finding]:
    """Check that row security applies to the program's login."""
    settings = database.settings
    if settings.is_sqlite:
        return
    try:
        with database.connection_across_workspaces() as connection:
            name, is_free, owns = connection.exec_driver_sql(_LOGIN).one()
    except SQLAlchemyError:
        return  # reported already
    if not (is_free or owns):
        yield Finding("database login", True, f"{name} owns nothing, so row security binds it")
        return
    what = "is a superuser or passes row security by" if is_free else "owns the tables"
    detail = f"PMS_DATABASE_URL logs in as {name}, which {what}"
    remedy = (
        "Name another login in PMS_DATABASE_URL, this one in PMS_OWNER_DATABASE_URL, and run"
        " `pms migrate`: it makes the other one."
    )
    yield Finding("database login", not settings.is_production, detail, remedy)
