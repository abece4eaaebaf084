"""Tests of those who want to move in."""
