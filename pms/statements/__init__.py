"""Numbered papers: invoices, receipts and owner statements."""
