"""Tests of the service, told with real databases, a real Valkey and real requests."""
