"""Tests of the surface of guests: what a link opens, and that it opens nothing else."""
