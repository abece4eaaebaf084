"""What surfaces say to people: refusals and the words of enumerations."""
