"""Cleaning and maintenance: reports, projects, tasks, visits, hours, purchases, links, tickets."""
