"""The surfaces: each decides who may use it and what is shown."""
