"""Tests of short stays: links, the register, passports, arrival."""
