"""Tenancies taken over: a rent roll read into rooms, people, money and what has to be asked."""
