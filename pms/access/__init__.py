"""Who may enter: keys of machines, and later the people of a workspace."""
