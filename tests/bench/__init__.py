"""Measures the speed of the program as ratios against hand-written anchors, in one run."""
