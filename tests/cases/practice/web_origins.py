"""Websites whose pages may call the API with a key."""

from collections.abc import Callable, Mapping

from pms.rules.enumerations import Scope
from pms.rules.web_origins import refusal_of_origins
from tests.rules.worked_cases import Answer, Given


def answer_origin(given: Given) -> Answer:
    refusal = refusal_of_origins(
        [given["origin"]],
        [Scope(word) for word in given["scopes"]],
        is_development=bool(given.get("development")),
    )
    return {"status": 200 if refusal is None else 400}


ANSWERS: Mapping[str, Callable[[Given], Answer]] = {"origin": answer_origin}
