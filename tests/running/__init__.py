"""Starting, watching and stopping the program as an operator does."""
