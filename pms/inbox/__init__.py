"""Who wrote to us, in which words, and whose turn it is."""
