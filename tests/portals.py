"""Browsers of residents and owners who signed in to a portal by a mailed code."""

from flask import Flask
from itsdangerous import URLSafeTimedSerializer

from pms.access.session_openings import open_portal_session
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.rules.enumerations import UserKind
from tests.staff import Browser

_FORM_TOKEN = "fedcba9876543210" * 4


def open_portal_browser(
    app: Flask, clock: Clock, user_kind: UserKind, *, workspace_id: str, slug: str, address: str
) -> Browser:
    """Return the browser of an address that has signed in to a portal of a workspace."""
    database: Database = app.extensions["pms.database"]
    with database.across_workspaces_writing() as session:
        opened = open_portal_session(
            session,
            clock,
            user_kind=user_kind,
            workspace_id=workspace_id,
            address=address,
            device="test",
        )
    client = app.test_client()
    with client.session_transaction() as cookie:
        cookie["_user_id"] = f"{opened.user_kind}:{opened.token}"
        cookie["csrf_token"] = _FORM_TOKEN
        cookie.permanent = True
    signer = URLSafeTimedSerializer(str(app.secret_key), salt="wtf-csrf-token")
    browser = Browser(client, slug, str(signer.dumps(_FORM_TOKEN)))
    browser.home = f"/{user_kind.value}/{slug}"
    return browser
