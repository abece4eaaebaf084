"""Shows the providers, sets one, and removes one."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.channels.calls_about_messages import places_of_calls
from pms.channels.event_list import last_of_each, open_events
from pms.foundation.errors import NotFound
from pms.foundation.waiting_calls import troubled_calls
from pms.rules.channel_words import WebhookSource
from pms.rules.enumerations import IntegrationKind
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.integrations.call_words import call_words
from pms.surfaces.dashboard.integrations.event_words import reason_words
from pms.surfaces.dashboard.integrations.provider_form import ProviderForm
from pms.surfaces.enumeration_words import word
from pms.surfaces.hypermedia import go, page
from pms.surfaces.signed_in import doorway
from pms.workspaces.integrations import integrations as integrations_verb
from pms.workspaces.remove_integration import remove_integration as remove_integration_verb
from pms.workspaces.set_integration import set_integration as set_integration_verb
from pms.workspaces.webhook_secrets import webhook_secrets


@dashboard.get("/integrations", roles=OPERATOR)
def integrations() -> Response:
    """Show what is set, what waits for a person, and calls that failed."""
    calls = troubled_calls(reading())
    return page(
        "dashboard/integrations/index.html",
        sources=list(WebhookSource),
        secrets=webhook_secrets(reading(), clock()),
        last=last_of_each(reading()),
        waiting=open_events(reading()),
        reason_words=reason_words,
        kinds=list(IntegrationKind),
        known=integrations_verb(reading()),
        calls=calls,
        places=places_of_calls(reading(), calls),
        call_words=call_words,
    )


@dashboard.get("/integrations/<integration_kind>", roles=OPERATOR)
def integration(integration_kind: str) -> Response:
    """Show one provider to set it."""
    found = _kind(integration_kind)
    return _shown(found, ProviderForm.of(integrations_verb(reading()).get(found)))


@dashboard.post("/integrations/<integration_kind>", roles=OPERATOR)
def set_integration(integration_kind: str) -> Response:
    """Set or replace a provider; its secret is sealed."""
    found, form = _kind(integration_kind), ProviderForm(request.form)
    return submitted(
        form,
        act=lambda session: set_integration_verb(
            session,
            clock(),
            actor(),
            doorway().sealer,
            kind=found,
            address=form.address.data or "",
            account=form.account.data,
            secret=form.secret.data,
            expected_version=form.seen,
        ),
        then=lambda _row: go(
            url_for("dashboard.integrations"), said=_("%(kind)s is set.", kind=word(found))
        ),
        again=lambda: _shown(found, form),
    )


@dashboard.get("/integrations/<integration_kind>/removal", roles=OPERATOR)
def confirm_integration_removal(integration_kind: str) -> Response:
    """Ask before a provider goes."""
    found = _kind(integration_kind)
    if found not in integrations_verb(reading()):
        raise NotFound("There is no provider of '{kind}'.", kind=integration_kind[:60])
    return page("dashboard/integrations/removal.html", kind=found)


@dashboard.post("/integrations/<integration_kind>/removal", roles=OPERATOR)
def remove_integration(integration_kind: str) -> Response:
    """Remove a provider with its secret."""
    found = _kind(integration_kind)
    return submitted(
        Form(),
        act=lambda session: remove_integration_verb(session, clock(), actor(), kind=found),
        then=lambda _was: go(
            url_for("dashboard.integrations"), said=_("%(kind)s is removed.", kind=word(found))
        ),
        again=lambda: integration(integration_kind),
    )


def _shown(kind: IntegrationKind, form: ProviderForm) -> Response:
    known = integrations_verb(reading()).get(kind)
    return page("dashboard/integrations/provider.html", kind=kind, known=known, form=form)


def _kind(kind: str) -> IntegrationKind:
    try:
        return IntegrationKind(kind)
    except ValueError as unknown:
        raise NotFound("There is no provider of '{kind}'.", kind=kind[:60]) from unknown
