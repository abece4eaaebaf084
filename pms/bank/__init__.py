"""Money at the bank: statements read in, transfers placed on bills, orders written out."""
