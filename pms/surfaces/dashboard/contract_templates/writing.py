"""Writes a template, and shows what it becomes with facts of a made-up tenancy."""

from pms.surfaces.dashboard.routes import OFFICE, OPERATOR, TEMPLATE_BYTES, dashboard
from collections.abc import Mapping
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.contracts.merge_contract import MergedContract, builtin_text, merged
from pms.contracts.places import PLACES, said_place
from pms.contracts.sample_facts import sample_facts
from pms.contracts.templates import TemplateRecord, contract_template as contract_template_verb
from pms.contracts.write_template import checked_texts, write_template
from pms.foundation.errors import Refused
from pms.rules.enumerations import LeaseKind
from pms.surfaces.dashboard.contract_templates.template_form import TemplateForm
from pms.surfaces.dashboard.desk import actor, clock, may, place, reading, submitted, today
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.reader_choice import chosen_language


@dashboard.get("/contract-templates/new", roles=OPERATOR)
def new_contract_template() -> Response:
    """Show the form of a new template, begun with the built-in text of a kind of lease."""
    kind = LeaseKind.FIXED_TERM
    if request.args.get("leaseKind") == LeaseKind.ORDINARY:
        kind = LeaseKind.ORDINARY
    texts = {"bodyJa": builtin_text("ja", kind), "bodyEn": builtin_text("en", kind)}
    return _shown(None, TemplateForm(data={"leaseKind": kind.value} | texts))


@dashboard.post("/contract-templates/new", roles=OPERATOR, most_bytes=TEMPLATE_BYTES)
def add_contract_template() -> Response:
    """Store a template, or show what the typed one becomes."""
    return _written(None)


@dashboard.get("/contract-templates/<template_id>", roles=OFFICE)
def contract_template(template_id: str) -> Response:
    """Show one template, to those who write it with its form."""
    return _shown(template_id, TemplateForm.of(contract_template_verb(reading(), template_id)))


@dashboard.post("/contract-templates/<template_id>", roles=OPERATOR, most_bytes=TEMPLATE_BYTES)
def write_contract_template(template_id: str) -> Response:
    """Write it anew, or show what the typed one becomes."""
    contract_template_verb(reading(), template_id)
    return _written(template_id)


def _written(template_id: str | None) -> Response:
    form = TemplateForm(request.form)
    if request.form.get("step") == "preview":
        return _tried(template_id, form)
    return submitted(
        form,
        act=lambda session: write_template(
            session,
            clock(),
            actor(),
            template_id=template_id,
            name=form.name.data or "",
            body_ja=form.bodyJa.data or "",
            body_en=form.bodyEn.data or "",
            lease_kind=form.leaseKind.data or "",
            version=form.seen,
        ),
        then=lambda _id: go(url_for("dashboard.contract_templates"), said=_("Saved.")),
        again=lambda: _shown(template_id, form),
    )


def _tried(template_id: str | None, form: TemplateForm) -> Response:
    """Show the preview of what was typed; nothing is written."""
    try:
        checked_texts(form.bodyJa.data or "", form.bodyEn.data or "")
    except Refused as problem:
        place(form, problem)
        response = _shown(template_id, form)
        response.status_code = UNACCEPTED
        return response
    return _shown(template_id, form, is_tried=True)


def _shown(template_id: str | None, form: TemplateForm, *, is_tried: bool = False) -> Response:
    record = contract_template_verb(reading(), template_id) if template_id else None
    language = chosen_language()
    sample = sample_facts(reading(), today(), language)
    return page(
        "dashboard/contract_templates/template.html",
        record=record,
        form=form,
        may_write=may("write_contract_template"),
        is_tried=is_tried,
        previews=_previews(form) if is_tried or _is_read(record) else {},
        places=[(name, said_place(name, sample, language)) for name in PLACES],
    )


def _is_read(record: TemplateRecord | None) -> bool:
    return record is not None and not may("write_contract_template")


def _previews(form: TemplateForm) -> Mapping[str, MergedContract]:
    """Return what each text becomes, by language; empty ones are left out."""
    typed: dict[str, Any] = {"ja": form.bodyJa.data, "en": form.bodyEn.data}
    return {
        locale: merged(text, sample_facts(reading(), today(), locale), locale)
        for locale, text in typed.items()
        if text
    }
