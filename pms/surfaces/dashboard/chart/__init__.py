"""What is taken and what is free: the chart of units and days, and the same facts as a list."""

from pms.surfaces.dashboard.chart import availability, card, views
from pms.surfaces.dashboard.routes import EVERYBODY, OFFICE
