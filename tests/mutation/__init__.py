"""Changes the code in small ways and looks whether a test fails: `python -m tests.mutation`."""
