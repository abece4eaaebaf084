"""Figures of a month and of a day: deposits held, and what each month earned."""

from typing import Final

from pms.surfaces.dashboard.routes import OFFICE
from pms.surfaces.dashboard.reports import deposits, earnings


