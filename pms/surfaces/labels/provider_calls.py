"""The labels of providers and of calls to them, and why a call failed or an event waits."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from flask_babel import LazyString, lazy_gettext
from flask_babel import lazy_gettext as _
from flask_babel import lazy_pgettext as worded

from pms.channels.inbox_sources import DISPUTE_LOST, REFUND_FAILED
from pms.channels.payment_events import NOT_YEN, PAYOUT_FAILED, UNKNOWN_MONEY
from pms.channels.received_mails import (
    FROM_ITSELF,
    NO_SENDER,
    NOT_FROM_A_PERSON,
    STILL_TRIED,
    UNKNOWN_BOUNCE,
)
from pms.channels.sending import FETCHING, NAMING, SENDING
from pms.channels.taken_back_messages import FORGETTING
from pms.checkouts.open_bills import LOOKING
from pms.checkouts.payment_pages import OPENING
from pms.collections.choices import CANCELLING, CARD_LOOKUP, CARD_PAGE, CARD_REMOVAL
from pms.collections.collected_bills import CHARGING
from pms.collections.collected_bills import LOOKING as COLLECTION_LOOKUP
from pms.contracts.queries import ENVELOPE, ENVELOPE_LOOKUP, ENVELOPE_VOID, SIGNING_PAGE
from pms.contracts.signing import SIGNED_COPY
from pms.providers.payment_news import MONEY_RECEIVED
from pms.rules.enumerations import IntegrationKind
from pms.rules.message_words import (
    EMPTY_FILE,
    KEPT_ELSEWHERE,
    MAIL_FILES_LEFT_OUT,
    MAIL_TOO_LARGE,
    MAIL_UNREADABLE,
    NO_PICTURE,
    NO_PROVIDER,
    NO_REASON,
    ORIGINAL_GONE,
    TOO_LARGE,
    TOO_SLOW,
    UNREADABLE_SECRET,
    WINDOW_CLOSED,
)
from pms.surfaces.labels.formats import yen
from pms.surfaces.page_templates import gettext
from pms.workspaces.integration_records import TESTING

_UNREADABLE: Final = _("The provider's answer cannot be read.")
_INCOMPLETE: Final = _("The provider's answer is incomplete.")
_NO_ADDRESS: Final = _("The provider's address cannot be used. Enter it again.")
_NO_WAY: Final = _("The provider cannot be reached.")
_NOT_SAFE: Final = _("There is no secure connection to the provider.")
_BROKEN: Final = _("A system error prevented this. See the log for the reason.")

_WORDS: Final[Mapping[str, LazyString]] = {
    WINDOW_CLOSED: _(
        "WhatsApp only allows free text within 24 hours of the person's last message. Wait "
        "for their message or use another channel."
    ),
    NO_REASON: _("WhatsApp gave no reason."),
    KEPT_ELSEWHERE: _("The file is stored outside LINE and was not fetched."),
    NO_PICTURE: _("The picture cannot be read."),
    EMPTY_FILE: _("The file is empty."),
    TOO_LARGE: _("The file is larger than 10 MiB."),
    MAIL_TOO_LARGE: _(
        "The email is larger than 15 MiB and was not fetched. Open it in the mailbox."
    ),
    MAIL_UNREADABLE: _("The email cannot be read here. Open it in the mailbox."),
    MAIL_FILES_LEFT_OUT: _(
        "More than 20 files are attached. The others are in the original email."
    ),
    ORIGINAL_GONE: _("The original email is no longer stored."),
    NO_PROVIDER: _("No provider is set up. An operator can connect one."),
    UNREADABLE_SECRET: _("The provider's secret cannot be read. Enter it again."),
    TOO_SLOW: _("The provider did not answer in time."),
    "the answer is no JSON": _UNREADABLE,
    "the answer is no JSON object": _UNREADABLE,
    "the answer is too long": _UNREADABLE,
    "the answer has no address to go to": _INCOMPLETE,
    "the answer has no id": _INCOMPLETE,
    "the answer lacks what is needed": _INCOMPLETE,
    "Your card has insufficient funds.": _("The card has insufficient funds."),
    "Your card was declined.": _("The card was declined."),
    "Your card has expired.": _("The card has expired."),
    "Your card does not support this type of purchase.": _(
        "The card cannot be used for this kind of payment."
    ),
    "The card needs its holder's confirmation.": _("The card needs its holder's confirmation."),
    "no card was entered": _("No card has been entered."),
    "the answer names no amount in yen": _INCOMPLETE,
    "the answer names no envelope": _INCOMPLETE,
    "the answer does not tell how the document stands": _INCOMPLETE,
    "the answer does not tell how the payment stands": _INCOMPLETE,
    "the answer does not tell where the file is": _INCOMPLETE,
    "the answer is about another payment": _("The provider's answer is for another payment."),
    "the address is none of a provider": _NO_ADDRESS,
    "the address is no https address": _NO_ADDRESS,
    "the address leads into a private network": _NO_ADDRESS,
    "the address is unknown": _("The provider's address was not found."),
    "the file is not ready yet": _("The provider is still preparing the file."),
    "the document no longer waits for a signature": _(
        "The document is no longer waiting for a signature."
    ),
    "the booking was cancelled": _("The booking was cancelled in the meantime."),
    "nothing tells the relay whom this goes to": _("The recipient at the booking site is unknown."),
}
_REFUSED: Final = re.compile(r"(?P<status>\d{3}): (?P<words>.+)")
_NO_WORDS: Final = "no reason given"
_CONNECTION: Final = re.compile(
    r"(?P<kind>[A-Z]\w*(?:Error|Exception|Disconnected|Read|Line|Ready)):.*"
)
_UNFORESEEN: Final = re.compile(r"[A-Z]\w*")
_OTHER_AMOUNT: Final = re.compile(
    r"(?:amount: )?(?P<paid>\d+) were paid instead of the (?P<asked>\d+) requested\."
)


def failure_text(failure: str) -> str:
    """Return the text of a reason; a provider's own message is shown unchanged."""
    if failure in _WORDS:
        return str(_WORDS[failure])
    if refused := _REFUSED.fullmatch(failure):
        status = refused["status"]
        words = refused["words"]
        if words == _NO_WORDS:
            return gettext("The provider rejected it without a reason (%(status)s).", status=status)
        return gettext(
            "The provider rejected it (%(status)s): %(words)s", status=status, words=words
        )
    if connection := _CONNECTION.fullmatch(failure):
        kind = connection["kind"]
        if kind == "FileNotFoundError":
            connection_words = _BROKEN
        else:
            connection_words = _NOT_SAFE if kind.startswith("SSL") else _NO_WAY
        return str(connection_words)
    if amounts := _OTHER_AMOUNT.fullmatch(failure):
        return _amount_words(amounts["paid"], amounts["asked"])
    return str(_BROKEN) if _UNFORESEEN.fullmatch(failure) else failure


