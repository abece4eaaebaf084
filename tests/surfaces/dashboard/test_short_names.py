"""The short name of a workspace in addresses is changed; old addresses lead to the new one."""

import io

import pytest
from flask import Flask
from PIL import Image

from pms.catalogue.photo_sizes import store_sizes
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.ids import new_id
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.enumerations import UserKind
from pms.rules.message_words import SecretPurpose, WebhookSource
from pms.workspaces.queries import workspace_id_of
from pms.workspaces.webhook_addresses import SecretsOf, find_address
from pms.workspaces.webhook_secrets import add_webhook_secret
from tests.cast import Cast, photo
from tests.portals import open_portal_browser
from tests.staff import Browser
from tests.surfaces.dashboard.reservations.forms import fields_of

pytestmark = pytest.mark.differs("unique names across workspaces under row security")


def renamed(operator: Browser, slug: str) -> str | None:
    fields = fields_of(operator.get("/settings").text, "/settings")
    return operator.post("/settings", fields | {"slug": slug}).location


def test_an_old_address_leads_to_the_new_one(operator: Browser, stranger: Browser) -> None:
    assert renamed(operator, "kawasemi") == "/dashboard/kawasemi/settings"
    old = operator.get("/units?q=102&state=free")
    assert (old.status_code, old.location) == (303, "/dashboard/kawasemi/units?q=102&state=free")
    assert operator.client.get("/dashboard/kawasemi/units").status_code == 200
    # A form that was open before, and a part of a page, are taken at the old address.
    assert operator.post("/set-up", {"shown": "y"}).location == "/dashboard/kawasemi/"
    assert operator.block("/units").status_code == 200
    stranger.home = "/dashboard/sumida"
    assert stranger.get("/units").status_code == 404
    assert "kawasemi" in operator.client.get("/dashboard/kawasemi/audit").text


def test_a_name_is_taken_back_and_another_workspace_never_gets_it(
    operator: Browser, stranger: Browser, database: Database, cast: Cast
) -> None:
    renamed(operator, "kawasemi")
    for slug in ("sumida", "kawasemi"):
        fields = fields_of(stranger.get("/settings").text, "/settings") | {"slug": slug}
        assert stranger.post("/settings", fields).status_code == 422
    operator.home = "/dashboard/kawasemi"
    assert renamed(operator, "sumida") == "/dashboard/sumida/settings"
    assert operator.get("/units").location == "/dashboard/sumida/units"
    with database.across_workspaces_reading() as session:
        assert workspace_id_of(session, "kawasemi") == cast.sumida.workspace_id


def test_portals_pictures_and_providers_find_the_workspace_by_its_old_name(
    operator: Browser, app: Flask, clock: FixedClock, database: Database, cast: Cast
) -> None:
    house, address, client = cast.sumida, "resident@example.jp", app.test_client()
    resident = open_portal_browser(
        app,
        clock,
        UserKind.OWNER,
        workspace_id=house.workspace_id,
        slug=house.slug,
        address=address,
    )
    signer, photo_id = Signer(database.settings.secret_key), new_id()
    sized = store_sizes(Image.new("RGB", (400, 300), "#2f7f93"), Files(database.settings))
    with database.writing(house.workspace_id) as session:
        session.add(photo(id=photo_id, building_id=house.building_id, files=dict(sized.files)))
        secret = SecretsOf(WebhookSource.LINE, SecretPurpose.SIGNATURE)
        add_webhook_secret(
            Work(session, clock, "staff"),
            signer,
            source=secret.source,
            purpose=secret.purpose,
            secret="a secret of the provider",
        )
    renamed(operator, "kawasemi")
    assert resident.get("/").location == "/owner/kawasemi/"
    assert client.get("/resident/sumida/sign-in").location == "/resident/kawasemi/sign-in"
    assert client.get("/resident/kawasemi/sign-in").status_code == 200
    for slug in ("sumida", "kawasemi"):
        picture = client.get(f"/photos/{slug}/{photo_id}/400.webp")
        assert Image.open(io.BytesIO(picture.data)).width == 400
        with database.across_workspaces_reading() as session:
            found = find_address(session.connection(), clock, signer, slug, secret)
        assert found.workspace_id == house.workspace_id
        assert found.secrets == ["a secret of the provider"]
