"""Incoming data: provider events, messages of people on channels, and supplier orders."""
