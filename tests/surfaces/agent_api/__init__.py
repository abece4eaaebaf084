"""The JSON API, asked as a website, an assistant or a supplier would."""
