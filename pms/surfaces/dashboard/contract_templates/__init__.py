"""The texts contracts are written with: one list, each in both languages with a preview."""

from pms.surfaces.dashboard.contract_templates import listing, writing
from pms.surfaces.dashboard.routes import OFFICE, OPERATOR
_ALL = "/contract-templates"
_ONE = f"{_ALL}/<template_id>"
_BYTES = 400_000


