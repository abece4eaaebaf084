"""The people of a workspace: who works here as what, inviting, changing roles, removing."""

from pms.surfaces.dashboard.people import invitations, members, sign_ins
from pms.surfaces.dashboard.routes import OPERATOR
