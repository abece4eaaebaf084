"""The three walls between workspaces, and everyone who tried to get round them."""
