"""A browser that answers no more costs one test, not the run."""

import os
import signal

import pytest
from playwright.sync_api import Error

from tests.surfaces.manual.browser import BrowserOfTests


def test_a_browser_that_does_not_answer_fails_the_test_and_the_next_gets_a_new_one(
    browser_of_tests: BrowserOfTests,
) -> None:
    page = browser_of_tests.opened().new_page()
    with browser_of_tests.killed_when_stuck(0.5), pytest.raises(Error, match="closed"):
        page.evaluate("new Promise(() => {})")
    page = browser_of_tests.opened().new_page()
    assert page.evaluate("1 + 1") == 2
    page.close()


def test_a_context_that_is_never_closed_fails_nothing(browser_of_tests: BrowserOfTests) -> None:
    context = browser_of_tests.opened().new_context()
    os.kill(browser_of_tests.process_id, signal.SIGSTOP)
    browser_of_tests.end_context(context, patience=0.5)
    page = browser_of_tests.opened().new_page()
    assert page.evaluate("1 + 1") == 2
    page.close()
