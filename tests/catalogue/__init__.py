"""The catalogue as the office keeps it by hand."""
