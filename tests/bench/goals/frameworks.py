"""P16: the cold list of units against the frameworks a team might have chosen."""

from collections.abc import Iterable

from tests.bench.rounds import Figure
from tests.bench.stage import Stage


def against_frameworks(stage: Stage) -> Iterable[Figure]:
    """Not run unless it was asked for: it installs frameworks this program does not need."""
    for name, must, stretch in (("Django REST", 0.35, 0.15), ("FastAPI models", 0.20, 0.08)):
        what = f"cold after a catalogue edit, CPU against {name}"
        yield Figure("P16", what, None, must, stretch, note="ask with --with-frameworks")
