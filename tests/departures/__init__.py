"""How tenancies end, through the database."""
