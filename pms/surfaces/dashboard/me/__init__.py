"""A person's own page: name, language, password, second factor, sessions."""

from pms.surfaces.dashboard.me import password, profile, second_factor, sessions
from pms.surfaces.dashboard.routes import EVERYBODY
