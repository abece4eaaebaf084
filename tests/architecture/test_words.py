"""One term a thing: texts use the words of docs/glossary.md, names those of the trade."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.architecture.source_tree import ROOT, Finding, Source, listed, python_sources
from tests.architecture.translations import written

TWINS: Final = re.compile(
    r"受信トレイ|タスク|オフィス|予約リンク|過払い|見込み客|ログイン用コード|サインイン|手帳|ハンドブック"
    r"|入居者ポータル|オーナーポータル|チーム|監査記録|入居時請求|入居時の状態|月ごとの更新"
    r"|振込時に書く番号|(?<!年間)収支明細"
    r"|サインアウト|旅券|希望入居日|希望の入居日|オーナー明細|取消し|引継ぎ|取込み|お支払金額|お振込金額|処理状況|ゲスト|きょう|あとで|書き出[しす]"
    r"|(?<!「カレンダーの)エクスポート|先に見るもの|期日前を含め|現在の未払い|取込済|(?<!料金・予告の)規定"
    r"|(?<!管理)(?<!会計)(?<!税理士)(?<!法律)(?<!弁護士)事務所|(?<![A-Za-z])PIN(?![A-Za-z])"
)
OLD_PROSE: Final = re.compile(
    r"\b(whoever|anew|nobody|nobody's|somebody|everybody|anybody|stands|meanwhile|mends?|awaits"
    r"|brought in|had back|all the same|goes by|turnover|begun|second factor(?!,)|e-mails?|PINs?)\b"
    r"|^State\b(?=$| since| set by)",
    re.IGNORECASE | re.MULTILINE,
)
RENAMED: Final = re.compile(
    r"^(?:Sign-ins?|Policy|Usual fees|Living|Runs|Somebody has to decide|Goes by|Nobody yet|Read anew)$"
    r"|\b(?:Search or do|One charge for many|usual fees|missing rent once|Not in order:|No mail leaves"
    r"|Made for|Income in all|Drop mine|Leave as it is|Soft days|Looked after by|Days lived in"
    r"|One thread a person|payers dispute|This link opens nothing|You pay for leaving)\b",
    re.MULTILINE,
)
"""Texts whose words were replaced; those of one word are refused where they are all of a text."""
PAPERS: Final = (
    "pms/surfaces/manual/pages/ja/**/*.md",
    "templates/**/*.ja.txt",
    "templates/**/*.ja.html",
    "templates/papers/*.ja.md",
    "templates/papers/*.ja.toml",
)
ENGLISH_PAPERS: Final = tuple(pattern.replace("ja", "en") for pattern in PAPERS)
_SEARCHED: Final = {
    "pms/surfaces/dashboard/menu_areas.py",
    "pms/surfaces/dashboard/search.py",
}
"""Words by which pages are found: any that a person may type."""


VAGUE: Final = re.compile(
    r"""
      (?<![\w"])\w*_(?:told|said)\b         # is_told, but no stored code
    | \b(?:told|said)(?:_\w|[:(=]|[ ]=[ ])  # told(row), said: str, told_by
    | \.(?:told|said)\b
    | \bhere(?:=|[ ]=[ ])
    """,
    re.MULTILINE | re.VERBOSE,
)
"""Names that do not say of what: `told`, `said` and `here`."""
ONE: Final = re.compile(r"\bfor\b.*\bone\b|\blambda\b.*\bone\b|\bone\b *(?::=|[:=,)]| in\b)")
"""Lines that may name a variable `one`; only files with such a line are parsed."""
VAGUE_IN_TEMPLATES: Final = re.compile(
    r"\bset (?:\w*(?:told|said)|here)\b|macro \w*(?:told|said)\b|class=\"[^\"]*\b(?:told|said)\b"
)


def _japanese() -> Iterator[tuple[str, str]]:
    for message in written("ja"):
        if message.id and not {path for path, _ in message.locations} <= _SEARCHED:
            said = [message.string] if isinstance(message.string, str) else message.string or []
            yield from ((str(message.id), one) for one in said)
    for pattern in PAPERS:
        for path in ROOT.glob(pattern):
            yield str(path.relative_to(ROOT)), _without_code(path)


def _without_code(path: Path) -> str:
    """The words of a page: addresses and what is typed into a machine are left out."""
    return re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)|<[^>]*>", "", path.read_text(), flags=re.DOTALL)


def _twins(text: str) -> list[str]:
    return TWINS.findall(text)


def test_japanese_texts_use_one_term_a_thing() -> None:
    found = [
        f"{where[:60]}: {', '.join(_twins(text))}" for where, text in _japanese() if _twins(text)
    ]
    assert not found, "Reword (docs/glossary.md):\n" + "\n".join(found)


def _english() -> Iterator[str]:
    worded = {(message.context, message.id) for message in written("en")}
    for message in written("ja"):
        if message.id and (message.context, message.id) not in worded:
            yield from (message.id,) if isinstance(message.id, str) else message.id
    yield from (str(message.string) for message in written("en") if message.id)
    for pattern in ENGLISH_PAPERS:
        for path in ROOT.glob(pattern):
            yield from _without_code(path).splitlines()


def test_english_texts_are_plain_product_english() -> None:
    found = [text for text in _english() if OLD_PROSE.search(text) or RENAMED.search(text)]
    assert not found, "Reword (docs/glossary.md):\n" + "\n".join(found)


@pytest.mark.parametrize(
    "text",
    ["事務所へ", "PINを入力", "受信トレイ", "月次の収支明細", "旅券の写し", "ゲストの人数", "規定"],
)
def test_a_planted_twin_is_found(text: str) -> None:
    assert _twins(text)


@pytest.mark.parametrize("text", ["Policy", "Search or do", "One charge for many", "Sign-ins"])
def test_a_planted_replaced_text_is_found(text: str) -> None:
    assert RENAMED.search(text)


@pytest.mark.parametrize("text", ["Sign-in history", "Cancellation Policy", "Living room"])
def test_a_longer_text_is_not_the_replaced_one(text: str) -> None:
    assert not RENAMED.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "管理事務所へ",
        "料金・予告の規定",
        "年間収支明細書",
        "税理士事務所",
        "PINK",
        "「カレンダーのエクスポート」",
    ],
)
def test_a_longer_word_is_no_twin(text: str) -> None:
    assert not _twins(text)


def _vague_names() -> Iterator[str]:
    for source in python_sources("pms/"):
        yield from (f"{source.path}: {found[0].strip()}" for found in VAGUE.finditer(source.text))
    for path in (ROOT / "templates").rglob("*.html"):
        found = VAGUE_IN_TEMPLATES.findall(path.read_text())
        yield from (f"{path.relative_to(ROOT)}: {name}" for name in found)


def _bindings_of_one(source: Source) -> Iterator[Finding]:
    """Each place that names a variable or a parameter `one`."""
    for node in ast.walk(source.tree) if ONE.search(source.text) else ():
        if isinstance(node, ast.arg) and node.arg == "one":
            yield Finding(source.path, node.lineno, "say what `one` is")
        if isinstance(node, ast.Name) and node.id == "one" and isinstance(node.ctx, ast.Store):
            yield Finding(source.path, node.lineno, "say what `one` is")


def test_names_say_of_what() -> None:
    assert not list(_vague_names())


def test_no_variable_is_called_one() -> None:
    sources = python_sources("pms/")
    assert not listed([found for source in sources for found in _bindings_of_one(source)])


@pytest.mark.parametrize(
    "code",
    [
        "[one for one in rows]",
        "{one.id: two for one, two in pairs}",
        "next(one\n for one\n in rows)",
        "lambda one: 1",
        "print(one := 1)",
        "def rank(one, other): pass",
        "for _, one in pairs: pass",
        "one, other = rows",
    ],
)
def test_a_planted_variable_called_one_is_found(code: str) -> None:
    assert list(_bindings_of_one(Source("pms/planted.py", code)))


@pytest.mark.parametrize("code", ["'''for one in all'''", "ask(one=1)", "row.one"])
def test_prose_and_names_of_others_may_say_one(code: str) -> None:
    assert not list(_bindings_of_one(Source("pms/planted.py", code)))


@pytest.mark.parametrize(
    "line",
    [
        "def told(row):",
        "row.said",
        "facts_told = {}",
        "    here = 1",
    ],
)
def test_a_planted_vague_name_is_found(line: str) -> None:
    assert VAGUE.search(line)


@pytest.mark.parametrize("line", ["what is said here.", '"months_not_told"'])
def test_prose_and_codes_may_use_the_words(line: str) -> None:
    assert not VAGUE.search(line)
