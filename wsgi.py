"""What a WSGI server serves; refuses production settings that would be unsafe."""

import os

from app import create_app
from pms.foundation import logs
from pms.foundation.settings import Settings, SettingsError
from pms.surfaces.page_templates import KeptTemplates, compile_templates
from pms.surfaces.request_scope import RequestTurns

__all__ = ["app", "compile_templates"]

os.umask(0o077)  # what is written is for this user alone
settings = Settings.from_environment()
if settings.unsafe_reasons():
    raise SettingsError(" ".join(settings.unsafe_reasons()))
logs.configure(settings)
app = create_app(settings)
app.wsgi_app = RequestTurns(app.wsgi_app)  # type: ignore[method-assign]
app.jinja_env.bytecode_cache = KeptTemplates(settings)
