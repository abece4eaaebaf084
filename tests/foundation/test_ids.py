"""Ids sort in the order of their making, whoever makes them in one process."""

from concurrent.futures import ThreadPoolExecutor

from pms.foundation.ids import is_id, new_id


def test_ids_made_one_after_the_other_sort_in_that_order() -> None:
    made = [new_id() for _ in range(20_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)
    assert all(is_id(each) for each in made)


def test_ids_made_at_once_by_threads_differ() -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda _: new_id(), range(20_000)))
    assert len(set(made)) == len(made)


def test_an_id_carries_the_version_and_variant_of_uuid_7() -> None:
    made = new_id()
    assert made[12] == "7"
    assert made[16] in "89ab"
