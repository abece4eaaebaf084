"""Tests of what the website shows and what it saw."""
