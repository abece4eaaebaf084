"""The request budget of an API key: how many requests it made in the past hour, kept exactly."""
