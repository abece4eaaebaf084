"""A person's own page: name, language, password, second factor, sessions."""

from pms.surfaces.dashboard.me import password, profile, second_factor, sessions
from pms.surfaces.dashboard.reach import EVERYBODY, Address

ADDRESSES = (
    Address("/me", "me", profile.show, EVERYBODY),
    Address("/me", "change_profile", profile.change, EVERYBODY, "POST"),
    Address("/me/sign-ins", "own_sign_ins", profile.sign_ins, EVERYBODY),
    Address("/me/password", "password", password.show, EVERYBODY),
    Address("/me/password", "change_password", password.change, EVERYBODY, "POST"),
    Address("/me/second-factor", "own_factor", second_factor.show, EVERYBODY),
    Address("/me/second-factor", "start_factor", second_factor.start, EVERYBODY, "POST"),
    Address(
        "/me/second-factor/confirmation",
        "confirm_factor",
        second_factor.confirm,
        EVERYBODY,
        "POST",
    ),
    Address("/me/second-factor/removal", "remove_factor", second_factor.remove, EVERYBODY, "POST"),
    Address(
        "/me/sessions/<session_id>/revocation",
        "revoke_session",
        sessions.revoke,
        EVERYBODY,
        "POST",
    ),
    Address("/me/sessions/revocation", "sign_out_everywhere", sessions.end_all, EVERYBODY, "POST"),
)
