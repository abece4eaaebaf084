"""Money at the bank: files read in, transfers placed, orders written."""
