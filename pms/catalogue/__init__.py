"""What can be rented: owners, buildings, units, their pictures, campaigns and blocks."""
