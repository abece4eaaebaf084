"""The site family of the JSON API: answers shaped for a public website's pages."""
