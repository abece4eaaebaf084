"""The screens of the catalogue."""
