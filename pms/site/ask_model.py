"""Asks a language model at an OpenAI-compatible address; it may fail, and never for long."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from pms.foundation.provider_http import ProviderError, ProviderRequest, Reach, ask_provider
from pms.rules.chat_cost import MOST_TOKENS_OUT, TRIES, Tokens, most_tokens, used_tokens
from pms.workspaces.integrations import Access

PATIENCE_SECONDS: Final = 7.0
# The provider said no before it worked: nothing was read and nothing is owed.
_FREE: Final = re.compile(r"\d{3}: |the address |ConnectionRefusedError")


class ModelMessage(NamedTuple):
    """One message of the talk with a model: `system`, `user` or `assistant`."""

    role: str
    content: str


class ModelAnswer(NamedTuple):
    """What a model wrote, or why it did not, and the tokens of all tries together."""

    text: str | None
    failure: str | None
    tokens: Tokens


def ask_model(access: Access, messages: Sequence[ModelMessage], reach: Reach) -> ModelAnswer:
    """Return what the model answers; one more try when the first failed for a passing reason.

    A try of which nobody knows what it used counts as the most it may have used.
    """
    hasty = replace(reach, patience_seconds=min(reach.patience_seconds, PATIENCE_SECONDS))
    at_most, used = most_tokens(message.content for message in messages), Tokens(0, 0)
    failure = "provider: not asked"
    for _ in range(TRIES):
        try:
            answer = ask_provider(_request(access, messages), hasty)
        except ProviderError as problem:
            failure = f"provider: {problem}"
            if not _FREE.match(str(problem)) and not problem.for_good:
                used = _sum(used, at_most)
            if problem.for_good:
                break
            continue
        used = _sum(used, used_tokens(answer.get("usage"), at_most))
        text = _text(answer)
        return ModelAnswer(text, None if text else "provider: the answer has no words", used)
    return ModelAnswer(None, failure, used)


def _request(access: Access, messages: Sequence[ModelMessage]) -> ProviderRequest:
    told = {
        "model": access.account,
        "messages": [message._asdict() for message in messages],
        "max_tokens": MOST_TOKENS_OUT,
        "stream": False,
    }
    headers = {
        "Authorization": f"Bearer {access.secret}",
        "Content-Type": "application/json",
        "Accept": "application/json",
    }
    body = json.dumps(told, ensure_ascii=False).encode()
    return ProviderRequest("POST", f"{access.address}/chat/completions", headers, body)


def _text(answer: Mapping[str, Any]) -> str | None:
    choices = answer.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    return content.strip() or None if isinstance(content, str) else None


def _sum(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(one.read + other.read, one.written + other.written)
