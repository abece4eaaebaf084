"""Fixtures every test may ask for."""

from tests.servers.fixtures import postgresql, valkey, valkey_url

__all__ = ["postgresql", "valkey", "valkey_url"]
