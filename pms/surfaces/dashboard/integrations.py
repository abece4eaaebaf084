"""The providers a workspace uses: settings, calls, a test of each, webhook secrets and events."""

import json
from collections.abc import Sequence
from typing import Any, Final, Self

from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms.widgets import PasswordInput

from pms.channels import events, mailboxes, payment_events, sending
from pms.checkouts import open_bills
from pms.foundation import outbox
from pms.foundation.errors import NotFound
from pms.foundation.outbox import troubled_calls
from pms.providers.probes import PROBES
from pms.rules.enumerations import IntegrationKind
from pms.rules.message_words import SecretPurpose, WebhookSource
from pms.surfaces.dashboard.gate import OPERATOR, current_member, dashboard, reading
from pms.surfaces.fields import FlagField, Optional, PickField, Required, SeenField, TextField
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.provider_calls import PROVIDERS, call_label, event_reason_label
from pms.surfaces.request_scope import clock, today
from pms.surfaces.signed_in import auth_context
from pms.workspaces import integration_records, webhook_secrets
from pms.workspaces import integrations as workspaces_integrations
from pms.workspaces.integration_records import IntegrationRecord


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


@dashboard.get("/integrations", roles=OPERATOR, is_secret=True)
def integrations() -> Response:
    """Show the providers that are set, the calls that wait for a person, and those that failed."""
    calls = troubled_calls(reading())
    return page(
        "dashboard/integrations/index.html",
        sources=list(WebhookSource),
        mailbox=mailboxes.mailbox(reading()),
        secrets=webhook_secrets.webhook_secrets(reading(), clock()),
        last=events.last_of_each(reading()),
        waiting=events.open_events(reading()),
        reason_words=event_reason_label,
        kinds=list(IntegrationKind),
        providers=PROVIDERS,
        known=integration_records.integrations(reading()),
        calls=calls,
        places=sending.places_of_calls(reading(), calls),
        call_words=call_label,
    )


@dashboard.get("/integrations/<integration_kind>", roles=OPERATOR, is_secret=True)
def integration(integration_kind: str) -> Response:
    """Show the settings of one provider."""
    found = _read_kind(integration_kind)
    return _render_provider(
        found, ProviderForm.of(found, integration_records.integrations(reading()).get(found))
    )


