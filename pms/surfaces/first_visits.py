"""Render the most used pages at start-up, so that no user waits for their first rendering.

Each database statement is compiled once for a process and cached. A process that does so before its
workers are forked saves every worker the same work: Today alone has some thirty statements.
"""

from datetime import timedelta
from functools import partial
from typing import Final

from flask import Flask, request
from flask_login import login_user

from pms.access.sessions import FoundSession, Membership, find_session
from pms.foundation.ids import new_id
from pms.foundation.kept_figures import identify_program
from pms.rules.enumerations import Proof, StaffRole, UserKind
from pms.surfaces.request_scope import ask_across_workspaces, clock, database
from pms.surfaces.signed_in import StaffUser
from pms.workspaces.queries import all_workspaces

PATHS: Final = ("/", "/chart", "/reservations", "/units", "/work", "/search?q=1")
_LIFETIME: Final = timedelta(minutes=1)


def open_first_pages(app: Flask) -> None:
    """Render the first pages of one workspace; the connections stay open for later requests."""
    identify_program()  # reads all modules, once for all workers
    with app.app_context(), database().across_workspaces_reading() as session:
        found = [
            (workspace.id, workspace.slug, workspace.name)
            for workspace in all_workspaces(session)[:1]
        ]
        operators = [_operator_of(*workspace) for workspace in found]
    for operator in operators:
        for path in PATHS:
            # Render a page as an operator sees it; nothing of it is sent, logged or counted.
            host = (app.config["TRUSTED_HOSTS"] or ["localhost"])[0].lstrip(".")
            address = f"http://{host}/dashboard/{operator.memberships[0].slug}{path}"
            with app.test_request_context(address):
                login_user(StaffUser("", operator))
                answer = app.preprocess_request()
                if answer is None and request.endpoint:
                    app.dispatch_request()
    open_connections(app)


def open_connections(app: Flask) -> None:
    """Look for a session that does not exist: its statement is compiled, and connections are open.

    Each worker opens its own before its first request.
    """
    with app.app_context():
        ask_across_workspaces(partial(find_session, token="", now=clock().now()))
        database().open_reading_connection()


def _operator_of(workspace_id: str, slug: str, name: str) -> FoundSession:
    """Return an operator's session that is not stored and is used only for this rendering."""
    now = clock().now()
    membership = Membership(
        workspace_id, slug, name, None, StaffRole.OPERATOR, 0, None, None, None, None
    )
    return FoundSession(
        id=new_id(),
        user_kind=UserKind.STAFF,
        address="",
        proof=Proof.PASSWORD,
        created_at=now,
        last_seen_at=now,
        longest_pause_seconds=0,
        expires_at=now + _LIFETIME,
        waits_for_factor=False,
        workspace_id=None,
        person_id=new_id(),
        name="",
        locale=None,
        has_factor=True,
        memberships=(membership,),
    )
