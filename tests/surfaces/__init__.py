"""Tests of the surfaces, one folder each."""
