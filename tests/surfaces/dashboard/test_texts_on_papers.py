"""The office is told of letters that no font has before a text of a paper is stored."""

from importlib import import_module

import pytest

from pms.catalogue.models import Building
from pms.foundation.database import Database
from pms.surfaces.fields import Printable
from tests.cast import Cast
from tests.staff import Browser

HIEROGLYPH = "𓀀"
TOLD = f"{HIEROGLYPH} cannot be printed on papers"
ON_PAPERS = {
    "fees": ("CatalogueFeeForm.labelJa", "CatalogueFeeForm.labelEn"),
    "charges": ("ChargesForm.labelJa", "ChargesForm.labelEn"),
    "ledger_charges": ("ChargeForm.labelJa", "CreditForm.labelJa", "CreditForm.labelEn"),
    "deposits": ("DepositDeductionForm.label",),
    "statements": ("StatementDeductionForm.labelJa", "StatementDeductionForm.labelEn"),
    "owners": ("OwnerTermsForm.payoutAccount",),
    "payments": ("ReversalForm.reason", "ReturnForm.returnReason"),
    "projects": ("NewProjectForm.title",),
    "reservation_opening": ("OpeningBalanceForm.what1", "OpeningBalanceForm.what3"),
    "reservations": ("DiscountForm.discountLabel",),
    "contract_templates": ("ContractTemplateForm.bodyJa", "ContractTemplateForm.bodyEn"),
    "settings": ("WorkspaceForm.nameEn", "WorkspaceForm.address"),
    "units": ("UnitForm.name",),
}


@pytest.mark.parametrize(
    ("module", "field"), [(module, field) for module, them in ON_PAPERS.items() for field in them]
)
def test_a_field_whose_text_a_paper_shows_asks_the_fonts(module: str, field: str) -> None:
    form, name = field.split(".")
    unbound = getattr(getattr(import_module(f"pms.surfaces.dashboard.{module}"), form), name)
    assert any(isinstance(check, Printable) for check in unbound.args[1])


def test_a_fee_whose_label_no_font_has_is_not_stored(operator: Browser) -> None:
    fee = {
        "code": "keys",
        "labelJa": f"鍵{HIEROGLYPH}",
        "category": "service",
        "timing": "one_time",
    }
    fee |= {"amountYen": "100", "taxTreatment": "taxable_10"}
    answer = operator.post("/fees?lang=en", fee)
    assert answer.status_code == 422
    assert TOLD in answer.text and f"鍵{HIEROGLYPH}" in answer.text
    assert operator.post("/fees", {**fee, "labelJa": "鍵𠮷"}).status_code == 303


def test_bank_details_of_invoices_are_printed_whole(operator: Browser) -> None:
    answer = operator.post("/settings?lang=en", {"bankDetails": HIEROGLYPH})
    assert answer.status_code == 422
    assert TOLD in answer.text


def test_a_building_that_came_otherwise_says_so_on_its_page(
    office: Browser, database: Database, cast: Cast
) -> None:
    page = f"/buildings/{cast.sumida.building_id}?lang=en"
    assert "cannot be printed" not in office.get(page).text
    with database.writing(cast.sumida.workspace_id) as session:
        building = session.get_one(Building, (cast.sumida.workspace_id, cast.sumida.building_id))
        building.name = f"ハイツ{HIEROGLYPH}"
    assert TOLD in office.get(page).text
