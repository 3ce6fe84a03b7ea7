"""``python -m bot``: the command line (``bot.cli.main``)."""

from bot.cli.main import main

if __name__ == "__main__":
    main()
