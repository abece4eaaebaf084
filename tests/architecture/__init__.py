"""The shape of the program, held by tests: who may import whom, and what may be written where."""
