"""The contract templates: the list, and each in both languages with a preview."""

from typing import Any, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.contracts import contract_facts, merged_documents, templates
from pms.contracts.contract_facts import PLACES
from pms.contracts.templates import LONGEST_TEXT, ContractTemplateRecord
from pms.foundation.errors import Refused
from pms.rules.enumerations import LeaseKind
from pms.surfaces.dashboard.gate import OFFICE, OPERATOR, TEMPLATE_BYTES, dashboard, may, reading
from pms.surfaces.fields import (
    Either,
    LongTextField,
    PickField,
    Printable,
    Required,
    SeenField,
    TextField,
)
from pms.surfaces.forms import mark_unaccepted, part_of, place_problem, submit_archiving, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today


@dashboard.get("/contract-templates", roles=OFFICE)
def contract_templates() -> Response:
    """Show the templates and which one is the default."""
    return _list_templates(FlaskForm())


@dashboard.post("/contract-templates/<template_id>/default", roles=OPERATOR)
def choose_contract_template(template_id: str) -> Response:
    """Make a template the default."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: templates.choose_template(work, template_id=template_id),
        then=lambda name: go(
            url_for("dashboard.contract_templates"),
            message=_("New contracts use %(name)s.", name=name),
        ),
        again=lambda: _list_templates(form),
    )


@dashboard.post("/contract-templates/<template_id>/archive", roles=OPERATOR)
def archive_contract_template(template_id: str) -> Response:
    """Archive a template, or restore it."""
    return submit_archiving(
        lambda work, is_archived: templates.archive_template(
            work, template_id=template_id, is_archived=is_archived
        ),
        _list_templates,
        address=url_for("dashboard.archive_contract_template", template_id=template_id),
        list_address=url_for("dashboard.contract_templates"),
    )


def _list_templates(form: Form) -> Response:
    found = templates.contract_templates(reading())
    return page(
        "dashboard/contract_templates/index.html",
        found=part_of(found, "page", 50),
        has_default=any(template.is_default for template in found),
        form=form,
    )


class _ContractText(LongTextField):
    """The text field of a contract, limited in length."""

    most_characters = LONGEST_TEXT


class ContractTemplateForm(FlaskForm):
    """The name, the kind of lease, both texts, and the version that was seen."""

    name = TextField(lazy_gettext("Name"), [Required()])
    leaseKind = PickField(lazy_gettext("Kind of lease"), [Required()])
    bodyJa = _ContractText(lazy_gettext("Text in Japanese"), [Either(), Printable()])
    bodyEn = _ContractText(lazy_gettext("Text in English"), [Either(), Printable()])
    version = SeenField(unread=0)

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.leaseKind.choices = choices(LeaseKind)

    @classmethod
    def of(cls, record: ContractTemplateRecord) -> Self:
        """Return the form filled with a template."""
        return cls(
            formdata=None,
            data={
                "name": record.name,
                "leaseKind": record.lease_kind.value,
                "bodyJa": record.body_ja,
                "bodyEn": record.body_en,
                "version": str(record.version),
            },
        )


@dashboard.get("/contract-templates/new", roles=OPERATOR)
def new_contract_template() -> Response:
    """Show the form of a new template, filled with the built-in text of a kind of lease."""
    kind = LeaseKind.FIXED_TERM
    if request.args.get("leaseKind") == LeaseKind.ORDINARY:
        kind = LeaseKind.ORDINARY
    texts = {
        "bodyJa": merged_documents.builtin_text("ja", kind),
        "bodyEn": merged_documents.builtin_text("en", kind),
    }
    return _render_template(None, ContractTemplateForm(data={"leaseKind": kind.value} | texts))


@dashboard.post("/contract-templates/new", roles=OPERATOR, most_bytes=TEMPLATE_BYTES)
def add_contract_template() -> Response:
    """Store a new template, or show the preview of the typed one."""
    return _submit_template(None)


@dashboard.get("/contract-templates/<template_id>", roles=OFFICE)
def contract_template(template_id: str) -> Response:
    """Show one template; those who may write it get its form."""
    return _render_template(
        template_id, ContractTemplateForm.of(templates.contract_template(reading(), template_id))
    )


@dashboard.post("/contract-templates/<template_id>", roles=OPERATOR, most_bytes=TEMPLATE_BYTES)
def write_contract_template(template_id: str) -> Response:
    """Write the template, or show the preview of the typed one."""
    templates.contract_template(reading(), template_id)
    return _submit_template(template_id)


def _submit_template(template_id: str | None) -> Response:
    form = ContractTemplateForm()
    if request.form.get("step") == "preview":
        # Show the preview of the typed texts without writing anything.
        try:
            templates.check_texts(form.bodyJa.data or "", form.bodyEn.data or "")
        except Refused as problem:
            place_problem(form, problem)
            return mark_unaccepted(_render_template(template_id, form))
        return _render_template(template_id, form, is_tried=True)
    return submitted(
        form,
        act=lambda work: templates.write_template(
            work,
            template_id=template_id,
            name=form.name.data or "",
            body_ja=form.bodyJa.data or "",
            body_en=form.bodyEn.data or "",
            lease_kind=form.leaseKind.data or "",
            version=form.version.seen_value,
        ),
        then=lambda _id: go(url_for("dashboard.contract_templates"), message=_("Saved.")),
        again=lambda: _render_template(template_id, form),
    )


def _render_template(
    template_id: str | None, form: ContractTemplateForm, *, is_tried: bool = False
) -> Response:
    record = templates.contract_template(reading(), template_id) if template_id else None
    language = chosen_language()
    sample = contract_facts.sample_facts(reading(), today(), language)
    if is_tried or _is_read(record):
        # Each text merged with sample facts, by language; empty texts are left out.
        typed: dict[str, Any] = {"ja": form.bodyJa.data, "en": form.bodyEn.data}
        previews = {
            locale: merged_documents.merge_template(
                text, contract_facts.sample_facts(reading(), today(), locale), locale
            )
            for locale, text in typed.items()
            if text
        }
    else:
        previews = {}
    return page(
        "dashboard/contract_templates/template.html",
        record=record,
        form=form,
        may_write=may("write_contract_template"),
        is_tried=is_tried,
        previews=previews,
        places=[(name, contract_facts.place_text(name, sample, language)) for name in PLACES],
    )


def _is_read(record: ContractTemplateRecord | None) -> bool:
    return record is not None and not may("write_contract_template")
