"""A process that does not end by itself."""

from threading import Event

if __name__ == "__main__":
    Event().wait()
