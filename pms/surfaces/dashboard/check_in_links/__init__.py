"""The office's check-in links: making, sending, revoking, the register of guests."""

from pms.surfaces.dashboard.check_in_links import links, making, one, passport, register
from pms.surfaces.dashboard.reach import OFFICE, OPERATOR, Address

_NEW = "/check-in-links/new"
_ONE = "/check-in-links/<check_in_link_id>"
_REGISTER = "/check-in-links/register"

ADDRESSES: tuple[Address, ...] = (
    Address("/check-in-links", "check_in_links", links.show, OFFICE),
    Address(_NEW, "new_check_in_link", making.show, OFFICE),
    Address(_NEW, "create_check_in_link", making.create, OFFICE, "POST"),
    Address(
        "/reservations/<reservation_id>/check-in-link", "link_stay", making.link, OFFICE, "POST"
    ),
    Address(_REGISTER, "guest_register", register.show, OFFICE),
    Address(_REGISTER, "print_guest_register", register.show_lines, OFFICE, "POST"),
    Address(f"{_REGISTER}.csv", "export_guest_register", register.export, OFFICE, "POST"),
    Address(_ONE, "check_in_link", one.show, OFFICE),
    Address(f"{_ONE}/mail", "mail_check_in_link", one.mail, OFFICE, "POST"),
    Address(f"{_ONE}/renewal", "check_in_link_renewal", one.confirm_renewal, OFFICE),
    Address(f"{_ONE}/renewal", "renew_check_in_link", one.renew, OFFICE, "POST"),
    Address(f"{_ONE}/revocation", "check_in_link_revocation", one.confirm_revocation, OFFICE),
    Address(f"{_ONE}/revocation", "revoke_check_in_link", one.revoke, OFFICE, "POST"),
    Address(
        f"{_ONE}/guests/<guest_id>/passport", "open_passport", passport.open_, OPERATOR, "POST"
    ),
)
