"""A busy day of cleaning and maintenance in the demo."""
