"""Tests of cleaning and maintenance."""
