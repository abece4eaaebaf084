"""When two spellings name the same building or the same room."""

from unicodedata import normalize


def building_key(name: str) -> str:
    """Return what buildings of the same name share: NFKC, no blanks, no case."""
    return "".join(normalize("NFKC", name).casefold().split())


def room_key(name: str) -> str:
    """Return what rooms of the same number share: NFKC, no blanks, capitals, without 号室."""
    return "".join(normalize("NFKC", name).upper().split()).removesuffix("号室")
