"""Search: normalising and ranking texts."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log
from typing import Final, NamedTuple
from unicodedata import normalize

_KATAKANA: Final = range(0x30A1, 0x30F7)
_KANA_SHIFT: Final = 0x60

# Place names are written either way (霞ヶ関, 霞ケ関), and addresses with any dash (1‐2, 1−2).
_FOLDED: Final[dict[int, str]] = {
    **{code: chr(code - _KANA_SHIFT) for code in _KATAKANA},
    **dict.fromkeys(map(ord, "ヵゕ"), "か"),
    **dict.fromkeys(map(ord, "ヶゖ"), "け"),
    **{ord(kata): hira for kata, hira in zip("ヽヾ", "ゝゞ", strict=True)},
    **{ord(kata): f"{hira}\u3099" for kata, hira in zip("ヷヸヹヺ", "わゐゑを", strict=True)},
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
}


def fold(text: str) -> str:
    """Normalise text for comparison (List units, `search`); idempotent.

    Width and compatibility forms (NFKC), case, katakana to hiragana, runs of blanks to one.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    # Unicode's own caseless match, which makes normalising idempotent.
    folded = normalize("NFKC", normalize("NFKC", normalize("NFD", text).casefold()).casefold())
    return " ".join(normalize("NFKC", folded.translate(_FOLDED)).split())


def terms(query: str) -> tuple[str, ...]:
    """The folded words of a query, each once, in their order (List units, `search`)."""
    return tuple(dict.fromkeys(fold(query).split()))


def has_terms(folded_text: str, words: tuple[str, ...]) -> bool:
    """Whether a folded text holds every word somewhere, so two Japanese characters suffice."""
    return all(word in folded_text for word in words)


_SATURATION: Final = 1.2
_BY_LENGTH: Final = 0.75
_RUNS: Final = re.compile(r"[0-9]+|[a-z][a-z0-9'’-]*|[々〆぀-ヿ㐀-䶿一-鿿豈-﫿]+")
_JAPANESE: Final = re.compile(r"[々〆぀-鿿豈-﫿]")
_MOST_WORDS_ASKED: Final = 400
# Words without information about the question; letter pairs in nearly every Japanese question.
_EMPTY: Final = frozenset(
    re.findall(
        r"\S+",
        "a am an and any are at be bring can do does for from get have how i if in is it keep know "
        "like me my need of on or please possible tell that the there this to use want was what "
        "when where which who will with would you your about allowed give "
        "ます です ませ せん てい いま すか まし でし した でき きま して しま とは くだ ださ さい "
        "ある あり りま さん んか のか のは のが のに には では とい いう こと れる たい",
    )
)
_POLITE: Final = re.compile(
    "(?:おし|教)えて|(?:くだ|下)さい|(?:あり|でき|いただけ|もらえ|なり|し)ます(?:か|でしょうか)?"
    "|ありませんか|でしょうか|ですか|ますか|お願い(?:いた)?します|知りたい|について|どんな"
    "|どう(?:すれば|やって)|いくら|いつ(?:まで|から)?|どこ|なん(?:です)?|可能"
)
# Kanji, katakana, Latin letters and digits: in Japanese they carry the meaning.
_TELLING: Final = re.compile(r"[0-9]+|[a-z][a-z0-9'’-]*|[々〆㐀-䶿一-鿿豈-﫿]+|[ァ-ヶー]+")
# What people say, and how pages write it; such a match adds no weight.
_MEANT: Final = tuple(
    (re.compile(asked), meant)
    for asked, meant in (
        (r"wi-?fi|ワイファイ|わいふぁい|(?<!ター)ネット(?:回線)?", "インターネット internet wi-fi"),
        (r"保証金|デポジット|\bdeposits?\b", "敷金 deposit"),
        (r"犬|猫|\b(?:dogs?|cats?|animals?)\b", "ペット pet"),
        (r"仕事|求人|(?:アル)?バイト|採用|\b(?:jobs?|careers?|hiring)\b", "求人 採用 jobs"),
        (r"駐車場?|パーキング|\bparking\b", "駐車場 parking"),
        (r"退去|解約|\bmov(?:e|ing) out\b|\bcancel\w*", "退去 通知 notice leave"),
        (r"初期費用|\b(?:upfront|initial) costs?\b", "最初 請求 予約金 敷金 move-in invoice"),
    )
)


