"""The doors: each surface decides who may enter and what is shown."""
