"""Every component of the pages in every state, for whoever builds pages and for the tests."""

from pms.surfaces.dashboard.gallery import views
from pms.surfaces.dashboard.routes import EVERYBODY
