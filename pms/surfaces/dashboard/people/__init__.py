"""The people of a workspace: who works here as what, inviting, changing roles, removing."""

from pms.surfaces.dashboard.people import invitations, members, sign_ins
from pms.surfaces.dashboard.reach import OPERATOR, Address

ADDRESSES = (
    Address("/people", "people", members.index, OPERATOR),
    Address("/people/sign-ins", "people_sign_ins", sign_ins.index, OPERATOR),
    Address("/people/new", "new_member", invitations.new, OPERATOR),
    Address("/people", "invite_member", invitations.invite, OPERATOR, "POST"),
    Address(
        "/people/invitations/<invitation_id>/revocation",
        "revoke_invitation",
        invitations.revoke,
        OPERATOR,
        "POST",
    ),
    Address("/people/<member_id>/role", "member_role", members.show_role, OPERATOR),
    Address("/people/<member_id>/role", "change_role", members.change, OPERATOR, "POST"),
    Address("/people/<member_id>/removal", "confirm_removal", members.confirm, OPERATOR),
    Address("/people/<member_id>/removal", "remove_member", members.remove, OPERATOR, "POST"),
)
