"""Build the website's assistant from the manual, the secret key and the limits of its calls."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from flask import Flask, current_app

from pms.foundation.provider_http import PUBLIC, CallLimits
from pms.foundation.settings import Settings
from pms.foundation.tokens import Signer
from pms.site.passages import Passage
from pms.site.turns import Assistance
from pms.site.visitor_facts import VisitorWorld

EXTENSION: Final = "pms.assistance"
ManualPassages = Callable[[str], Mapping[str, Sequence[Passage]]]


def install(app: Flask, settings: Settings, manual: ManualPassages) -> None:
    """Register the assistant; `manual` returns what visitors may read, by language."""
    app.extensions[EXTENSION] = lambda limits: Assistance(
        Signer(settings.secret_key),
        VisitorWorld(settings.base_url, manual(settings.base_url)),
        limits,
    )


def assistance() -> Assistance:
    """Return the assistant with the call limits of this application."""
    made: Callable[[CallLimits], Assistance] = current_app.extensions[EXTENSION]
    limits: CallLimits = current_app.extensions.get(f"{EXTENSION}.limits", PUBLIC)
    return made(limits)
