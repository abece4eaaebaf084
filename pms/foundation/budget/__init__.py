"""The request budget of an API key: an exact count of its requests of the past hour."""
