"""The manual and the pages around it, as people and programs read them."""
