"""What the website saw: visits a day, a page and a campaign."""

from pms.surfaces.dashboard.routes import OFFICE
from pms.surfaces.dashboard.telemetry import views


