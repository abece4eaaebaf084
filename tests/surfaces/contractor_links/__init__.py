"""Tests of the surface of contractors: what a link opens, and that it opens nothing else."""