def _amount_words(paid: str, asked: str) -> str:
    return gettext(
        "%(paid)s was paid instead of the %(asked)s requested.",
        paid=yen(int(paid)),
        asked=yen(int(asked)),
    )


CALL_LABELS: Final[Mapping[str, LazyString]] = {
    OPENING: lazy_gettext("Open a payment page"),
    LOOKING: lazy_gettext("Check whether a bill was paid"),
    CARD_PAGE: lazy_gettext("Open a page to enter a card"),
    CARD_LOOKUP: lazy_gettext("Check which card was entered"),
    CARD_REMOVAL: lazy_gettext("Delete a stored card"),
    CHARGING: lazy_gettext("Collect a bill by card or at a store"),
    COLLECTION_LOOKUP: lazy_gettext("Check whether a bill was collected"),
    CANCELLING: lazy_gettext("Cancel a convenience store number"),
    ENVELOPE: lazy_gettext("Send a document to the signature service"),
    ENVELOPE_LOOKUP: lazy_gettext("Check whether a document was signed"),
    ENVELOPE_VOID: lazy_gettext("Withdraw a document from the signature service"),
    SIGNING_PAGE: lazy_gettext("Prepare the signing page"),
    SIGNED_COPY: lazy_gettext("Email a signed contract"),
    SENDING: lazy_gettext("Send a message"),
    FETCHING: lazy_gettext("Fetch the attachment of a message"),
    NAMING: lazy_gettext("Look up LINE senders"),
    TESTING: lazy_gettext("Test the connection"),
    FORGETTING: lazy_gettext("Delete the attachment of an unsent message"),
}
_ANYTHING: Final = lazy_gettext("A request from another version of the system")


def call_label(kind: str) -> str:
    """Return the label of a kind of call."""
    return str(CALL_LABELS.get(kind, _ANYTHING))


