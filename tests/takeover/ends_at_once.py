"""A process that ends without an answer, as one does whose memory is used up."""

import sys

if __name__ == "__main__":
    sys.exit(1)
