"""What the workspace says of itself, its papers and its figures."""

from typing import Final

from pms.surfaces.dashboard.routes import EVERYBODY, OPERATOR
from pms.surfaces.dashboard.settings import logo, policy, sign_in, workspace

_MOST_OF_A_LOGO: Final = 3 * 1024 * 1024


