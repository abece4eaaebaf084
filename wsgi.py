"""What a WSGI server serves; refuses production settings that would be unsafe."""

from app import create_app
from pms.foundation import logs
from pms.foundation.settings import Settings, SettingsError
from pms.surfaces.page_environment import KeptTemplates, compile_templates

__all__ = ["app", "compile_templates"]

settings = Settings.from_environment()
if settings.unsafe_reasons():
    raise SettingsError(" ".join(settings.unsafe_reasons()))
logs.configure(settings)
app = create_app(settings)
app.jinja_env.bytecode_cache = KeptTemplates(settings)
