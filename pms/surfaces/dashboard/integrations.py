"""The providers a workspace uses: their settings, their calls, and a test of each."""

from typing import Final, Self

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms.widgets import PasswordInput

from pms.channels import events, sending
from pms.foundation import provider_calls
from pms.foundation.errors import NotFound
from pms.foundation.provider_calls import troubled_calls
from pms.providers.probes import PROBES
from pms.rules.enumerations import IntegrationKind
from pms.rules.message_words import WebhookSource
from pms.surfaces.dashboard.gate import OPERATOR, dashboard, reading
from pms.surfaces.fields import Optional, Required, SeenField, TextField
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.provider_calls import PROVIDERS, call_label, event_reason_label
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import doorway
from pms.workspaces import integrations as workspaces_integrations
from pms.workspaces import webhook_secrets
from pms.workspaces.integrations import IntegrationRecord


class ProviderForm(FlaskForm):
    """The provider's address, the account, the secret, and the version that was seen."""

    address = TextField(lazy_gettext("Provider's address"), [Required()])
    account = TextField(lazy_gettext("Account at the provider"), [Optional()])
    secret = TextField(lazy_gettext("Secret"), [Optional()], widget=PasswordInput(hide_value=True))
    version = SeenField()

    @classmethod
    def of(cls, kind: IntegrationKind, record: IntegrationRecord | None) -> Self:
        """Return the form filled with a provider's settings, or with its usual address if unset."""
        if record is None:
            return cls(formdata=None, data={"address": PROVIDERS[kind].address})
        shown = {"address": record.address, "account": record.account}
        return cls(formdata=None, data={**shown, "version": str(record.version)})


@dashboard.get("/integrations", roles=OPERATOR)
def integrations() -> Response:
    """Show the providers that are set, the calls that wait for a person, and those that failed."""
    calls = troubled_calls(reading())
    return page(
        "dashboard/integrations/index.html",
        sources=list(WebhookSource),
        secrets=webhook_secrets.webhook_secrets(reading(), clock()),
        last=events.last_of_each(reading()),
        waiting=events.open_events(reading()),
        reason_words=event_reason_label,
        kinds=list(IntegrationKind),
        providers=PROVIDERS,
        known=workspaces_integrations.integrations(reading()),
        calls=calls,
        places=sending.places_of_calls(reading(), calls),
        call_words=call_label,
    )


@dashboard.get("/integrations/<integration_kind>", roles=OPERATOR)
def integration(integration_kind: str) -> Response:
    """Show the settings of one provider."""
    found = _kind(integration_kind)
    return _render_provider(
        found, ProviderForm.of(found, workspaces_integrations.integrations(reading()).get(found))
    )


@dashboard.post("/integrations/<integration_kind>", roles=OPERATOR)
def set_integration(integration_kind: str) -> Response:
    """Set or replace a provider; its secret is stored encrypted."""
    found, form = _kind(integration_kind), ProviderForm()
    return submitted(
        form,
        act=lambda work: workspaces_integrations.set_integration(
            work,
            doorway().signer,
            kind=found,
            address=form.address.data or "",
            account=form.account.data,
            secret=form.secret.data,
            expected_version=form.version.seen_value,
        ),
        then=lambda _row: go(
            url_for("dashboard.integrations"),
            message=_("%(kind)s is set up.", kind=label_of(found)),
        ),
        again=lambda: _render_provider(found, form),
    )


@dashboard.get("/integrations/<integration_kind>/removal", roles=OPERATOR)
def confirm_integration_removal(integration_kind: str) -> Response:
    """Ask for confirmation before a provider is removed."""
    found = _kind(integration_kind)
    if found not in workspaces_integrations.integrations(reading()):
        raise NotFound("'{kind}' is not a provider.", kind=integration_kind[:60])
    return page("dashboard/integrations/removal.html", kind=found)


@dashboard.post("/integrations/<integration_kind>/removal", roles=OPERATOR)
def remove_integration(integration_kind: str) -> Response:
    """Remove a provider with its secret."""
    found = _kind(integration_kind)
    return submitted(
        FlaskForm(),
        act=lambda work: workspaces_integrations.remove_integration(work, kind=found),
        then=lambda _was: go(
            url_for("dashboard.integrations"),
            message=_("%(kind)s is removed.", kind=label_of(found)),
        ),
        again=lambda: integration(integration_kind),
    )


@dashboard.post("/integrations/<integration_kind>/test", roles=OPERATOR)
def probe_provider(integration_kind: str) -> Response:
    """Queue a harmless test call to the provider; the page shows its answer."""
    found = _kind(integration_kind)
    return submitted(
        FlaskForm(),
        act=lambda work: workspaces_integrations.probe_integration(work.session, work.clock, found),
        then=lambda _none: go(url_for("dashboard.integration", integration_kind=found.value)),
        again=lambda: integration(integration_kind),
    )


_NAMED: Final = frozenset(
    {IntegrationKind.ESIGN, IntegrationKind.WHATSAPP, IntegrationKind.ASSISTANT}
)
"""The providers whose settings need an account."""


def _render_provider(kind: IntegrationKind, form: ProviderForm) -> Response:
    known = workspaces_integrations.integrations(reading()).get(kind)
    words = PROVIDERS[kind]
    form.secret.flags.optional = known is not None
    form.account.flags.optional = kind not in _NAMED
    form.account.label.text, form.secret.label.text = str(words.account), str(words.secret)
    return page_or_block(
        "dashboard/integrations/provider.html",
        "test",
        kind=kind,
        words=words,
        known=known,
        form=form,
        may_be_tested=kind in PROBES,
        test=workspaces_integrations.last_test(reading(), known) if known else None,
    )


def _kind(kind: str) -> IntegrationKind:
    try:
        return IntegrationKind(kind)
    except ValueError as unknown:
        raise NotFound("'{kind}' is not a provider.", kind=kind[:60]) from unknown


@dashboard.post("/provider-calls/<call_id>", roles=OPERATOR)
def make_call_again(call_id: str) -> Response:
    """Retry the call; the worker makes it within seconds."""
    return submitted(
        FlaskForm(),
        act=lambda work: provider_calls.make_call_again(work.session, clock(), call_id),
        then=lambda _none: go(url_for("dashboard.integrations"), message=_("Trying again.")),
        again=integrations,
    )
