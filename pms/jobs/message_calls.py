"""Calls to message providers: sending, fetching files, asking for names."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from pms.channels.inbox_items import note_media, note_no_media, wanted_media
from pms.channels.message_files import kept_media
from pms.channels.outgoing import outgoing
from pms.channels.sending import FETCHING, MOST_BYTES, NAMING, SENDING, note_line_name
from pms.channels.sending_results import note_not_sent, note_sent
from pms.channels.taken_back_messages import FORGETTING
from pms.foundation.clock import Clock
from pms.foundation.files import Files, loose_file
from pms.foundation.outbox import ProviderCall, mark_done
from pms.foundation.provider_http import (
    CallLimits,
    ProviderError,
    ProviderRequest,
    ask_provider,
    fetch_file,
)
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Signer
from pms.foundation.work import lock_leased
from pms.jobs.runs import Tools
from pms.providers.authentication import Access, Outgoing
from pms.providers.line import (
    line_file_request,
    line_id_in,
    line_name_in,
    line_name_request,
    line_push_request,
)
from pms.providers.ota import ota_request
from pms.providers.received_mail import read_mail_file
from pms.providers.whatsapp import (
    failure_of,
    whatsapp_file_request,
    whatsapp_id_in,
    whatsapp_place_request,
    whatsapp_request,
)
from pms.rules.enumerations import IntegrationKind
from pms.rules.message_words import ORIGINAL_GONE, TOO_LARGE, Channel
from pms.rules.provider_json import objects_within, text_within
from pms.workspaces.integrations import access_to

_TAKEN_BEFORE: Final = 409


class _Way(NamedTuple):
    """How to send on a channel, and how to read the provider's id from its answer."""

    kind: IntegrationKind
    request: Callable[[Access, str, Outgoing], ProviderRequest]
    id_in: Callable[[Mapping[str, Any]], str | None]


def _no_id(_: Mapping[str, Any]) -> str | None:
    return None


_WAYS: Final[Mapping[Channel, _Way]] = {
    Channel.LINE: _Way(IntegrationKind.LINE, line_push_request, line_id_in),
    Channel.WHATSAPP: _Way(IntegrationKind.WHATSAPP, whatsapp_request, whatsapp_id_in),
    Channel.OTA: _Way(IntegrationKind.OTA, ota_request, _no_id),
}


def send_message(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Send a message unless it was sent before; nothing is locked during the call."""
    with tools.database.reading(call.workspace_id) as session:
        message = outgoing(session, call.subject_id)
        way = _WAYS[message.channel]
        access = _read_access(tools, session, way.kind) if message.is_wanted else None
    answer: Mapping[str, Any] = {}
    if access is not None:
        answer = _send_request(way, way.request(access, call.id, message), limits)

    def keep(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is not None:
            if access is not None:
                external_id = way.id_in(answer)
                note_sent(session, tools.clock, message_id=message.id, external_id=external_id)
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def give_up_message(session: WorkspaceSession, _: Clock, call: ProviderCall, failure: str) -> None:
    """Record on the message why it was not sent, for the staff to see."""
    note_not_sent(session, message_id=call.subject_id, failure=failure)


def fetch_message_file(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Fetch the file of a message and store it by the type its content has."""
    files = Files(tools.settings)
    with tools.database.reading(call.workspace_id) as session:
        wanted = wanted_media(session, call.subject_id)
        access = (
            _read_access(tools, session, wanted.provider) if wanted and wanted.provider else None
        )
    if wanted is None:
        _finish_call(tools, call)
        return
    if access is None:
        content = _read_mail_file(files, wanted.media_id)
    else:
        request = line_file_request(access, wanted.media_id)
        if wanted.provider is IntegrationKind.WHATSAPP:
            answer = ask_provider(whatsapp_place_request(access, wanted.media_id), limits)
            url = text_within(answer, "url")
            if url is None:
                raise ProviderError("the answer does not tell where the file is")
            request = whatsapp_file_request(access, url)
        content = fetch_file(request, limits, most_bytes=MOST_BYTES)
    file = kept_media(wanted.kind, content)
    with loose_file(files, file.content, file.suffix) as loose:

        def keep(session: WorkspaceSession) -> bool:
            ours = lock_leased(session, call)
            if ours is None:
                return False
            mark_done(ours, tools.clock)
            return note_media(session, message_id=call.subject_id, key=loose.key, file=file)

        if tools.database.write(call.workspace_id, keep):
            loose.name()


def _read_mail_file(files: Files, media_id: str) -> bytes:
    """Return a file attached to a mail; its id is the key of the original and the part in it."""
    key, _, part = media_id.partition("#")
    original = files.get(key)
    if original is None:
        raise ProviderError(ORIGINAL_GONE, for_good=True)
    content = read_mail_file(original, int(part))
    if len(content) > MOST_BYTES:
        raise ProviderError(TOO_LARGE, for_good=True)
    return content


def give_up_file(session: WorkspaceSession, _: Clock, call: ProviderCall, failure: str) -> None:
    """Record on the message why its file is missing."""
    note_no_media(session, message_id=call.subject_id, failure=failure)


def ask_who_wrote(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Query LINE for the name of a person who wrote for the first time."""
    handle = str(call.facts["handle"])
    with tools.database.reading(call.workspace_id) as session:
        access = _read_access(tools, session, IntegrationKind.LINE)
    name = line_name_in(ask_provider(line_name_request(access, handle), limits))

    def keep(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is not None:
            if name is not None:
                note_line_name(session, conversation_id=call.subject_id, handle=handle, name=name)
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def forget_file(tools: Tools, call: ProviderCall, _: CallLimits) -> None:
    """Delete the file of a message that its writer unsent."""
    Files(tools.settings).delete(str(call.facts["file_key"]))
    _finish_call(tools, call)


def _send_request(way: _Way, request: ProviderRequest, limits: CallLimits) -> Mapping[str, Any]:
    """Send; a provider that knows the call's key has accepted an earlier try."""
    try:
        return ask_provider(request, limits)
    except ProviderError as failure:
        if failure.status == _TAKEN_BEFORE and way.kind is not IntegrationKind.WHATSAPP:
            return failure.answer
        if way.kind is IntegrationKind.WHATSAPP:
            for error in objects_within({"errors": [failure.answer.get("error")]}, "errors"):
                plainly, is_final = failure_of(error), failure.for_good
                raise ProviderError(plainly, for_good=is_final, status=failure.status) from failure
        raise


def _finish_call(tools: Tools, call: ProviderCall) -> None:

    def finish(session: WorkspaceSession) -> None:
        ours = lock_leased(session, call)
        if ours is not None:
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, finish)


def _read_access(tools: Tools, session: WorkspaceSession, kind: IntegrationKind) -> Access:
    return access_to(session, Signer(tools.settings.secret_key), kind)


CALLS: Final = {
    SENDING: send_message,
    FETCHING: fetch_message_file,
    NAMING: ask_who_wrote,
    FORGETTING: forget_file,
}
GIVEN_UP: Final = {SENDING: give_up_message, FETCHING: give_up_file}
