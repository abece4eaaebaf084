"""The providers' names, what their own pages call the fields, and where the secret is found."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from flask_babel import LazyString, lazy_gettext

from pms.rules.enumerations import IntegrationKind


class ProviderLabels(NamedTuple):
    """One provider: its name, usual address, labels for account and secret, and where they are."""

    name: LazyString | str
    address: str
    account: LazyString | str
    secret: LazyString | str
    where: LazyString | str
    page: str = ""


PROVIDERS: Final[Mapping[IntegrationKind, ProviderLabels]] = {
    IntegrationKind.PAYMENTS: ProviderLabels(
        "Stripe",
        "https://api.stripe.com",
        lazy_gettext("Connected account (acct_…)"),
        lazy_gettext("Secret key (sk_live_… or rk_live_…)"),
        lazy_gettext("Stripe Dashboard > Developers > API keys > Secret key"),
        "https://dashboard.stripe.com/apikeys",
    ),
    IntegrationKind.ESIGN: ProviderLabels(
        "DocuSign",
        "https://na1.docusign.net/restapi",
        lazy_gettext("API Account ID"),
        lazy_gettext("Access token"),
        lazy_gettext(
            "DocuSign > Settings > Apps and Keys: API Account ID, Account Base URI, token"
        ),
    ),
    IntegrationKind.LINE: ProviderLabels(
        lazy_gettext("LINE Messaging API"),
        "https://api.line.me",
        lazy_gettext("Channel ID (optional)"),
        lazy_gettext("Channel access token (long-lived)"),
        lazy_gettext("LINE Developers > your channel > Messaging API > Channel access token"),
        "https://developers.line.biz/console/",
    ),
    IntegrationKind.WHATSAPP: ProviderLabels(
        lazy_gettext("WhatsApp Cloud API (Meta)"),
        "https://graph.facebook.com",
        lazy_gettext("Phone number ID"),
        lazy_gettext("Access token of a system user"),
        lazy_gettext("Meta for Developers > your app > WhatsApp > API Setup"),
        "https://developers.facebook.com/apps/",
    ),
    IntegrationKind.OTA: ProviderLabels(
        lazy_gettext("Relay of booking sites"),
        "",
        lazy_gettext("Account at the relay (optional)"),
        lazy_gettext("API key of the relay"),
        lazy_gettext("The API key page of your relay or channel manager"),
    ),
    IntegrationKind.ASSISTANT: ProviderLabels(
        lazy_gettext("Language model (OpenAI-compatible)"),
        "https://api.openai.com/v1",
        lazy_gettext("Model"),
        lazy_gettext("API key"),
        lazy_gettext("The API key page of the company that provides the model"),
    ),
}