_REASON_LABELS: Final[dict[str, LazyString]] = {
    NOT_YEN: lazy_gettext("Only yen can be recorded; this is another currency."),
    "The payment has no bill in metadata.entryId.": lazy_gettext(
        "The payment has no bill in metadata.entryId."
    ),
    "The bill named in the payment is not in this workspace.": lazy_gettext(
        "The bill named in the payment is not in this workspace."
    ),
    "The refunded payment was not found.": lazy_gettext("The refunded payment was not found."),
    "The disputed payment was not found.": lazy_gettext("The disputed payment was not found."),
    "The reservation is settled. Record this money as a refund of the deposit.": lazy_gettext(
        "The reservation is settled. Record this money as a refund of the deposit."
    ),
    "The reservation is settled. Record this money as a payment: its refund failed.": lazy_gettext(
        "The reservation is settled. Record this money as a payment: its refund failed."
    ),
    PAYOUT_FAILED: lazy_gettext(
        "The payout to your bank account did not arrive. Check it at the provider."
    ),
    UNKNOWN_MONEY: lazy_gettext(
        "This kind of notification about money is not recorded here. Check it at the provider."
    ),
    DISPUTE_LOST: worded("dispute", "lost; the money was taken"),
    REFUND_FAILED: worded("refund", "refund failed; the payer did not receive it"),
    "The unsent message is not available.": lazy_gettext(
        "This message was unsent by its sender and is not available."
    ),
    FROM_ITSELF: lazy_gettext("This email was sent from the mailbox itself."),
    NOT_FROM_A_PERSON: lazy_gettext("This is an automatic reply or from a mailing list."),
    NO_SENDER: lazy_gettext("The email has no sender's address."),
    STILL_TRIED: lazy_gettext("An email is delayed. The mail server is still trying."),
    UNKNOWN_BOUNCE: lazy_gettext("The email that came back was not sent from this workspace."),
    # Why a refund did not reach its payer.
    "lost_or_stolen_card": worded("refund", "the card was lost or stolen"),
    "expired_or_canceled_card": worded("refund", "the card is no longer valid"),
    "charge_for_pending_refund_disputed": worded("refund", "the payer disputes the payment"),
    "declined": worded("refund", "the payer's bank declined it"),
    "merchant_request": worded("refund", "cancelled at your request"),
    # Why a card's holder disputes a payment.
    "fraudulent": worded("dispute", "fraudulent"),
    "duplicate": worded("dispute", "charged twice"),
    "unrecognized": worded("dispute", "not recognized"),
    "product_not_received": worded("dispute", "service not received"),
    "credit_not_processed": worded("dispute", "refund not received"),
    "subscription_canceled": worded("dispute", "contract ended"),
    "product_unacceptable": worded("dispute", "service not as described"),
    "debit_not_authorized": worded("dispute", "debit not authorized"),
    "incorrect_account_details": worded("dispute", "wrong account details"),
    "insufficient_funds": worded("dispute", "insufficient funds"),
    "bank_cannot_process": worded("dispute", "the bank could not process it"),
    "check_returned": worded("dispute", "check returned"),
    "customer_initiated": worded("dispute", "started by the payer"),
    "noncompliant": worded("dispute", "against the card rules"),
    "general": worded("dispute", "other reason"),
}


def event_reason_label(reason: str | None) -> str:
    """Return the label of a reason."""
    if amounts := _OTHER_AMOUNT.fullmatch(reason or ""):
        return _amount_words(amounts["paid"], amounts["asked"])
    return str(_REASON_LABELS.get(reason or "", reason or ""))


def event_kind_label(kind: str) -> LazyString:
    """Return what an event of the payment provider is about, by its kind."""
    if kind in MONEY_RECEIVED:
        return lazy_gettext("Payment to assign")
    if kind.startswith("payout."):
        return lazy_gettext("Payout to your bank")
    return lazy_gettext("Payment notification to check")


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
        lazy_gettext("Relay service"),
        "",
        lazy_gettext("Account at the relay (optional)"),
        lazy_gettext("API key of the relay"),
        lazy_gettext("The API key page of your relay or channel manager"),
    ),
    IntegrationKind.ASSISTANT: ProviderLabels(
        lazy_gettext("OpenAI-compatible service"),
        "https://api.openai.com/v1",
        lazy_gettext("Model"),
        lazy_gettext("API key"),
        lazy_gettext("The API key page of the company that provides the model"),
    ),
}
