"""How tenancies come in: here, the sheets an operator brings along."""