class Ranked(NamedTuple):
    """A passage by its index, its score, and the share of the question that it contains.

    `share` weights rare words more: 1 when the passage contains every word of the question.
    """

    place: int
    score: float
    share: float


class Ranking:
    """Passages indexed for search; immutable."""

    def __init__(self, passages: Iterable[tuple[str, str]]) -> None:
        """Take titles and texts; a word of a title counts three times."""
        postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths: list[int] = []
        for place, (title, text) in enumerate(passages):
            words = Counter(words_of(text))
            for word, times in Counter(words_of(title)).items():
                words[word] += 3 * times
            lengths.append(sum(words.values()))
            for word, times in words.items():
                postings[word].append((place, times))
        self._postings: dict[str, list[tuple[int, int]]] = dict(postings)
        self._lengths: Sequence[int] = lengths
        self._mean = (sum(lengths) / len(lengths) if lengths else 0) or 1.0

    def best(self, question: str, most: int = 5) -> list[Ranked]:
        """Return the passages with the best scores, best first, ties in their order."""
        asked = asked_words(question)
        weights = {word: self._weigh_word(word) for word in asked.telling[:_MOST_WORDS_ASKED]}
        for word in asked.weak[:_MOST_WORDS_ASKED]:
            if word in self._postings:
                weights.setdefault(word, self._weigh_word(word) / 2)
        whole = sum(weights.values())
        scores: defaultdict[int, float] = defaultdict(float)
        shares: defaultdict[int, float] = defaultdict(float)
        for word, weight in weights.items():
            for place, times in self._postings.get(word, ()):
                stretch = 1 - _BY_LENGTH + _BY_LENGTH * self._lengths[place] / self._mean
                scores[place] += (
                    weight * times * (_SATURATION + 1) / (times + _SATURATION * stretch)
                )
                shares[place] += weight
        order = sorted(scores, key=lambda place: (-scores[place], place))
        return [Ranked(place, scores[place], shares[place] / whole) for place in order[:most]]

    def _weigh_word(self, word: str) -> float:
        """The weight of a word: the rarer the higher; highest for a word that does not occur."""
        holding = len(self._postings.get(word, ()))
        return log(1 + (len(self._lengths) - holding + 0.5) / (holding + 0.5))


class AskedWords(NamedTuple):
    """The words of a question: those that carry its meaning, and weak ones that may help.

    Weak are pairs with hiragana, which are mostly grammar, and synonyms: where they do not occur
    they count against no passage.
    """

    telling: Sequence[str]
    weak: Sequence[str]


def asked_words(question: str) -> AskedWords:
    """Return the words of a question, each once, without polite phrases."""
    text = _POLITE.sub(" ", _without_width(question))
    meant_words: list[str] = []
    for asked, meant in _MEANT:
        if asked.search(text):
            text = asked.sub(" ", text)
            meant_words += words_of(meant)
    telling = [word for run in _TELLING.findall(text) for word in words_of(run) if len(word) > 1]
    rest = [word for word in words_of(text) if word not in telling]
    if not telling and not meant_words:
        telling, rest = rest, []
    return AskedWords(list(dict.fromkeys(telling)), list(dict.fromkeys(meant_words + rest)))


def _without_width(text: str) -> str:
    return " ".join(normalize("NFKC", text).lower().split())


def words_of(text: str) -> list[str]:
    """Return the folded words of a text: Latin ones whole, Japanese ones as pairs of letters."""
    found: list[str] = []
    for run in _RUNS.findall(fold(text)):
        if not _JAPANESE.match(run) or len(run) == 1:
            found.append(_strip_plural_s(run))
        else:
            found.extend(run[place : place + 2] for place in range(len(run) - 1))
    return [word for word in found if word not in _EMPTY]


def _strip_plural_s(word: str) -> str:
    """The word without a plural s, so that "rooms" finds "room"."""
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def is_same_name(typed: str, known: str) -> bool:
    """Whether two names are one, whatever their width, case, blanks and order of their words."""
    names = [sorted(fold(name).replace("・", " ").split()) for name in (typed, known)]
    return names[0] == names[1] or "".join(fold(typed).split()) == "".join(fold(known).split())
