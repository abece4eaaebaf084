"""What the workspace says of itself, its papers and its figures."""

from typing import Final

from pms.surfaces.dashboard.reach import EVERYBODY, OPERATOR, Address
from pms.surfaces.dashboard.settings import logo, policy, sign_in, workspace

_MOST_OF_A_LOGO: Final = 3 * 1024 * 1024

ADDRESSES = (
    Address("/settings", "settings", workspace.show, OPERATOR),
    Address("/settings", "describe_workspace", workspace.save, OPERATOR, "POST"),
    Address("/settings/figures", "policy", policy.show, OPERATOR),
    Address("/settings/figures", "set_policy", policy.save, OPERATOR, "POST"),
    Address("/settings/sign-in", "sign_in_rules", sign_in.show, OPERATOR),
    Address("/settings/sign-in", "set_sign_in_rules", sign_in.save, OPERATOR, "POST"),
    Address("/settings/logo", "settings_logo", logo.show, OPERATOR),
    Address("/settings/logo", "set_logo", logo.save, OPERATOR, "POST", _MOST_OF_A_LOGO),
    Address("/logo/<digest>", "logo", logo.picture, EVERYBODY),
)
