"""Résumés: which files are taken for one, told by their content alone."""
