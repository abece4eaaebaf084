"""The rental catalogue: owners, buildings, units, their pictures, campaigns and blocks."""
