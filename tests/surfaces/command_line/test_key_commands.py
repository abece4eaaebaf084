"""Keys get their websites at the command line."""

import json

from tests.surfaces.command_line.conftest import Operator


def test_a_key_is_issued_with_websites_that_can_be_changed(operator: Operator) -> None:
    issue = "keys issue --name Site --preset read --origin https://example.jp"
    key_id = operator.asks(f"{issue} --origin https://www.example.jp")["id"]

    def listed() -> list[str]:
        (key,) = operator.asks("keys list")
        assert (key["id"], key["public"]) == (key_id, True)
        origins: list[str] = key["origins"]
        return origins

    assert listed() == ["https://example.jp", "https://www.example.jp"]
    change = f"keys origins {key_id} --remove https://example.jp --add https://new.example.jp"
    assert operator.types(change).out.split() == [
        "https://new.example.jp",
        "https://www.example.jp",
    ]
    assert listed() == ["https://new.example.jp", "https://www.example.jp"]
    again = operator.types(change)
    assert again.code == 1
    assert "'https://example.jp' is no website of this key" in again.err


def test_a_key_that_reads_residents_gets_no_website(operator: Operator) -> None:
    issue = "keys issue --name Office --scope residents:read"
    assert "residents:read is never used in a browser" in operator.is_refused(
        f"{issue} --origin https://example.jp"
    )
    assert operator.asks("keys list") == []
    key_id = operator.asks(issue)["id"]
    added = operator.types(f"keys origins {key_id} --add https://example.jp")
    assert (added.code, "residents:read is never used in a browser" in added.err) == (1, True)


def test_what_is_no_exact_origin_is_refused_with_the_one_to_write(operator: Operator) -> None:
    refused = operator.is_refused(
        "keys issue --name Site --preset read --origin https://example.jp/rooms"
    )
    assert "Write 'https://example.jp'" in refused
    printed = operator.types("keys list --workspace sumida --json").out
    assert json.loads(printed) == []
