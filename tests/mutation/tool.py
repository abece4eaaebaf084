"""Runs mutmut over one part, in the current folder, and writes down what became of each mutant.

It is a program of its own: mutmut imports the tests from a copy, so they may not be imported yet.
"""

import json
import random
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import libcst as cst
import libcst.matchers as m
from mutmut import __main__ as mutmut
from mutmut.mutation import mutators
from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.runners.harness import PytestRunner
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.utils.format_utils import get_mutant_name
from mutmut.workers.isolation import ForkRunner

# What is wrong at once fails in the first few tests; to collect hundreds for it takes long.
_FIRST_TESTS: Final = 12
_TURNED: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
# A text for people has blanks, one that the program compares has none.
_REFUSALS: Final = m.Name("Refused") | m.Name("NotFound") | m.Name("Collision")
_WORD: Final = re.compile(r"""^[a-z]*(["'])[^\s{}]+\1$""")


def _words(node: cst.BaseString) -> Iterable[cst.CSTNode]:
    """Another word instead of one that the program compares or stores."""
    if isinstance(node, cst.SimpleString) and _WORD.match(node.value):
        yield from list(mutators.operator_string(node))[:1]


def _dropped_arguments(node: cst.Call) -> Iterable[cst.CSTNode]:
    """A call without one of its named arguments, a query without one of its conditions.

    Other arguments cannot be dropped without an error that the type checker tells. Those of a
    refusal are texts for people.
    """
    if len(node.args) < 2 or m.matches(node.func, _REFUSALS):
        return
    is_where = m.matches(node.func, m.Attribute(attr=m.Name("where")))
    for i, arg in enumerate(node.args):
        if is_where or arg.keyword is not None:
            yield node.with_changes(args=[*node.args[:i], *node.args[i + 1 :]])


def _turned_calls(node: cst.Call) -> Iterable[cst.CSTNode]:
    """The least instead of the most, every instead of some."""
    if isinstance(node.func, cst.Name) and node.func.value in _TURNED:
        yield node.with_changes(func=cst.Name(_TURNED[node.func.value]))


def _turned_conditions(node: cst.If) -> Iterable[cst.CSTNode]:
    """A condition the other way round, if no operator of it is turned anyway."""
    if not isinstance(node.test, cst.Comparison | cst.UnaryOperation):
        parenthesised = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        yield node.with_changes(test=cst.UnaryOperation(cst.Not(), parenthesised))


_Operator = Callable[[Any], Iterable[cst.CSTNode]]
# Left out: `None` for an argument or a value, which the type checker tells.
OPERATORS: Final[Sequence[tuple[type, _Operator]]] = (
    (cst.BaseNumber, mutators.operator_number),
    (cst.BaseString, _words),
    (cst.Name, mutators.operator_name),
    (cst.AugAssign, mutators.operator_augmented_assignment),
    (cst.UnaryOperation, mutators.operator_remove_unary_ops),
    (cst.Call, _dropped_arguments),
    (cst.Call, _turned_calls),
    (cst.Call, mutators.operator_symmetric_string_methods_swap),
    (cst.Call, mutators.operator_unsymmetrical_string_methods_swap),
    (cst.If, _turned_conditions),
    (cst.CSTNode, mutators.operator_keywords),
    (cst.CSTNode, mutators.operator_swap_op),
    (cst.Match, mutators.operator_match),
    (cst.IfExp, mutators.operator_if_exp),
)


_run_all: Final = PytestRunner.run_tests


def _run_quickest_first(
    runner: PytestRunner, *, mutant_name: str | None, tests: Iterable[str]
) -> int:
    if mutant_name is not None:
        _clear_caches()
    ordered = list(tests)
    if mutant_name is None or len(ordered) <= _FIRST_TESTS:
        return _run_all(runner, mutant_name=mutant_name, tests=ordered)
    first, others = ordered[:_FIRST_TESTS], ordered[_FIRST_TESTS:]
    noticed = _run_all(runner, mutant_name=mutant_name, tests=first)
    return noticed or _run_all(runner, mutant_name=mutant_name, tests=others)


def _clear_caches() -> None:
    """Forget what functions answered before the mutant was chosen; it would hide the mutant."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pms."):
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()


def _names() -> list[str]:
    """Every mutant there is."""
    return [
        get_mutant_name(path, name)
        for path in sorted(walk_mutatable_files())
        for name in mutate_file_contents(str(path), path.read_text("utf-8")).mutant_names
    ]


def _change(name: str, path: Path) -> list[str]:
    """The lines of the source that a mutant changed, before and after."""
    lines = get_diff_for_mutant(name, path=path).splitlines()[2:]
    return [line[0] + " " + line[1:].strip() for line in lines if line[0] in "+-"]


def main(sample: int, processes: int, seed: int) -> None:
    """Try so many mutants, or all for 0, and write `outcome.json`."""
    mutators.mutation_operators[:] = OPERATORS  # type: ignore[index]  # it is a list
    for kind, name, mine in (
        (PytestRunner, "run_tests", _run_quickest_first),
        # All tests have passed when it was counted what each of them runs through.
        (ForkRunner, "run_clean_tests", lambda runner, tests: 0),
    ):
        setattr(kind, name, mine)
    names = _names()
    chosen = names
    if 0 < sample < len(names):
        chosen = sorted(random.Random(seed).sample(names, sample))
    mutmut._run(tuple(chosen), processes)
    outcome = []
    wanted = set(chosen)
    for path in sorted(walk_mutatable_files()):
        data = SourceFileMutationData(path=path)
        data.load()
        for name, code in data.exit_code_by_key.items():
            if name in wanted:
                status = status_by_exit_code[code]
                change = [] if status == "killed" else _change(name, path)
                outcome.append({"name": name, "status": status, "change": change})
    facts = {"all": len(names), "mutants": outcome}
    Path("outcome.json").write_text(json.dumps(facts, ensure_ascii=False, indent=1), "utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
