"""What is set of a provider of messages or a model: the account in the shape each of them has."""

import pytest

from pms.channels.message_files import kept_media
from pms.foundation.errors import Refused
from pms.foundation.provider_http import ProviderError
from pms.providers.ota import booking_name, message_name, ota_address, thread_name
from pms.rules.enumerations import IntegrationKind
from pms.rules.message_words import MessageKind, MessageState, goes_on, language_of, short_words
from pms.workspaces.integration_records import integrations
from tests.channels.intake import Intake

LINE, WHATSAPP = IntegrationKind.LINE, IntegrationKind.WHATSAPP
OTA, ASSISTANT = IntegrationKind.OTA, IntegrationKind.ASSISTANT
ADDRESS = "http://127.0.0.1:1"


@pytest.mark.parametrize(
    ("kind", "account"),
    [
        (LINE, None),
        (OTA, None),
        (WHATSAPP, "151847497418422"),
        (ASSISTANT, "gpt-4o-mini"),
        (ASSISTANT, "hf.co/models/Qwen2.5-7B:Q4_K_M"),
    ],
)
def test_an_account_is_kept_as_it_is_written(
    ours: Intake, theirs: Intake, kind: IntegrationKind, account: str | None
) -> None:
    ours.connect(kind, ADDRESS, account)
    with ours.database.reading(ours.house.workspace_id) as session:
        assert integrations(session)[kind].account == account
    with theirs.database.reading(theirs.house.workspace_id) as session:
        assert integrations(session) == {}


@pytest.mark.parametrize(
    ("kind", "account"),
    [
        *((WHATSAPP, ""), (WHATSAPP, "+81 300000008"), (WHATSAPP, "１５１"), (WHATSAPP, "1" * 41)),
        *((ASSISTANT, None), (ASSISTANT, "a model"), (ASSISTANT, "/etc"), (LINE, "a/b")),
    ],
)
def test_an_account_of_another_shape_is_refused_by_its_field(
    ours: Intake, kind: IntegrationKind, account: str | None
) -> None:
    with pytest.raises(Refused) as refusal:
        ours.connect(kind, ADDRESS, account)
    assert refusal.value.field == "account"


def test_a_guest_is_answered_by_what_the_channel_knows_them_by() -> None:
    assert ota_address(thread_name("airbnb", "a#b!c/d")) == ("airbnb", "conversationId", "a#b!c/d")
    assert ota_address(booking_name("vrbo", "H/1")) == ("vrbo", "bookingReference", "H/1")
    assert ota_address(message_name("vrbo", "v#1")) == ("vrbo", "messageId", "v#1")
    assert ota_address("nobody") is None


def test_states_only_lead_on() -> None:
    steps = [MessageState.WAITING, MessageState.SENT, MessageState.DELIVERED, MessageState.READ]
    for number, step in enumerate(steps):
        assert [goes_on(step, given) for given in steps] == [
            other > number for other in range(len(steps))
        ]
    assert goes_on(MessageState.SENT, MessageState.FAILED)
    assert goes_on(MessageState.FAILED, MessageState.DELIVERED)
    assert not goes_on(MessageState.DELIVERED, MessageState.FAILED)
    assert not goes_on(MessageState.RECEIVED, MessageState.READ)


def test_the_script_of_words_tells_their_language() -> None:
    lines = [language_of(text) for text in ("Hello", "おはよう", "OK です", "漢字", "🙏 23:40", "")]
    assert lines == ["en", "ja", "ja", "ja", None, None]


def test_a_list_shows_words_or_a_sign_of_what_came() -> None:
    assert short_words(MessageKind.TEXT, " a\n\n b ") == "a b"
    assert short_words(MessageKind.FILE, "", "契約書.pdf") == "📎 契約書.pdf"
    assert short_words(MessageKind.IMAGE, "") == "🖼"
    assert short_words(MessageKind.UNSUPPORTED, "") == "—"
    assert len(short_words(MessageKind.TEXT, "x" * 10_000)) == 200


def test_a_file_without_anything_in_it_is_none() -> None:
    with pytest.raises(ProviderError, match="empty"):
        kept_media(MessageKind.FILE, b"")
