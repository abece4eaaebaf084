"""The texts contracts are written with: one list, each in both languages with a preview."""

from pms.surfaces.dashboard.contract_templates import listing, writing
from pms.surfaces.dashboard.reach import OFFICE, OPERATOR, Address

_ALL = "/contract-templates"
_ONE = f"{_ALL}/<template_id>"
_BYTES = 400_000

ADDRESSES: tuple[Address, ...] = (
    Address(_ALL, "contract_templates", listing.index, OFFICE),
    Address(f"{_ALL}/new", "new_contract_template", writing.new, OPERATOR),
    Address(f"{_ALL}/new", "add_contract_template", writing.add, OPERATOR, "POST", _BYTES),
    Address(_ONE, "contract_template", writing.show, OFFICE),
    Address(_ONE, "write_contract_template", writing.write, OPERATOR, "POST", _BYTES),
    Address(f"{_ONE}/default", "choose_contract_template", listing.choose, OPERATOR, "POST"),
    Address(f"{_ONE}/archive", "archive_contract_template", listing.archive, OPERATOR, "POST"),
)
