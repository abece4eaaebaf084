"""The days a unit is taken outside the service: shown, added, ended."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.add_block import add_block as add_block_verb
from pms.catalogue.blocks import block_record, blocks_of
from pms.catalogue.end_block import end_block as end_block_verb
from pms.catalogue.records import unit_record
from pms.rules.enumerations import BlockSource
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.units.block_form import BlockEndForm, BlockForm
from pms.surfaces.dashboard.units.frame import framed
from pms.surfaces.hypermedia import go


@dashboard.get("/units/<unit_id>/blocks", roles=OFFICE)
def unit_blocks(unit_id: str) -> Response:
    """Show the blocks in force and to come."""
    return _shown(unit_id, BlockForm())


@dashboard.post("/units/<unit_id>/blocks", roles=OFFICE)
def add_block(unit_id: str) -> Response:
    """Take days of the unit."""
    form = BlockForm(request.form)
    return submitted(
        form,
        act=lambda session: add_block_verb(
            session,
            clock(),
            actor(),
            unit_id=unit_id,
            source=BlockSource(form.source.data),
            first_on=form.firstOn.data,
            last_on=form.lastOn.data,
            summary=form.summary.data,
        ),
        then=lambda _block_id: go(_home(unit_id), said=_("Block added.")),
        again=lambda: _shown(unit_id, form),
    )


@dashboard.get("/blocks/<block_id>/end", roles=OFFICE)
def block_end(block_id: str) -> Response:
    """Ask for the last day of a block."""
    block = block_record(reading(), block_id)
    return _ending(block_id, BlockEndForm(data={"lastOn": today() if not block.last_on else None}))


@dashboard.post("/blocks/<block_id>/end", roles=OFFICE)
def end_block(block_id: str) -> Response:
    """End a block."""
    form = BlockEndForm(request.form)
    return submitted(
        form,
        act=lambda session: end_block_verb(
            session, clock(), actor(), block_id=block_id, last_on=form.lastOn.data
        ),
        then=lambda unit_id: go(_home(unit_id), said=_("Block ended.")),
        again=lambda: _ending(block_id, form),
    )


def _home(unit_id: str) -> str:
    return url_for("dashboard.unit_blocks", unit_id=unit_id)


def _shown(unit_id: str, form: BlockForm) -> Response:
    unit = unit_record(reading(), unit_id)
    return framed(
        unit_id,
        "dashboard/units/blocks.html",
        tab="unit_blocks",
        unit=unit,
        form=form,
        blocks=blocks_of(reading(), unit_id, today()),
    )


def _ending(block_id: str, form: BlockEndForm) -> Response:
    block = block_record(reading(), block_id)
    return framed(
        block.unit_id,
        "dashboard/units/block_end.html",
        tab="unit_blocks",
        form=form,
        ending=block,
    )
