"""The law, tried without a database."""
