"""The same list of units in frameworks this program does not use; they run in an environment apart."""
