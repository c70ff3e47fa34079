"""`python -m souk` is the command `souk`."""

from souk.cli import main

if __name__ == "__main__":
    main()
