"""What others push in: events of providers, words of people on channels, orders of suppliers."""
