"""Illustrations of rooms, houses and floor plans, drawn by the program itself."""
