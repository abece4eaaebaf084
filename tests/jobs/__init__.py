"""Tests of timed and long work."""
