"""What is handed out on paper: numbered invoices, receipts and owner statements."""
