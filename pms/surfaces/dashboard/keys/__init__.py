"""The keys that machines hold: issuing, watching, replacing and revoking them."""

from pms.surfaces.dashboard.keys import views
from pms.surfaces.dashboard.reach import OPERATOR, Address

ADDRESSES = (
    Address("/keys", "keys", views.index, OPERATOR),
    Address("/keys/new", "new_key", views.new, OPERATOR),
    Address("/keys", "issue_key", views.issue, OPERATOR, "POST"),
    Address("/keys/<key_id>", "key", views.show, OPERATOR),
    Address("/keys/<key_id>/revocation", "confirm_key_revocation", views.confirm, OPERATOR),
    Address("/keys/<key_id>/revocation", "revoke_key", views.revoke, OPERATOR, "POST"),
    Address("/keys/<key_id>/replacement", "confirm_key_replacement", views.confirm, OPERATOR),
    Address("/keys/<key_id>/replacement", "replace_key", views.replace, OPERATOR, "POST"),
)
