"""Shows a source of webhooks: its address, its secrets, and what came last."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from typing import Final

from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.channels.event_list import last_events
from pms.foundation.errors import NotFound
from pms.rules.channel_words import SecretPurpose, WebhookSource
from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted
from pms.surfaces.dashboard.integrations.event_words import reason_words
from pms.surfaces.dashboard.integrations.webhook_form import SecretForm
from pms.surfaces.hypermedia import go, page
from pms.surfaces.signed_in import doorway
from pms.workspaces.add_webhook_secret import add_webhook_secret as add_webhook_secret_verb
from pms.workspaces.retire_webhook_secret import retire_webhook_secret as retire_webhook_secret_verb
from pms.workspaces.webhook_secrets import webhook_secret, webhook_secrets

_OTA: Final = "/api/webhooks/ota-messages"


@dashboard.get("/integrations/webhooks/<webhook_source>", roles=OPERATOR)
def webhook(webhook_source: str) -> Response:
    """Show one source."""
    source = _source(webhook_source)
    return _shown(source, SecretForm.of(source))


@dashboard.post("/integrations/webhooks/<webhook_source>/secrets", roles=OPERATOR)
def add_webhook_secret(webhook_source: str) -> Response:
    """Keep a secret; what was signed with the older ones is taken for another day."""
    source = _source(webhook_source)
    form = SecretForm.of(source, request.form)
    return submitted(
        form,
        act=lambda session: add_webhook_secret_verb(
            session,
            clock(),
            actor(),
            doorway().sealer,
            source=source,
            purpose=SecretPurpose(form.purpose.data),
            secret=form.secret.data or "",
            replaces=not form.keepsOlder.data,
        ),
        then=lambda _id: go(_here(source), said=_("The secret is kept.")),
        again=lambda: _shown(source, form),
    )


@dashboard.get("/webhook-secrets/<secret_id>/retirement", roles=OPERATOR)
def confirm_webhook_secret_retirement(secret_id: str) -> Response:
    """Ask before a secret is good no longer."""
    secret = webhook_secret(reading(), secret_id)
    return page("dashboard/integrations/secret_retirement.html", secret=secret)


@dashboard.post("/webhook-secrets/<secret_id>/retirement", roles=OPERATOR)
def retire_webhook_secret(secret_id: str) -> Response:
    """Retire a secret at once."""
    source = webhook_secret(reading(), secret_id).source
    return submitted(
        Form(),
        act=lambda session: retire_webhook_secret_verb(session, clock(), actor(), secret_id=secret_id),
        then=lambda _was: go(_here(source), said=_("The secret is good no longer.")),
        again=lambda: confirm_webhook_secret_retirement(secret_id),
    )


def _shown(source: WebhookSource, form: SecretForm) -> Response:
    return page(
        "dashboard/integrations/webhook.html",
        source=source,
        address=address_of(source),
        secrets=[one for one in webhook_secrets(reading(), clock()) if one.source is source],
        events=last_events(reading(), source),
        reason_words=reason_words,
        form=form,
    )


def address_of(source: WebhookSource) -> str:
    """Return where a source sends what it tells."""
    base = current_app.config["BASE_URL"]
    path = _OTA if source is WebhookSource.OTA else f"/api/webhooks/{source.value}/{desk().slug}"
    return f"{base}{path}"


def _here(source: WebhookSource) -> str:
    return url_for("dashboard.webhook", webhook_source=source.value)


def _source(source: str) -> WebhookSource:
    try:
        return WebhookSource(source)
    except ValueError as unknown:
        raise NotFound("There is no webhook of '{source}'.", source=source[:60]) from unknown
