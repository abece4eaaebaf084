"""Tests of contracts: the templates, the document, who signs it and when."""
