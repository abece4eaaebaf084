"""Long work: what runs, how far it is, what came of it."""

from pms.surfaces.dashboard.reach import OFFICE, Address
from pms.surfaces.dashboard.runs import views

ADDRESSES = (
    Address("/runs", "runs", views.index, OFFICE),
    Address("/runs/<run_id>", "run", views.show, OFFICE),
    Address("/runs/<run_id>/stop", "stop_run", views.stop, OFFICE, "POST"),
    Address("/runs/<run_id>/restart", "restart_run", views.restart, OFFICE, "POST"),
    Address("/runs/<run_id>/problems.csv", "run_problems", views.problems, OFFICE),
)