@dashboard.post("/integrations/<integration_kind>", roles=OPERATOR)
def set_integration(integration_kind: str) -> Response:
    """Set or replace a provider; its secret is stored encrypted."""
    found, form = _read_kind(integration_kind), ProviderForm()
    return submitted(
        form,
        act=lambda work: workspaces_integrations.set_integration(
            work,
            auth_context().signer,
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
    found = _read_kind(integration_kind)
    if found not in integration_records.integrations(reading()):
        raise NotFound("'{kind}' is not a provider.", kind=integration_kind[:60])
    return page("dashboard/integrations/removal.html", kind=found)


@dashboard.post("/integrations/<integration_kind>/removal", roles=OPERATOR)
def remove_integration(integration_kind: str) -> Response:
    """Remove a provider with its secret."""
    found = _read_kind(integration_kind)
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
    found = _read_kind(integration_kind)
    return submitted(
        FlaskForm(),
        act=lambda work: integration_records.probe_integration(work.session, work.clock, found),
        then=lambda _none: go(url_for("dashboard.integration", integration_kind=found.value)),
        again=lambda: integration(integration_kind),
    )


_NAMED: Final = frozenset(
    {IntegrationKind.ESIGN, IntegrationKind.WHATSAPP, IntegrationKind.ASSISTANT}
)
"""The providers whose settings need an account."""


def _render_provider(kind: IntegrationKind, form: ProviderForm) -> Response:
    known = integration_records.integrations(reading()).get(kind)
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
        test=integration_records.last_test(reading(), known) if known else None,
    )


def _read_kind(kind: str) -> IntegrationKind:
    try:
        return IntegrationKind(kind)
    except ValueError as unknown:
        raise NotFound("'{kind}' is not a provider.", kind=kind[:60]) from unknown


@dashboard.post("/provider-calls/<call_id>", roles=OPERATOR)
def make_call_again(call_id: str) -> Response:
    """Retry the call; the worker makes it within seconds."""
    return submitted(
        FlaskForm(),
        act=lambda work: outbox.make_call_again(work.session, clock(), call_id),
        then=lambda _none: go(url_for("dashboard.integrations"), message=_("Trying again.")),
        again=integrations,
    )


class SecretForm(FlaskForm):
    """A provider's secret, its purpose, and whether the older secrets are kept."""

    secret = TextField(lazy_gettext("Secret"), [Required()], widget=PasswordInput(hide_value=True))
    purpose = PickField(lazy_gettext("Purpose"), default=SecretPurpose.SIGNATURE.value)
    keepsOlder = FlagField(lazy_gettext("Keep the older secrets too"))

    @classmethod
    def of(cls, source: WebhookSource, typed: Any = None) -> Self:
        """Return the form of a source; only WhatsApp has a second purpose."""
        form = cls(typed)
        purposes = [SecretPurpose.SIGNATURE]
        if source is WebhookSource.WHATSAPP:
            purposes.append(SecretPurpose.HANDSHAKE)
        form.purpose.choices = [(purpose.value, label_of(purpose)) for purpose in purposes]
        return form


class PlacingForm(QueryForm):
    """The bill the money is for; `search` only filters the list."""

    search = TextField(lazy_gettext("Name or room"), [Optional()])
    entry = TextField(lazy_gettext("Bill"), [Required()])


@dashboard.get("/inbound-events/<event_id>", roles=OPERATOR)
def inbound_event(event_id: str) -> Response:
    """Show one event with its facts."""
    return _render_event(event_id, PlacingForm(request.args))


@dashboard.post("/inbound-events/<event_id>/placement", roles=OPERATOR)
def place_payment_event(event_id: str) -> Response:
    """Record the payment of an event on a bill."""
    form = PlacingForm()
    return submitted(
        form,
        act=lambda work: payment_events.place_payment_event(
            work, event_id=event_id, entry_id=form.entry.data or ""
        ),
        then=lambda reservation_id: go(
            url_for("dashboard.reservation_ledger", reservation_id=reservation_id),
            message=_("Payment recorded."),
        ),
        again=lambda: _render_event(event_id, form),
    )


@dashboard.post("/inbound-events/<event_id>/setting-aside", roles=OPERATOR)
def set_event_aside(event_id: str) -> Response:
    """Close an event without any effect."""
    return submitted(
        FlaskForm(),
        act=lambda work: events.set_event_aside(work, event_id=event_id),
        then=lambda _none: go(_event_page(event_id), message=_("Notification dismissed.")),
        again=lambda: inbound_event(event_id),
    )


@dashboard.post("/inbound-events/<event_id>/another-try", roles=OPERATOR)
def try_event_again(event_id: str) -> Response:
    """Process an event again; the worker does it within seconds."""
    return submitted(
        FlaskForm(),
        act=lambda work: events.try_event_again(work, event_id=event_id),
        then=lambda _none: go(_event_page(event_id), message=_("Trying again.")),
        again=lambda: inbound_event(event_id),
    )


def _render_event(event_id: str, form: PlacingForm) -> Response:
    event = events.event_record(reading(), event_id)
    bills: Sequence[open_bills.BillToPlace] = ()
    if event.is_to_place and event.payment is not None:
        words = form.search.data or ""
        bills = open_bills.bills_to_place(
            reading(), today(), amount_yen=event.payment.amount, words=words
        )
    return page(
        "dashboard/integrations/event.html",
        event=event,
        form=form,
        bills=bills,
        body=json.dumps(event.body, ensure_ascii=False, indent=2),
        reason_words=event_reason_label,
    )


def _event_page(event_id: str) -> str:
    return url_for("dashboard.inbound_event", event_id=event_id)


_OTA: Final = "/api/webhooks/ota-messages"


@dashboard.get("/integrations/webhooks/<webhook_source>", roles=OPERATOR, is_secret=True)
def webhook(webhook_source: str) -> Response:
    """Show one source."""
    source = _read_source(webhook_source)
    return _render_webhook(source, SecretForm.of(source))


@dashboard.post("/integrations/webhooks/<webhook_source>/secrets", roles=OPERATOR)
def add_webhook_secret(webhook_source: str) -> Response:
    """Store a secret; requests signed with the older ones are accepted for another day."""
    source = _read_source(webhook_source)
    if source is WebhookSource.MAIL:
        raise NotFound("'{source}' has no webhook.", source=source.value)
    form = SecretForm.of(source, request.form)
    return submitted(
        form,
        act=lambda work: webhook_secrets.add_webhook_secret(
            work,
            auth_context().signer,
            source=source,
            purpose=SecretPurpose(form.purpose.data),
            secret=form.secret.data or "",
            replaces=not form.keepsOlder.data,
        ),
        then=lambda _id: go(_webhook_page(source), message=_("Secret saved.")),
        again=lambda: _render_webhook(source, form),
    )


@dashboard.get("/webhook-secrets/<secret_id>/retirement", roles=OPERATOR)
def confirm_webhook_secret_retirement(secret_id: str) -> Response:
    """Ask for confirmation before a secret is retired."""
    secret = webhook_secrets.webhook_secret(reading(), secret_id)
    return page("dashboard/integrations/secret_retirement.html", secret=secret)


@dashboard.post("/webhook-secrets/<secret_id>/retirement", roles=OPERATOR)
def retire_webhook_secret(secret_id: str) -> Response:
    """Retire a secret at once."""
    source = webhook_secrets.webhook_secret(reading(), secret_id).source
    return submitted(
        FlaskForm(),
        act=lambda work: webhook_secrets.retire_webhook_secret(work, secret_id=secret_id),
        then=lambda _was: go(_webhook_page(source), message=_("Secret retired.")),
        again=lambda: confirm_webhook_secret_retirement(secret_id),
    )


def _render_webhook(source: WebhookSource, form: SecretForm) -> Response:
    return page(
        "dashboard/integrations/webhook.html",
        source=source,
        address=address_of(source),
        secrets=[
            secret
            for secret in webhook_secrets.webhook_secrets(reading(), clock())
            if secret.source is source
        ],
        events=events.last_events(reading(), source),
        reason_words=event_reason_label,
        form=form,
    )


def address_of(source: WebhookSource) -> str:
    """Return the URL a source sends its events to."""
    base = current_app.config["BASE_URL"]
    path = (
        _OTA
        if source is WebhookSource.OTA
        else f"/api/webhooks/{source.value}/{current_member().slug}"
    )
    return f"{base}{path}"


def _webhook_page(source: WebhookSource) -> str:
    return url_for("dashboard.webhook", webhook_source=source.value)


def _read_source(source: str) -> WebhookSource:
    try:
        return WebhookSource(source)
    except ValueError as unknown:
        raise NotFound("'{source}' has no webhook.", source=source[:60]) from unknown
