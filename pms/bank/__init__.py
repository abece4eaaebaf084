"""Bank transactions: imported statements, transfers placed on bills, and files for the bank."""
